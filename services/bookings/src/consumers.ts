import type { Consumer } from '@lendtools/event-bus';
import { confirmBookingsWhenPaymentSucceeded } from './confirm-bookings-when-payment-succeeded/confirm-bookings-when-payment-succeeded.ts';
import type { Deps } from './deps.ts';
import { keepPeople } from './keep-people/keep-people.ts';
import { keepTools } from './keep-tools/keep-tools.ts';
import { releaseHoldWhenPaymentFailed } from './release-hold-when-payment-failed/release-hold-when-payment-failed.ts';
import { withholdWhenPaymentChangedAtStripe } from './withhold-when-payment-changed-at-stripe/withhold-when-payment-changed-at-stripe.ts';

/** Every event that bookings consumes. */
export const consumers = (deps: Deps): Consumer[] => [
  keepTools(deps),
  keepPeople(deps),
  confirmBookingsWhenPaymentSucceeded(deps),
  releaseHoldWhenPaymentFailed(deps),
  withholdWhenPaymentChangedAtStripe(deps),
];
