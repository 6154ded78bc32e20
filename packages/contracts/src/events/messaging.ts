import { z } from 'zod';
import { id } from '../api/common.ts';
import { reply } from '../api/messaging.ts';

const messageFields = {
  bookingId: id,
  fromUserId: id,
  fromFirstName: z.string(),
  fromLastName: z.string(),
  toUserId: id,
  toolName: z.string(),
  text: z.string(),
  sentAt: z.iso.datetime(),
  /** Only while the thread is a question that no booking continues; `bookingId` is then the id of the thread. */
  question: z.object({ toolId: id, ownerId: id }).optional(),
};

export const messageSent = z.object({ messageId: id, ...messageFields });
export const replySent = z.object({
  replyId: id,
  messageId: id,
  ...messageFields,
  answer: reply.shape.answer,
});

/**
 * A booking or request continues a question, whose messages move to the thread of the booking, or contact details in the
 * thread are no longer masked because the booking is paid.
 */
export const threadChanged = z.object({
  bookingId: id,
  ownerId: id,
  renterId: id,
  messageId: id,
  /** The id of the thread before; null if it is the same. */
  questionId: id.nullable(),
});
