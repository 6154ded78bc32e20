import { z } from 'zod';
import { longestMessage } from '../message-limits.ts';
import {
  date,
  fields,
  id,
  longText,
  nextCursor,
  page,
  person,
  time,
  wholeNumber,
} from './common.ts';

const author = z.object({ id, first_name: z.string(), last_name: z.string() });

/** The first message of a thread, by the renter or the owner. */
export const threadMessage = z.object({
  id,
  /** The thread's id: that of its booking, or of a question that no booking continues yet. */
  bookingId: id,
  /** While the thread is unpaid, emails, phone numbers and links are masked. */
  message: z.string(),
  user: author,
  createdAt: z.iso.datetime(),
  /** The number of a message in its thread: 0 for the first message, then 1, 2, … for its replies. Ids imply no order. */
  place: z.number().int().nonnegative(),
});
export type ThreadMessage = z.infer<typeof threadMessage>;

/** Dates at which an owner offers the tool. The renter still has to book them: nothing is held. */
export const offer = fields({
  start_date: date('Please select your start date'),
  start_time: time.default(''),
  end_date: date('Please select your returning date'),
  end_time: time.default(''),
  quantity: wholeNumber(1, 50, 'Please choose 1 to 50').default(1),
}).refine((dates) => dates.end_date >= dates.start_date, {
  error: 'The returning date is before the start date',
  path: ['end_date'],
});
export type Offer = z.infer<typeof offer>;

/** Sent by the tool's owner as the answer to a question. Absent for a plain reply. */
const answer = z.object({ kind: z.enum(['offer', 'decline']), offer: offer.nullable() });
export type Answer = z.infer<typeof answer>;

export const reply = threadMessage.extend({ messageId: id, answer: answer.optional() });
export type Reply = z.infer<typeof reply>;

/** A thread in its reader's list. */
export const thread = z.object({
  id,
  toolName: z.string(),
  /** Null for the thread of a booking. */
  toolId: id.nullable(),
  as: z.enum(['owner', 'renter']),
  other: person,
  /** The booking or request that continues the thread; null for an open question. */
  bookingId: id.nullable(),
  isMasked: z.boolean(),
  /** The parties can no longer write. */
  isClosed: z.boolean(),
  last: z.object({ text: z.string(), fromUserId: id, at: z.iso.datetime() }).nullable(),
});
export type Thread = z.infer<typeof thread>;
export const userThreadParams = fields({ userId: id, threadId: id });
export const userToolParams = fields({ userId: id, toolId: id });
export const myThreadsQuery = fields({ ...page });
export const myThreadsReply = z.object({ threads: z.array(thread), nextCursor });
export const threadReply = z.object({ thread });
export const questionReply = z.object({ thread: thread.nullable() });

export const messageBody = fields({ message: longText('a message', longestMessage) });
/** `message` is the reason of a decline, or what the owner writes beside the offered dates. */
export const answerBody = fields({
  kind: z.enum(['offer', 'decline'], 'Please offer dates or decline'),
  message: longText('a message', longestMessage),
  offer: offer.nullable().default(null),
}).refine(({ kind, offer }) => (kind === 'offer') === (offer !== null), {
  error: 'Please send the dates of an offer, and none to decline',
  path: ['offer'],
});
export const bookingParams = fields({ bookingId: id });
export const messageParams = fields({ messageId: id });
export const userMessageParams = fields({ userId: id, messageId: id });
export const messagingReply = z.object({ messaging: z.array(threadMessage) });
export const messageSentReply = z.object({ messaging: threadMessage });
/** Replies are sorted oldest first. `after` is the id of a reply; only later replies are returned. */
export const repliesQuery = fields({ ...page, after: id.optional() });
export const repliesReply = z.object({ replies: z.array(reply), nextCursor });
export const replySentReply = z.object({ reply });
