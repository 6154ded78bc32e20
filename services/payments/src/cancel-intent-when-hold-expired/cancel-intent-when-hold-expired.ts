import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { expirePaymentOfHold } from '../payment-repository.ts';

/** Makes the payment due, so that the reconciler cancels its intent: the dates are free again and must not be paid for. */
export const cancelIntentWhenHoldExpired = ({ pool }: Deps) =>
  subscribeOnce('payments.cancel-intent-when-hold-expired', pool, ({ data }, tx) =>
    expirePaymentOfHold(tx, data.holdId),
  );
