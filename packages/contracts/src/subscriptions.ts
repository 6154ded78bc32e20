import type { EventType } from './events.ts';

/**
 * Each durable queue and the events bound to it. `npm run set-up-broker` declares them before the services start;
 * with AMQP_DECLARES=all each process does so when it connects. So an event published before its consumer's first
 * start is kept, and a deleted queue is restored. A service's `consumers.ts` maps its queues to handlers. Name a new
 * queue `<service>.<slice>` and keep its name when the slice is renamed, because two versions consume it during an
 * upgrade (`keep-…` belongs to `sync-…`).
 */
export const subscriptions = {
  'catalog.keep-owners': ['AccountRegistered', 'AccountUpdated'],
  'catalog.hide-tools-when-owner-disabled': ['AccountDisabled'],
  'catalog.mark-unavailable-when-booking-created': [
    'BookingCreated',
    'BookingReturned',
    'BookingCompleted',
    'BookingCancelled',
  ],
  'catalog.move-booking-when-changed': ['BookingChanged'],
  'catalog.reopen-booking-when-return-undone': ['BookingReturnUndone'],
  'catalog.keep-holds': ['BookingHeld', 'BookingExpired'],
  'catalog.sync-taken-dates': ['AvailabilityChanged'],
  'catalog.rate-tool-when-review-added': ['ReviewAdded', 'ReviewWithdrawn'],

  'bookings.keep-tools': ['ToolListed', 'ToolUpdated', 'ToolRemoved'],
  'bookings.keep-people': ['AccountRegistered', 'AccountUpdated'],
  'bookings.stop-calendar-when-account-disabled': ['AccountDisabled', 'PasswordChanged'],
  'bookings.end-requests-when-account-disabled': ['AccountDisabled'],
  'bookings.confirm-bookings-when-payment-succeeded': ['PaymentSucceeded'],
  'bookings.release-hold-when-payment-failed': ['PaymentFailed'],
  'bookings.withhold-when-payment-changed-at-stripe': [
    'PaymentRefundedAtStripe',
    'PaymentDisputed',
  ],

  'payments.refund-when-booking-rejected': ['BookingRejected'],
  'payments.refund-when-booking-cancelled': ['BookingCancelled'],
  'payments.refund-when-booking-changed': ['BookingChanged'],
  'payments.refund-when-admin-granted': ['BookingRefundGranted'],
  'payments.cancel-intent-when-hold-expired': ['BookingExpired'],
  'payments.capture-when-booking-accepted': ['BookingAccepted'],

  'messaging.keep-people': ['AccountRegistered', 'AccountUpdated'],
  'messaging.open-thread-when-booking-created': ['BookingCreated'],

  'notifications.keep-people': ['AccountRegistered', 'AccountUpdated'],
  'notifications.keep-admins': ['AccountRegistered', 'AccountUpdated', 'AccountDisabled'],
  'notifications.tell-parties-when-booking-created': ['BookingCreated'],
  'notifications.tell-parties-when-booking-changed': ['BookingReturned', 'BookingCancelled'],
  'notifications.tell-parties-when-booking-completed': ['BookingCompleted'],
  'notifications.tell-people-when-problem-changed': [
    'BookingProblemReported',
    'BookingProblemSettled',
  ],
  'notifications.tell-parties-when-dates-changed': ['BookingChanged'],
  'notifications.tell-parties-when-request-changed': [
    'BookingRequested',
    'BookingRequestEnded',
    'BookingChangeRequested',
    'BookingChangeRequestEnded',
  ],
  'notifications.remind-owner-when-answer-due': ['BookingAnswerDue'],
  'notifications.tell-parties-when-reminder-due': ['BookingReminderDue'],
  'notifications.tell-renter-when-return-undone': ['BookingReturnUndone'],
  'notifications.tell-renter-when-payment-refunded': ['PaymentRefunded'],
  'notifications.tell-renter-when-refund-granted': ['BookingRefundGranted'],
  'notifications.tell-people-when-payment-changed': ['BookingPaymentChanged'],
  'notifications.notify-admins-when-payment-at-risk': ['DisputeAnswerDue', 'FraudWarningReceived'],
  'notifications.tell-owner-when-review-added': ['ReviewAdded'],
  'notifications.tell-party-when-message-sent': ['MessageSent', 'ReplySent'],
  'notifications.mail-when-account-needs-it': [
    'AccountRegistered',
    'PasswordResetRequested',
    'EmailVerificationRequested',
    'EmailChangeRequested',
    'PasswordChanged',
    'CalendarFeedCreated',
  ],
} as const satisfies Record<string, readonly EventType[]>;

export type QueueName = keyof typeof subscriptions;
export type SubscribedEvent<Q extends QueueName> = (typeof subscriptions)[Q][number];

/** Events that revoke access: every replica of every service consumes them on its own queue. */
export const revocationEvents = ['SessionEnded', 'AccountDisabled', 'RoleChanged'] as const;

/** Events pushed to browsers: every replica of the live hub consumes them on its own queue. */
export const liveEvents = [
  'AccountUpdated',
  'NoticeCreated',
  'MessageSent',
  'ReplySent',
  'AvailabilityChanged',
  'BookingHeld',
  'BookingExpired',
  'BookingRequested',
  'BookingAccepted',
  'BookingRequestEnded',
  'BookingChangeRequested',
  'BookingChangeRequestEnded',
  'BookingCreated',
  'BookingReturned',
  'BookingReturnUndone',
  'BookingCompleted',
  'BookingProblemReported',
  'BookingProblemSettled',
  'BookingCancelled',
  'BookingChanged',
  'BookingRefundGranted',
  'BookingPaymentChanged',
  'ToolListed',
  'ToolUpdated',
  'ToolRemoved',
  'CategoryAdded',
  'CategoryUpdated',
  'CategoryRemoved',
] as const;
