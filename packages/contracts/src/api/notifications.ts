import { z } from 'zod';
import {
  bounded,
  fields,
  id,
  idOf,
  ignoredId,
  longText,
  message,
  nextCursor,
  page,
  text,
} from './common.ts';

const noticeKind = z.enum([
  'tool-booked',
  'booking-requested',
  'request-ended',
  'booking-confirmed',
  'booking-returned',
  'booking-completed',
  'booking-cancelled',
  'booking-changed',
  'booking-refunded',
  'payment-changed',
  /** The parties get `booking-problem`; admins get `problem-to-settle`. */
  'booking-problem',
  'problem-to-settle',
  'dispute',
  /** A failed payout, or a change of the owner's account at Stripe. */
  'payouts',
  'payout-reminder',
  'earnings',
  'debt',
  'reminder',
  'message',
  /** A message in a question that no booking continues; `bookingId` is the id of the thread. */
  'question',
  'review',
  /** A decision of LendTools about something that the user published; `bookingId` is null. */
  'moderation',
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

export const noticesQuery = fields({ ...page });
export const noticesReply = z.object({
  notifications: z.array(notice),
  unread: z.number().int(),
  nextCursor,
});
/** Whether the user wants what a topic is about. */
const isWanted = z.boolean('Please send true or false');
const emailSwitches = fields({
  renting: isWanted,
  lending: isWanted,
  messages: isWanted,
  reminders: isWanted,
  payouts: isWanted,
});
/** Notices about messages can't be turned off: they show which messages are unread, and which of them need an email. */
const noticeSwitches = emailSwitches.omit({ messages: true });

export const preferences = z.object({ emails: emailSwitches, notices: noticeSwitches });
export type Preferences = z.infer<typeof preferences>;
export type Topic = keyof Preferences['emails'];
export type NoticeTopic = keyof Preferences['notices'];
export const topics = Object.keys(emailSwitches.shape) as Topic[];
export const noticeTopics = Object.keys(noticeSwitches.shape) as NoticeTopic[];

export const preferencesReply = z.object({ preferences });
/** Switches that are omitted stay as they are. */
export const setPreferencesBody = fields({
  emails: emailSwitches.partial().optional(),
  notices: noticeSwitches.partial().optional(),
});
const linkIncomplete = 'This link is not complete';
export const unsubscribeQuery = fields({ token: bounded(200, linkIncomplete) });
export const unsubscribeReply = z.object({ topic: emailSwitches.keyof() });

/** Marks all of the caller's notices as read, or only those about one booking. */
export const readAllQuery = fields({ bookingId: id.optional() });
export const noticeParams = fields({ userId: id, id });
export const noticeReply = z.object({ notification: notice });
export const unreadReply = z.object({ unread: z.number().int() });

export const sendNotificationBody = fields({
  toolOwner_id: idOf("Please name the tool's owner"),
  bookingName: text("the tool's name", 120),
});
export const sendMessagingNotificationBody = fields({ userId: idOf('Please name a user') });
export const addNotificationBody = fields({
  message: longText('a message', 500),
  userId: ignoredId,
});
/** The notices that the event has caused; empty until the event is consumed. */
export const notificationSentReply = message.extend({ notifications: z.array(notice) });
