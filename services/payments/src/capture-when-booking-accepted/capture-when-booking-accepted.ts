import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { checkPaymentOfHold } from '../payment-repository.ts';

/** The owner has accepted: the reconciler asks bookings whether that is so, and charges the card. */
export const captureWhenBookingAccepted = ({ pool }: Deps) =>
  subscribeOnce('payments.capture-when-booking-accepted', pool, ({ data }, tx) =>
    checkPaymentOfHold(tx, data.holdId),
  );
