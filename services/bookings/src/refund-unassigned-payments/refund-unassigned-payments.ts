import { inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { rejectPayment } from '../purchase-repository.ts';

/** Sends back what nobody booked with in time. Safe on several replicas at once. */
export const refundUnassignedPayments = async ({ pool, config }: Deps): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; holdId: string | null }>(
      `SELECT id, hold_id AS "holdId" FROM payments
       WHERE unassigned_cents > 0 AND recorded_at <= now() - $1 * interval '1 minute'
       ORDER BY recorded_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
      [config.PAYMENT_GRACE_MINUTES],
    );
    for (const { id, holdId } of rows)
      await rejectPayment(tx, id, { holdId, reason: 'unassigned', toolNames: [] });
  });
};
