export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/** `voided`: the refund was never sent, because the money had been returned another way. */
export type PromiseStatus = RefundStatus | 'voided';

interface KnownRefund {
  status: PromiseStatus;
  refundId: string | null;
}

type RefundEffect = 'keep' | 'await' | 'complete' | 'fail' | 'revoke';

/**
 * The effect of a refund's status at Stripe, by the stored status and then by Stripe's. `succeeded` may become
 * `failed`, because a bank may return the money days later. `failed` is final at Stripe, so another status that arrives
 * after it is outdated.
 */
export const effects: Record<RefundStatus, Record<RefundStatus, RefundEffect>> = {
  pending: { pending: 'await', succeeded: 'complete', failed: 'fail' },
  succeeded: { pending: 'keep', succeeded: 'keep', failed: 'revoke' },
  failed: { pending: 'keep', succeeded: 'keep', failed: 'keep' },
};

export const refundStatusOf = (status: string | null): RefundStatus => {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
};

/**
 * Decides the effect of a refund at Stripe; replies may be applied in any order. A new try has a new id, and follows only a
 * failure. A refund that was voided while Stripe processed it counts if Stripe sent it anyway.
 */
export const judgeRefund = (
  known: KnownRefund,
  seen: { id: string; status: string | null },
): RefundEffect => {
  const { status, refundId } = known;
  const seenStatus = refundStatusOf(seen.status);
  const isNext = refundId !== seen.id;
  if (status === 'voided')
    return isNext && seenStatus !== 'failed' ? effects.pending[seenStatus] : 'keep';
  if (isNext && refundId && status !== 'failed') return 'keep';
  return effects[isNext ? 'pending' : status][seenStatus];
};

/** `count`: add it to the sums. `note`: store it only. `take-back`: subtract it, because it failed after all. */
type OutsideRefundEffect = 'keep' | 'note' | 'count' | 'take-back';

/** Decides the effect of a refund that was made without us. It counts as soon as it is seen, even while pending. */
export const judgeOutsideRefund = (
  known: RefundStatus | null,
  seen: RefundStatus,
): OutsideRefundEffect => {
  if (known === null) return seen === 'failed' ? 'note' : 'count';
  if (known === 'failed' || seen === known) return 'keep';
  if (seen === 'failed') return 'take-back';
  return seen === 'succeeded' ? 'note' : 'keep';
};
