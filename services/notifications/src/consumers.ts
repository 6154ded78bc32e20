import type { Consumer } from '@lendtools/event-bus';
import { moveNoticesWhenThreadChanged } from './bookings/move-notices-when-thread-changed/move-notices-when-thread-changed.ts';
import { notifyOwnerWhenReviewAdded } from './bookings/notify-owner-when-review-added/notify-owner-when-review-added.ts';
import { notifyPartiesWhenApprovalChanged } from './bookings/notify-parties-when-approval-changed/notify-parties-when-approval-changed.ts';
import { notifyPartiesWhenBookingCancelled } from './bookings/notify-parties-when-booking-cancelled/notify-parties-when-booking-cancelled.ts';
import { notifyPartiesWhenBookingChanged } from './bookings/notify-parties-when-booking-changed/notify-parties-when-booking-changed.ts';
import { notifyPartiesWhenBookingCompleted } from './bookings/notify-parties-when-booking-completed/notify-parties-when-booking-completed.ts';
import { notifyPartiesWhenBookingCreated } from './bookings/notify-parties-when-booking-created/notify-parties-when-booking-created.ts';
import { notifyPartyWhenMessageSent } from './bookings/notify-party-when-message-sent/notify-party-when-message-sent.ts';
import { notifyPeopleWhenProblemChanged } from './bookings/notify-people-when-problem-changed/notify-people-when-problem-changed.ts';
import { notifyRenterWhenBookingReturned } from './bookings/notify-renter-when-booking-returned/notify-renter-when-booking-returned.ts';
import { notifyRenterWhenReturnUndone } from './bookings/notify-renter-when-return-undone/notify-renter-when-return-undone.ts';
import { notifyRenterWhenReviewAdded } from './bookings/notify-renter-when-review-added/notify-renter-when-review-added.ts';
import { remindOwnerWhenApprovalDue } from './bookings/remind-owner-when-approval-due/remind-owner-when-approval-due.ts';
import { remindPartiesWhenReminderDue } from './bookings/remind-parties-when-reminder-due/remind-parties-when-reminder-due.ts';
import { remindPartiesWhenReviewDue } from './bookings/remind-parties-when-review-due/remind-parties-when-review-due.ts';
import type { Deps } from './deps.ts';
import { notifyAdminsWhenPaymentAtRisk } from './payments/notify-admins-when-payment-at-risk/notify-admins-when-payment-at-risk.ts';
import { notifyPeopleWhenPaymentChanged } from './payments/notify-people-when-payment-changed/notify-people-when-payment-changed.ts';
import { notifyRenterWhenPaymentRefunded } from './payments/notify-renter-when-payment-refunded/notify-renter-when-payment-refunded.ts';
import { notifyRenterWhenRefundGranted } from './payments/notify-renter-when-refund-granted/notify-renter-when-refund-granted.ts';
import { notifyOwnerWhenMoneyMoved } from './payouts/notify-owner-when-money-moved/notify-owner-when-money-moved.ts';
import { notifyOwnerWhenPayoutAccountChanged } from './payouts/notify-owner-when-payout-account-changed/notify-owner-when-payout-account-changed.ts';
import { remindOwnerWhenPayoutReminderDue } from './payouts/remind-owner-when-payout-reminder-due/remind-owner-when-payout-reminder-due.ts';
import { erasePersonWhenAccountDeleted } from './people/erase-person-when-account-deleted/erase-person-when-account-deleted.ts';
import { sendAccountEmails } from './people/send-account-emails/send-account-emails.ts';
import { syncAdmins } from './people/sync-admins/sync-admins.ts';
import { syncPeople } from './people/sync-people/sync-people.ts';
import { sendReportEmails } from './reports/send-report-emails/send-report-emails.ts';

/** The durable consumers of this service. `live-hub.ts`, which pushes events to browsers, consumes from one more queue per replica. */
export const consumers = (deps: Deps): Consumer[] => [
  syncPeople(deps),
  syncAdmins(deps),
  erasePersonWhenAccountDeleted(deps),
  notifyPartiesWhenBookingCreated(deps),
  notifyRenterWhenBookingReturned(deps),
  notifyPartiesWhenBookingCancelled(deps),
  notifyPartiesWhenBookingCompleted(deps),
  notifyPeopleWhenProblemChanged(deps),
  notifyPartiesWhenBookingChanged(deps),
  notifyPartiesWhenApprovalChanged(deps),
  remindOwnerWhenApprovalDue(deps),
  remindPartiesWhenReminderDue(deps),
  notifyRenterWhenReturnUndone(deps),
  notifyRenterWhenPaymentRefunded(deps),
  notifyRenterWhenRefundGranted(deps),
  notifyPeopleWhenPaymentChanged(deps),
  notifyAdminsWhenPaymentAtRisk(deps),
  notifyOwnerWhenPayoutAccountChanged(deps),
  remindOwnerWhenPayoutReminderDue(deps),
  notifyOwnerWhenMoneyMoved(deps),
  notifyOwnerWhenReviewAdded(deps),
  notifyRenterWhenReviewAdded(deps),
  remindPartiesWhenReviewDue(deps),
  notifyPartyWhenMessageSent(deps),
  moveNoticesWhenThreadChanged(deps),
  sendAccountEmails(deps),
  sendReportEmails(deps),
];
