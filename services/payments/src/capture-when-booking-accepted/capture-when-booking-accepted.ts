import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { checkPaymentOfHold } from '../payment-repository.ts';

/** Makes the payment due. The reconciler charges the card once bookings confirms that the owner accepted. */
export const captureWhenBookingAccepted = ({ pool }: Deps) =>
  subscribeOnce('payments.capture-when-booking-accepted', pool, ({ data }, tx) =>
    checkPaymentOfHold(tx, data.holdId),
  );
