import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { checkPaymentOfHold } from '../../store/payment-repository.ts';

/** Makes the payment due for the reconciler, which charges the card once the bookings service confirms that the owner accepted. */
export const captureWhenApprovalAccepted = ({ pool }: Deps) =>
  subscribeOnce('payments.capture-when-approval-accepted', pool, ({ data }, tx) =>
    checkPaymentOfHold(tx, data.holdId),
  );
