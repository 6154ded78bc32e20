import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { expirePaymentOfHold } from '../../store/payment-repository.ts';

/** Makes the payment due for the reconciler, which cancels the intent, so that nobody can pay for the freed dates. */
export const cancelIntentWhenHoldExpired = ({ pool }: Deps) =>
  subscribeOnce('payments.cancel-intent-when-hold-expired', pool, ({ data }, tx) =>
    expirePaymentOfHold(tx, data.holdId),
  );
