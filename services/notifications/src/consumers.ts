import type { Consumer } from '@lendtools/event-bus';
import type { Deps } from './deps.ts';
import { mailWhenAccountNeedsIt } from './mail-when-account-needs-it/mail-when-account-needs-it.ts';
import { notifyAdminsWhenPaymentAtRisk } from './notify-admins-when-payment-at-risk/notify-admins-when-payment-at-risk.ts';
import { remindOwnerWhenAnswerDue } from './remind-owner-when-answer-due/remind-owner-when-answer-due.ts';
import { syncAdmins } from './sync-admins/sync-admins.ts';
import { syncPeople } from './sync-people/sync-people.ts';
import { tellOwnerWhenReviewAdded } from './tell-owner-when-review-added/tell-owner-when-review-added.ts';
import { tellPartiesWhenBookingChanged } from './tell-parties-when-booking-changed/tell-parties-when-booking-changed.ts';
import { tellPartiesWhenBookingCompleted } from './tell-parties-when-booking-completed/tell-parties-when-booking-completed.ts';
import { tellPartiesWhenBookingCreated } from './tell-parties-when-booking-created/tell-parties-when-booking-created.ts';
import { tellPartiesWhenDatesChanged } from './tell-parties-when-dates-changed/tell-parties-when-dates-changed.ts';
import { tellPartiesWhenReminderDue } from './tell-parties-when-reminder-due/tell-parties-when-reminder-due.ts';
import { tellPartiesWhenRequestChanged } from './tell-parties-when-request-changed/tell-parties-when-request-changed.ts';
import { tellPartyWhenMessageSent } from './tell-party-when-message-sent/tell-party-when-message-sent.ts';
import { tellPeopleWhenPaymentChanged } from './tell-people-when-payment-changed/tell-people-when-payment-changed.ts';
import { tellPeopleWhenProblemChanged } from './tell-people-when-problem-changed/tell-people-when-problem-changed.ts';
import { tellRenterWhenPaymentRefunded } from './tell-renter-when-payment-refunded/tell-renter-when-payment-refunded.ts';
import { tellRenterWhenRefundGranted } from './tell-renter-when-refund-granted/tell-renter-when-refund-granted.ts';
import { tellRenterWhenReturnUndone } from './tell-renter-when-return-undone/tell-renter-when-return-undone.ts';

/** All durable consumers of notifications. The live hub also consumes from one queue per replica. */
export const consumers = (deps: Deps): Consumer[] => [
  syncPeople(deps),
  syncAdmins(deps),
  tellPartiesWhenBookingCreated(deps),
  tellPartiesWhenBookingChanged(deps),
  tellPartiesWhenBookingCompleted(deps),
  tellPeopleWhenProblemChanged(deps),
  tellPartiesWhenDatesChanged(deps),
  tellPartiesWhenRequestChanged(deps),
  remindOwnerWhenAnswerDue(deps),
  tellPartiesWhenReminderDue(deps),
  tellRenterWhenReturnUndone(deps),
  tellRenterWhenPaymentRefunded(deps),
  tellRenterWhenRefundGranted(deps),
  tellPeopleWhenPaymentChanged(deps),
  notifyAdminsWhenPaymentAtRisk(deps),
  tellOwnerWhenReviewAdded(deps),
  tellPartyWhenMessageSent(deps),
  mailWhenAccountNeedsIt(deps),
];
