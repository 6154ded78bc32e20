import { z } from 'zod';
import { id } from '../api/common.ts';

const messageFields = {
  bookingId: id,
  fromUserId: id,
  fromFirstName: z.string(),
  fromLastName: z.string(),
  toUserId: id,
  toolName: z.string(),
  text: z.string(),
  sentAt: z.iso.datetime(),
};

export const messageSent = z.object({ messageId: id, ...messageFields });
export const replySent = z.object({ replyId: id, messageId: id, ...messageFields });
