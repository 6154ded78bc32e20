import Stripe from 'stripe';
import { isStoredFailure } from '../../stripe/stripe-api.ts';

/**
 * - `unknown`: the transfer may have been made. Its key finds it.
 * - `next-attempt`: the key is used up. If it was not made, it needs another key.
 * - `without-source`: Stripe rejected the charge as its source.
 * - `rejected`: it was not made, and can't be now.
 */
export type Verdict = 'unknown' | 'next-attempt' | 'without-source' | 'rejected';

export const judgeFailure = (
  error: unknown,
  { withoutSource }: { withoutSource: boolean },
): Verdict => {
  if (isStoredFailure(error) || error instanceof Stripe.errors.StripeIdempotencyError)
    return 'next-attempt';
  const isDefinite =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeCardError;
  if (!isDefinite) return 'unknown';
  return !withoutSource && isOfSource(error) ? 'without-source' : 'rejected';
};

/** Stripe has no code for a charge of which too little is left. */
const isOfSource = ({ param, message }: Stripe.errors.StripeError): boolean =>
  param === 'source_transaction' || /\bsource\b/i.test(message);
