import { z } from 'zod';
import { adminAct } from './api/audit.ts';
import { id } from './api/common.ts';
import * as accounts from './events/accounts.ts';
import * as bookings from './events/bookings.ts';
import * as catalog from './events/catalog.ts';
import * as messaging from './events/messaging.ts';
import * as notifications from './events/notifications.ts';
import * as payments from './events/payments.ts';
import * as reports from './events/reports.ts';
import type { ServiceName } from './route.ts';

export type { SecondFactorChange } from './events/accounts.ts';
export type { GoneFromShare, PaymentSucceeded } from './events/payments.ts';

const event = <D extends z.ZodObject>(service: ServiceName, data: D) => ({ service, data });

/**
 * Every event with its publisher and data. Schemas may only gain fields, because other versions consume the events too.
 */
export const events = {
  AccountRegistered: event('accounts', accounts.accountRegistered),
  AccountUpdated: event('accounts', accounts.accountUpdated),
  AccountDisabled: event('accounts', accounts.accountDisabled),
  AccountDeletionChanged: event('accounts', accounts.accountDeletionChanged),
  AccountDeleted: event('accounts', accounts.accountDeleted),
  DataExportReady: event('accounts', accounts.dataExportReady),
  RoleChanged: event('accounts', accounts.roleChanged),
  SessionEnded: event('accounts', accounts.sessionEnded),
  NewDeviceLoggedIn: event('accounts', accounts.newDeviceLoggedIn),
  SecondFactorChanged: event('accounts', accounts.secondFactorChanged),
  PasswordResetRequested: event('accounts', accounts.passwordResetRequested),
  PasswordChanged: event('accounts', accounts.passwordChanged),
  EmailVerificationRequested: event('accounts', accounts.emailVerificationRequested),
  EmailChangeRequested: event('accounts', accounts.emailChangeRequested),
  EmailChanged: event('accounts', accounts.emailChanged),
  EmailRestored: event('accounts', accounts.emailRestored),
  PersonBlocked: event('accounts', accounts.personBlocked),
  ReportReceived: event('accounts', reports.reportReceived),
  ReportAnswered: event('accounts', reports.reportAnswered),
  ContentModerated: event('accounts', reports.contentModerated),
  ToolListed: event('catalog', catalog.toolListed),
  ToolUpdated: event('catalog', catalog.toolUpdated),
  ToolRemoved: event('catalog', catalog.toolRemoved),
  CategoryAdded: event('catalog', catalog.categoryAdded),
  CategoryUpdated: event('catalog', catalog.categoryUpdated),
  CategoryRemoved: event('catalog', catalog.categoryRemoved),
  AdminActedInCatalog: event('catalog', adminAct),
  BookingHeld: event('bookings', bookings.bookingHeld),
  BookingCreated: event('bookings', bookings.bookingCreated),
  ApprovalRequested: event('bookings', bookings.approvalRequested),
  ApprovalAccepted: event('bookings', bookings.approvalAccepted),
  ApprovalEnded: event('bookings', bookings.approvalEnded),
  BookingReturned: event('bookings', bookings.bookingReturned),
  BookingReturnUndone: event('bookings', bookings.bookingReturnUndone),
  BookingCompleted: event('bookings', bookings.bookingCompleted),
  BookingProblemReported: event('bookings', bookings.bookingProblemReported),
  BookingProblemSettled: event('bookings', bookings.bookingProblemSettled),
  BookingExpired: event('bookings', bookings.bookingExpired),
  BookingRejected: event('bookings', bookings.bookingRejected),
  BookingCancelled: event('bookings', bookings.bookingCancelled),
  BookingChanged: event('bookings', bookings.bookingChanged),
  BookingRefundGranted: event('bookings', bookings.bookingRefundGranted),
  BookingPaymentChanged: event('bookings', bookings.bookingPaymentChanged),
  ApprovalDue: event('bookings', bookings.approvalDue),
  BookingReminderDue: event('bookings', bookings.bookingReminderDue),
  CalendarFeedCreated: event('bookings', bookings.calendarFeedCreated),
  AvailabilityChanged: event('bookings', bookings.availabilityChanged),
  ReviewAdded: event('bookings', bookings.reviewAdded),
  ReviewWithdrawn: event('bookings', bookings.reviewWithdrawn),
  RenterReviewAdded: event('bookings', bookings.renterReviewAdded),
  ReviewDue: event('bookings', bookings.reviewDue),
  AdminActedInBookings: event('bookings', adminAct),
  PaymentSucceeded: event('payments', payments.paymentSucceeded),
  PaymentFailed: event('payments', payments.paymentFailed),
  PaymentRefunded: event('payments', payments.paymentRefunded),
  PaymentRefundedAtStripe: event('payments', payments.paymentRefundedAtStripe),
  PaymentDisputed: event('payments', payments.paymentDisputed),
  PaymentSharesChanged: event('payments', payments.paymentSharesChanged),
  DisputeAnswerDue: event('payments', payments.disputeAnswerDue),
  FraudWarningReceived: event('payments', payments.fraudWarningReceived),
  PayoutAccountChanged: event('payments', payments.payoutAccountChanged),
  PayoutReminderDue: event('payments', payments.payoutReminderDue),
  TransferSent: event('payments', payments.transferSent),
  PayoutSettled: event('payments', payments.payoutSettled),
  DebtIncurred: event('payments', payments.debtIncurred),
  DebtPaid: event('payments', payments.debtPaid),
  AdminActedInPayments: event('payments', adminAct),
  MessageSent: event('messaging', messaging.messageSent),
  ReplySent: event('messaging', messaging.replySent),
  ThreadChanged: event('messaging', messaging.threadChanged),
  AdminActedInMessaging: event('messaging', adminAct),
  NoticeCreated: event('notifications', notifications.noticeCreated),
} as const;

/** These fields grant access, so the outbox removes them once the event is published. */
export const secretFields = ['token'];

export type EventType = keyof typeof events;
export type EventData<T extends EventType> = z.infer<(typeof events)[T]['data']>;

/** `version` belongs to the object that the event is about, and only grows. */
export const envelope = z.object({
  id,
  type: z.string(),
  occurredAt: z.iso.datetime(),
  aggregateId: z.string(),
  version: z.number().int().nonnegative(),
  correlationId: z.string(),
  causationId: z.string().nullable(),
  /** The W3C trace context of the request that caused the event; null without tracing. */
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .nullable()
    .catch(null),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof envelope>;

/** An event as a consumer gets it. A union over `T`, so that `type` narrows `data`. */
export type Event<T extends EventType = EventType> = {
  [K in T]: Omit<Envelope, 'type' | 'data'> & { type: K; data: EventData<K> };
}[T];

export const routingKey = (type: EventType): string => `${events[type].service}.${type}`;

/** Created once, because zod compiles a schema at its first use, which takes longer than parsing an event. */
const knownEnvelope = envelope.extend({ type: z.enum(Object.keys(events) as EventType[]) });

/** @throws ZodError if the envelope or the data does not match its schema */
export const parseEvent = (json: unknown): Event => {
  const parsed = knownEnvelope.parse(json);
  return { ...parsed, data: events[parsed.type].data.parse(parsed.data) } as Event;
};
