import type { Consumer } from '@lendtools/event-bus';
import { confirmBookingsWhenPaymentSucceeded } from './confirm-bookings-when-payment-succeeded/confirm-bookings-when-payment-succeeded.ts';
import type { Deps } from './deps.ts';
import { releaseHoldWhenPaymentFailed } from './release-hold-when-payment-failed/release-hold-when-payment-failed.ts';
import { stopCalendarWhenAccessEnds } from './stop-calendar-when-access-ends/stop-calendar-when-access-ends.ts';
import { syncDisabledPeople } from './sync-disabled-people/sync-disabled-people.ts';
import { syncPeople } from './sync-people/sync-people.ts';
import { syncTools } from './sync-tools/sync-tools.ts';
import { withholdWhenPaymentChangedAtStripe } from './withhold-when-payment-changed-at-stripe/withhold-when-payment-changed-at-stripe.ts';

export const consumers = (deps: Deps): Consumer[] => [
  syncTools(deps),
  syncPeople(deps),
  stopCalendarWhenAccessEnds(deps),
  syncDisabledPeople(deps),
  confirmBookingsWhenPaymentSucceeded(deps),
  releaseHoldWhenPaymentFailed(deps),
  withholdWhenPaymentChangedAtStripe(deps),
];
