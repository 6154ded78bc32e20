import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { releaseBooking } from '../../store/ledger-repository.ts';

/** The task `release-shares` then reads from bookings whether the owner may be paid, so a forged event releases nothing. */
export const releaseSharesWhenBookingOver = ({ pool }: Deps) =>
  subscribeOnce('payments.release-shares-when-booking-over', pool, ({ data }, tx) =>
    releaseBooking(tx, data),
  );
