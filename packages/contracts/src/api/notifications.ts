import { z } from 'zod';
import { id, message, nextCursor, page } from './common.ts';

export const noticeKind = z.enum([
  'tool-booked',
  'booking-confirmed',
  'booking-returned',
  'booking-cancelled',
  'booking-refunded',
  'message',
  'review',
]);

export const notice = z.object({
  id,
  kind: noticeKind,
  message: z.string(),
  bookingId: id.nullable(),
  readAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type Notice = z.infer<typeof notice>;

export const noticesQuery = z.object({ ...page });
export const noticesReply = z.object({
  notifications: z.array(notice),
  unread: z.number().int(),
  nextCursor,
});
/** Of all one's notices, or of those about one booking. */
export const readAllQuery = z.object({ bookingId: id.optional() });
export const noticeParams = z.object({ userId: id, id });
export const noticeReply = z.object({ notification: notice });
export const unreadReply = z.object({ unread: z.number().int() });

export const sendNotificationBody = z.object({
  toolOwner_id: id,
  bookingName: z.string().trim().min(1).max(120),
});
export const sendMessagingNotificationBody = z.object({ userId: id });
export const addNotificationBody = z.object({
  message: z.string().trim().min(1).max(500),
  userId: z.string().optional(),
});
/** The notices that the events made; empty while the event is on its way. */
export const notificationSentReply = message.extend({ notifications: z.array(notice) });
