import type { Consumer } from '@lendtools/event-bus';
import { stopCalendarWhenAccessEnds } from './bookings/stop-calendar-when-access-ends/stop-calendar-when-access-ends.ts';
import type { Deps } from './deps.ts';
import { releaseHoldWhenPaymentFailed } from './holds/release-hold-when-payment-failed/release-hold-when-payment-failed.ts';
import { eraseOwnerWhenAccountDeleted } from './people/erase-owner-when-account-deleted/erase-owner-when-account-deleted.ts';
import { timeAnswersWhenMessageSent } from './people/time-answers-when-message-sent/time-answers-when-message-sent.ts';
import { hideReviewWhenModerated } from './reviews/hide-review-when-moderated/hide-review-when-moderated.ts';
import { confirmBookingsWhenPaymentSucceeded } from './settle/confirm-bookings-when-payment-succeeded/confirm-bookings-when-payment-succeeded.ts';
import { syncShares } from './settle/sync-shares/sync-shares.ts';
import { withholdWhenPaymentChangedAtStripe } from './settle/withhold-when-payment-changed-at-stripe/withhold-when-payment-changed-at-stripe.ts';
import { syncBlocks } from './tools/sync-blocks/sync-blocks.ts';
import { syncDisabledPeople } from './tools/sync-disabled-people/sync-disabled-people.ts';
import { syncPeople } from './tools/sync-people/sync-people.ts';
import { syncTools } from './tools/sync-tools/sync-tools.ts';

export const consumers = (deps: Deps): Consumer[] => [
  syncTools(deps),
  hideReviewWhenModerated(deps),
  syncPeople(deps),
  timeAnswersWhenMessageSent(deps),
  stopCalendarWhenAccessEnds(deps),
  syncBlocks(deps),
  syncDisabledPeople(deps),
  eraseOwnerWhenAccountDeleted(deps),
  confirmBookingsWhenPaymentSucceeded(deps),
  releaseHoldWhenPaymentFailed(deps),
  withholdWhenPaymentChangedAtStripe(deps),
  syncShares(deps),
];
