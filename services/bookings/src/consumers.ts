import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import { confirmBookingsWhenPaymentSucceeded } from './confirm-bookings-when-payment-succeeded/confirm-bookings-when-payment-succeeded.ts';
import type { Deps } from './deps.ts';
import { keepPeople } from './keep-people/keep-people.ts';
import { keepTools } from './keep-tools/keep-tools.ts';
import { releaseHoldWhenPaymentFailed } from './release-hold-when-payment-failed/release-hold-when-payment-failed.ts';

/** Every subscription of this service. */
export const consumers = ({ pool }: Deps): Consumer[] => [
  subscribeOnce('bookings.keep-tools', pool, keepTools),
  subscribeOnce('bookings.keep-people', pool, keepPeople),
  subscribeOnce(
    'bookings.confirm-bookings-when-payment-succeeded',
    pool,
    confirmBookingsWhenPaymentSucceeded,
  ),
  subscribeOnce('bookings.release-hold-when-payment-failed', pool, releaseHoldWhenPaymentFailed),
];
