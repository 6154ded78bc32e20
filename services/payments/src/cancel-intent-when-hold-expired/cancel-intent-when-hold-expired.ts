import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { expirePaymentOfHold } from '../payment-repository.ts';

/** The dates are free again, so nobody may pay for them any more: the reconciler cancels the intent. */
export const cancelIntentWhenHoldExpired = ({ pool }: Deps) =>
  subscribeOnce('payments.cancel-intent-when-hold-expired', pool, ({ data }, tx) =>
    expirePaymentOfHold(tx, data.holdId),
  );
