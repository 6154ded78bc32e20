import Stripe from 'stripe';
import type { TransferFailure } from '../store/transfer-repository.ts';

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
  if (isExecuted(error) || error instanceof Stripe.errors.StripeIdempotencyError)
    return 'next-attempt';
  const isDefinite =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeCardError;
  if (!isDefinite) return 'unknown';
  return !withoutSource && isOfSource(error) ? 'without-source' : 'rejected';
};

/** Stripe stores a 500 under the key. A proxy may reply with another 5xx while Stripe still executes the request. */
const isExecuted = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAPIError && error.statusCode === 500;

/** Stripe has no code for a charge of which too little is left. */
const isOfSource = ({ param, message }: Stripe.errors.StripeError): boolean =>
  param === 'source_transaction' || /\bsource\b/i.test(message);

/** What is stored of a failure, for admins. */
export const failureOf = (failure: unknown): TransferFailure => ({
  error: failure instanceof Error ? failure.message : String(failure),
  errorCode: failure instanceof Stripe.errors.StripeError ? (failure.code ?? failure.type) : null,
});
