import { z } from 'zod';
import { fields, id, longText, nextCursor, page } from './common.ts';

const author = z.object({ id, first_name: z.string(), last_name: z.string() });

/** The first message of a booking's thread, by the renter or the owner. */
export const threadMessage = z.object({
  id,
  bookingId: id,
  message: z.string(),
  user: author,
  createdAt: z.iso.datetime(),
  /** The number of a message in its thread: 0 for the first message, then 1, 2, … for its replies. Ids imply no order. */
  place: z.number().int().nonnegative(),
});
export type ThreadMessage = z.infer<typeof threadMessage>;

export const reply = threadMessage.extend({ messageId: id });
export type Reply = z.infer<typeof reply>;

export const messageBody = fields({ message: longText('a message', 4000) });
export const bookingParams = fields({ bookingId: id });
export const messageParams = fields({ messageId: id });
export const userMessageParams = fields({ userId: id, messageId: id });
export const messagingReply = z.object({ messaging: z.array(threadMessage) });
export const messageSentReply = z.object({ messaging: threadMessage });
/** Replies are sorted oldest first. `after` is the id of a reply; only later replies are returned. */
export const repliesQuery = fields({ ...page, after: id.optional() });
export const repliesReply = z.object({ replies: z.array(reply), nextCursor });
export const replySentReply = z.object({ reply });
