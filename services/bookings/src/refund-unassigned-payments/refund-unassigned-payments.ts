import { inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { lockUnassigned } from '../payment-repository.ts';
import { rejectPayment } from '../settle-purchase.ts';

/** Refunds payments that were not used for a booking in time. Safe on several replicas at once. */
export const refundUnassignedPayments = async ({ pool, config }: Deps): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    for (const { id, holdId } of await lockUnassigned(tx, config.PAYMENT_GRACE_MINUTES))
      await rejectPayment(tx, id, { holdId, reason: 'unassigned', toolNames: [] });
  });
};
