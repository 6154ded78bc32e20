import type { EventType } from './events.ts';

/**
 * Each durable queue and the events bound to it. A queue is named `<service>.<slice>`; a slice is the folder of a use
 * case. `npm run set-up-broker` declares the queues before the services start, so that no event is lost before its
 * consumer's first start. With AMQP_DECLARES=all each process declares them when it connects. A service's
 * `consumers.ts` maps its queues to handlers.
 */
export const subscriptions = {
  'accounts.record-acts-of-admins': [
    'AdminActedInCatalog',
    'AdminActedInBookings',
    'AdminActedInPayments',
    'AdminActedInMessaging',
  ],

  'catalog.sync-owners': ['AccountRegistered', 'AccountUpdated'],
  'catalog.hide-tools-when-owner-disabled': ['AccountDisabled'],
  'catalog.sync-blocks': ['PersonBlocked'],
  'catalog.hide-tool-when-moderated': ['ContentModerated'],
  'catalog.erase-owner-when-account-deleted': ['AccountDeleted'],
  'catalog.update-status-when-booking-changed': [
    'BookingCreated',
    'BookingReturned',
    'BookingCompleted',
    'BookingCancelled',
  ],
  'catalog.move-booking-when-changed': ['BookingChanged'],
  'catalog.reopen-booking-when-return-undone': ['BookingReturnUndone'],
  'catalog.sync-holds': ['BookingHeld', 'BookingExpired'],
  'catalog.sync-taken-dates': ['AvailabilityChanged'],
  'catalog.rate-tool-when-review-added': ['ReviewAdded', 'ReviewWithdrawn'],

  'bookings.hide-review-when-moderated': ['ContentModerated'],
  'bookings.sync-tools': ['ToolListed', 'ToolUpdated', 'ToolRemoved'],
  'bookings.sync-people': ['AccountRegistered', 'AccountUpdated'],
  'bookings.sync-blocks': ['PersonBlocked'],
  'bookings.stop-calendar-when-access-ends': ['AccountDisabled', 'PasswordChanged'],
  'bookings.sync-disabled-people': ['AccountDisabled'],
  'bookings.erase-owner-when-account-deleted': ['AccountDeleted'],
  'bookings.time-answers-when-message-sent': ['MessageSent', 'ReplySent', 'ThreadChanged'],
  'bookings.confirm-bookings-when-payment-succeeded': ['PaymentSucceeded'],
  'bookings.release-hold-when-payment-failed': ['PaymentFailed'],
  'bookings.withhold-when-payment-changed-at-stripe': [
    'PaymentRefundedAtStripe',
    'PaymentDisputed',
  ],
  'bookings.sync-shares': ['PaymentSharesChanged'],

  'payments.refund-when-booking-rejected': ['BookingRejected'],
  'payments.refund-when-booking-cancelled': ['BookingCancelled'],
  'payments.refund-when-booking-changed': ['BookingChanged'],
  'payments.refund-when-admin-granted': ['BookingRefundGranted'],
  'payments.cancel-intent-when-hold-expired': ['BookingExpired'],
  'payments.capture-when-approval-accepted': ['ApprovalAccepted'],
  'payments.expect-account-when-booking-created': ['BookingCreated'],
  'payments.hold-payouts-when-owner-disabled': ['AccountDisabled'],
  'payments.remove-cards-when-account-deleted': ['AccountDeleted'],
  'payments.release-shares-when-booking-over': [
    'BookingCompleted',
    'BookingCancelled',
    'BookingProblemSettled',
  ],

  'messaging.sync-people': ['AccountRegistered', 'AccountUpdated'],
  'messaging.sync-blocks': ['PersonBlocked'],
  'messaging.open-thread-when-approval-requested': ['ApprovalRequested'],
  'messaging.open-thread-when-booking-created': ['BookingCreated'],
  'messaging.end-thread-when-approval-ended': ['ApprovalEnded'],
  'messaging.close-thread-when-booking-over': [
    'BookingCompleted',
    'BookingCancelled',
    'BookingReturned',
  ],
  'messaging.hide-message-when-moderated': ['ContentModerated'],

  'notifications.sync-people': ['AccountRegistered', 'AccountUpdated'],
  'notifications.sync-admins': ['AccountRegistered', 'AccountUpdated', 'AccountDisabled'],
  'notifications.erase-person-when-account-deleted': ['AccountDeleted'],
  'notifications.notify-parties-when-booking-created': ['BookingCreated'],
  'notifications.notify-renter-when-booking-returned': ['BookingReturned'],
  'notifications.notify-parties-when-booking-cancelled': ['BookingCancelled'],
  'notifications.notify-parties-when-booking-completed': ['BookingCompleted'],
  'notifications.notify-people-when-problem-changed': [
    'BookingProblemReported',
    'BookingProblemSettled',
  ],
  'notifications.notify-parties-when-booking-changed': ['BookingChanged'],
  'notifications.notify-parties-when-approval-changed': ['ApprovalRequested', 'ApprovalEnded'],
  'notifications.remind-owner-when-approval-due': ['ApprovalDue'],
  'notifications.remind-parties-when-reminder-due': ['BookingReminderDue'],
  'notifications.notify-renter-when-return-undone': ['BookingReturnUndone'],
  'notifications.notify-renter-when-payment-refunded': ['PaymentRefunded'],
  'notifications.notify-renter-when-refund-granted': ['BookingRefundGranted'],
  'notifications.notify-people-when-payment-changed': ['BookingPaymentChanged'],
  'notifications.notify-admins-when-payment-at-risk': ['DisputeAnswerDue', 'FraudWarningReceived'],
  'notifications.notify-owner-when-payout-account-changed': ['PayoutAccountChanged'],
  'notifications.remind-owner-when-payout-reminder-due': ['PayoutReminderDue'],
  'notifications.notify-owner-when-money-moved': [
    'TransferSent',
    'PayoutSettled',
    'DebtIncurred',
    'DebtPaid',
  ],
  'notifications.notify-owner-when-review-added': ['ReviewAdded'],
  'notifications.notify-renter-when-review-added': ['RenterReviewAdded'],
  'notifications.remind-parties-when-review-due': ['ReviewDue'],
  'notifications.notify-party-when-message-sent': ['MessageSent', 'ReplySent'],
  'notifications.move-notices-when-thread-changed': ['ThreadChanged'],
  'notifications.send-account-emails': [
    'AccountRegistered',
    'PasswordResetRequested',
    'EmailVerificationRequested',
    'EmailChangeRequested',
    'PasswordChanged',
    'NewDeviceLoggedIn',
    'SecondFactorChanged',
    'EmailChanged',
    'EmailRestored',
    'AccountDeletionChanged',
    'DataExportReady',
    'CalendarFeedCreated',
  ],
  'notifications.send-report-emails': ['ReportReceived', 'ReportAnswered'],
} as const satisfies Record<string, readonly EventType[]>;

export type QueueName = keyof typeof subscriptions;
export type SubscribedEvent<Q extends QueueName> = (typeof subscriptions)[Q][number];

/** These events revoke access. Every replica of every service consumes them on its own queue. */
export const revocationEvents = ['SessionEnded', 'AccountDisabled', 'RoleChanged'] as const;

/** These events are pushed to browsers. Every replica of the live hub consumes them on its own queue. */
export const liveEvents = [
  'AccountUpdated',
  'NoticeCreated',
  'MessageSent',
  'ReplySent',
  'ThreadChanged',
  'AvailabilityChanged',
  'BookingHeld',
  'BookingExpired',
  'ApprovalRequested',
  'ApprovalAccepted',
  'ApprovalEnded',
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
  'ReviewAdded',
  'RenterReviewAdded',
  'ToolListed',
  'ToolUpdated',
  'ToolRemoved',
  'CategoryAdded',
  'CategoryUpdated',
  'CategoryRemoved',
] as const;
