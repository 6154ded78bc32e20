import { z } from 'zod';
import { role } from './api/accounts.ts';
import { category } from './api/catalog.ts';
import { id } from './api/common.ts';
import { reply, threadMessage } from './api/messaging.ts';
import { notice } from './api/notifications.ts';

/** What the live hub pushes: to a person's sockets, the categories to everybody's. State is stored before it is pushed. */
const liveMessages = {
  'notice:created': notice,
  'message:sent': threadMessage,
  'reply:sent': reply,
  /** A booking of which the person is a party; the client asks again for what it shows of it. */
  'booking:changed': z.object({ bookingId: id, toolId: id }),
  /** The person's own account, as their other tabs and devices show it. */
  'account:changed': z.object({
    id,
    role,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    image: z.string(),
  }),
  /** A tool of the person's own. */
  'tool:changed': z.object({ toolId: id }),
  /** Of a tool whose calendar the socket watches: what is free may be another by now. */
  'availability:changed': z.object({ toolId: id }),
  /** Added or changed. */
  'category:saved': category,
  'category:removed': z.object({ id }),
} as const;

export type LiveMessages = {
  [K in keyof typeof liveMessages]: (payload: z.infer<(typeof liveMessages)[K]>) => void;
};

/** What a socket may ask of the hub: to watch the calendar of one tool, or with null of none; answered once it does. */
export interface LiveRequests {
  'tool:watch': (toolId: string | null, whenWatching: () => void) => void;
}
