import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import { confirmBookings } from './confirm-bookings-when-payment-succeeded/confirm-bookings-when-payment-succeeded.ts';
import type { Deps } from './deps.ts';
import { keepPerson } from './keep-people/keep-people.ts';
import { keepTool } from './keep-tools/keep-tools.ts';
import { releaseFailedHold } from './release-hold-when-payment-failed/release-hold-when-payment-failed.ts';

/** Every subscription of this service. */
export const consumers = ({ pool }: Deps): Consumer[] => [
  subscribeOnce('bookings.keep-tools', pool, keepTool),
  subscribeOnce('bookings.keep-people', pool, keepPerson),
  subscribeOnce('bookings.confirm-bookings-when-payment-succeeded', pool, confirmBookings),
  subscribeOnce('bookings.release-hold-when-payment-failed', pool, releaseFailedHold),
];
