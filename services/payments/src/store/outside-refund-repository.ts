import { columns, type Transaction } from '@lendtools/service-kit';
import type { RefundStatus } from '../domain/refund.ts';

export interface OutsideRefund {
  refundId: string;
  paymentId: string;
  amountCents: number;
  status: RefundStatus;
}

/** Reads a refund that was made outside this service. Lock its payment first. */
export const findOutsideRefund = async (
  tx: Transaction,
  refundId: string,
): Promise<OutsideRefund | undefined> => {
  const { rows } = await tx.query<OutsideRefund>(
    `SELECT ${columns('refundId paymentId amountCents status')} FROM outside_refunds WHERE refund_id = $1`,
    [refundId],
  );
  return rows[0];
};

export const upsertOutsideRefund = async (
  tx: Transaction,
  refund: OutsideRefund,
): Promise<void> => {
  await tx.query(
    `INSERT INTO outside_refunds (refund_id, payment_id, amount_cents, status) VALUES ($1, $2, $3, $4)
     ON CONFLICT (refund_id) DO UPDATE SET status = $4, changed_at = now()`,
    [refund.refundId, refund.paymentId, refund.amountCents, refund.status],
  );
};
