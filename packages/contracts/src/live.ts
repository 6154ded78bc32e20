import { z } from 'zod';
import { role } from './api/accounts.ts';
import { category } from './api/catalog.ts';
import { id } from './api/common.ts';
import { reply, threadMessage } from './api/messaging.ts';
import { notice } from './api/notifications.ts';

/**
 * Messages that the live hub pushes to a user's sockets; categories
 * go to all sockets. State is stored before it is pushed.
 */
const liveMessages = {
  'notice:created': notice,
  'message:sent': threadMessage,
  'reply:sent': reply,
  /** A booking of which the user is a party changed; the client refetches what it shows. */
  'booking:changed': z.object({ bookingId: id, toolId: id }),
  /** The user's own account, for their other tabs and devices. */
  'account:changed': z.object({
    id,
    role,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    image: z.string(),
  }),
  /** A tool of the user. */
  'tool:changed': z.object({ toolId: id }),
  /** The calendar of the watched tool may have changed. */
  'availability:changed': z.object({ toolId: id }),
  /** A category was added or changed. */
  'category:saved': category,
  'category:removed': z.object({ id }),
} as const;

export type LiveMessages = {
  [K in keyof typeof liveMessages]: (payload: z.infer<(typeof liveMessages)[K]>) => void;
};

/** Requests from a socket. `tool:watch` watches one tool's calendar, or none if null; the hub acknowledges it. */
export interface LiveRequests {
  'tool:watch': (toolId: string | null, whenWatching: () => void) => void;
}
