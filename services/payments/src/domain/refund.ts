import type { RefundOwed } from '@lendtools/contracts';

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/** `voided`: never sent, because the payer got the money in another way. */
export type StoredRefundStatus = RefundStatus | 'voided';

/** The key of the first row of a refund that bookings has decided. */
export const refundKey = ({
  paymentId,
  bookingId,
  grantId,
}: Pick<RefundOwed, 'paymentId' | 'bookingId' | 'grantId'>): string =>
  ['refund', paymentId, bookingId, grantId].filter(Boolean).join(':');

interface StoredRefund {
  status: StoredRefundStatus;
  refundId: string | null;
}

type RefundEffect = 'keep' | 'await' | 'complete' | 'fail' | 'revoke';

/** Outer key: our status of a refund; inner key: Stripe's. A bank may return the money days after `succeeded`. */
export const effects: Record<RefundStatus, Record<RefundStatus, RefundEffect>> = {
  pending: { pending: 'await', succeeded: 'complete', failed: 'fail' },
  succeeded: { pending: 'keep', succeeded: 'keep', failed: 'revoke' },
  failed: { pending: 'keep', succeeded: 'keep', failed: 'keep' },
};

export const refundStatusOf = (status: string | null): RefundStatus => {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
};

/** Ignores a refund with a new id unless our last try failed. Applies a voided refund that Stripe sent after all. */
export const judgeRefund = (
  stored: StoredRefund,
  atStripe: { id: string; status: string | null },
): RefundEffect => {
  const { status, refundId } = stored;
  const statusAtStripe = refundStatusOf(atStripe.status);
  const isNext = refundId !== atStripe.id;
  if (status === 'voided')
    return isNext && statusAtStripe !== 'failed' ? effects.pending[statusAtStripe] : 'keep';
  if (isNext && refundId && status !== 'failed') return 'keep';
  return effects[isNext ? 'pending' : status][statusAtStripe];
};

/** `store`: stores the refund without adding it to the sums. `subtract`: an added refund has failed after all. */
type OutsideRefundEffect = 'keep' | 'store' | 'add' | 'subtract';

/** A refund made in the dashboard counts as soon as it is seen, even while pending. */
export const judgeOutsideRefund = (
  stored: RefundStatus | null,
  atStripe: RefundStatus,
): OutsideRefundEffect => {
  if (stored === null) return atStripe === 'failed' ? 'store' : 'add';
  if (stored === 'failed' || atStripe === stored) return 'keep';
  if (atStripe === 'failed') return 'subtract';
  return atStripe === 'succeeded' ? 'store' : 'keep';
};
