import type { Transaction } from '@lendtools/service-kit';
import type { ShareId } from './transfer-repository.ts';

interface MadeReversal {
  /** Stripe's id of the transfer. */
  transferId: string;
  reversalId: string;
  /** The row that its metadata names; null if it was made without us. */
  rowId: string | null;
  cents: number;
  createdAt: Date;
  /** Whether what it returned waits for an admin. */
  isHeld: boolean;
}

/** Records a reversal that Stripe made, also one whose row is lost. No-op if it is recorded. Record its transfer first. */
export const recordReversal = async (tx: Transaction, reversal: MadeReversal): Promise<void> => {
  const { transferId, reversalId, rowId, cents, createdAt, isHeld } = reversal;
  const { rowCount } = await tx.query(
    `UPDATE transfer_reversals SET status = 'made', reversal_id = $2, made_at = $3, error_code = NULL, error = NULL,
       next_try_at = 'infinity'
     WHERE id = $1 AND (status <> 'made' OR reversal_id = $2)`,
    [rowId, reversalId, createdAt],
  );
  if (rowCount !== 0) return;
  await tx.query(
    `INSERT INTO transfer_reversals (id, transfer, amount_cents, status, reversal_id, is_outside, accepted_at, made_at, next_try_at)
     SELECT CASE WHEN $1::uuid IS NULL OR EXISTS (SELECT FROM transfer_reversals r WHERE r.id = $1) THEN uuidv7() ELSE $1 END,
       t.id, $3, 'made', $2, $1 IS NULL, CASE WHEN NOT $5 THEN now() END, $4, 'infinity'
     FROM transfers t WHERE t.transfer_id = $6
     ON CONFLICT (reversal_id) DO NOTHING`,
    [rowId, reversalId, cents, createdAt, isHeld, transferId],
  );
};

/** Whether money that an outside reversal returned to a share waits for an admin. */
export const hasHeldReversal = async (
  tx: Transaction,
  { paymentId, bookingId }: ShareId,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM transfer_reversals r JOIN transfers t ON t.id = r.transfer
     WHERE t.payment_id = $1 AND t.booking_id = $2 AND r.is_outside AND r.accepted_at IS NULL LIMIT 1`,
    [paymentId, bookingId],
  );
  return rowCount !== 0;
};
