import { z } from 'zod';
import { role } from './api/accounts.ts';
import { category } from './api/catalog.ts';
import { id } from './api/common.ts';
import { reply, threadMessage } from './api/messaging.ts';
import { notice } from './api/notifications.ts';

/**
 * Messages that the live hub (the socket server of the notifications service) pushes to a user's sockets; `category:…`
 * goes to the sockets of all users. Changes are stored before they are pushed.
 */
const liveMessages = {
  'notice:created': notice,
  'message:sent': threadMessage,
  'reply:sent': reply,
  /** The thread's messages are now those of a booking, or no longer masked. `questionId`: the thread's id before. */
  'thread:changed': z.object({ bookingId: id, messageId: id, questionId: id.nullable() }),
  /** A booking of which the user is a party has changed. The client fetches the data that it shows again. */
  'booking:changed': z.object({ bookingId: id, toolId: id }),
  /** The user's own account changed, perhaps on another device. */
  'account:changed': z.object({
    id,
    role,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    image: z.string(),
  }),
  /** A tool of the user changed. */
  'tool:changed': z.object({ toolId: id }),
  /** The calendar of the watched tool may have changed. */
  'availability:changed': z.object({ toolId: id }),
  'category:saved': category,
  'category:removed': z.object({ id }),
} as const;

export type LiveMessages = {
  [K in keyof typeof liveMessages]: (payload: z.infer<(typeof liveMessages)[K]>) => void;
};

/**
 * Messages that a client sends on its socket. `tool:watch` subscribes to changes of a tool's calendar; with null, it only ends the
 * last subscription. The server acknowledges each new subscription.
 */
export interface LiveRequests {
  'tool:watch': (toolId: string | null, whenWatching: () => void) => void;
}
