/** The life of a refund, from the promise to the money being there: pure rules. */

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/** `voided`: its money went another way before it was sent. */
export type PromiseStatus = RefundStatus | 'voided';

/** What is written down of a refund, and of the last try at Stripe if there was one. */
interface KnownRefund {
  status: PromiseStatus;
  refundId: string | null;
}

/** What a refund that Stripe shows does to the one that is written down. */
type RefundEffect = 'keep' | 'await' | 'complete' | 'fail' | 'revoke';

/**
 * By what is known, then by what Stripe says. A bank may send money back days after Stripe called the refund
 * succeeded; of a failed one nothing more comes, so whatever else is said of it was read earlier.
 */
export const effects: Record<RefundStatus, Record<RefundStatus, RefundEffect>> = {
  pending: { pending: 'await', succeeded: 'complete', failed: 'fail' },
  succeeded: { pending: 'keep', succeeded: 'keep', failed: 'revoke' },
  failed: { pending: 'keep', succeeded: 'keep', failed: 'keep' },
};

/** Stripe's five statuses map to three of ours: the money has gone, will not go, or we wait. */
export const standingOf = (status: string | null): RefundStatus => {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
};

/**
 * Takes in what Stripe says, in any order. Another try has another id, and comes only after a failure. One that was on its
 * way while its promise was voided counts if Stripe had room for it all the same.
 */
export const judgeRefund = (
  known: KnownRefund,
  given: { id: string; status: string | null },
): RefundEffect => {
  const { status, refundId } = known;
  const standing = standingOf(given.status);
  const isNext = refundId !== given.id;
  if (status === 'voided')
    return isNext && standing !== 'failed' ? effects.pending[standing] : 'keep';
  if (isNext && refundId && status !== 'failed') return 'keep';
  return effects[isNext ? 'pending' : status][standing];
};

/** `count`: its money went back. `note`: it changes no sum. `take-back`: its money did not go back after all. */
type OutsideRefundEffect = 'keep' | 'note' | 'count' | 'take-back';

/** What a refund that was made at Stripe itself does, by what is known of it. It counts from the moment it is seen. */
export const judgeOutsideRefund = (
  known: RefundStatus | null,
  seen: RefundStatus,
): OutsideRefundEffect => {
  if (known === null) return seen === 'failed' ? 'note' : 'count';
  if (known === 'failed' || seen === known) return 'keep';
  if (seen === 'failed') return 'take-back';
  return seen === 'succeeded' ? 'note' : 'keep';
};
