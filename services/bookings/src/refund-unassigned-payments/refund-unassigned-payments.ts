import { forEachRow, type RowRange } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { findUnassigned, lockUnassigned } from '../payment-repository.ts';
import { rejectPayment } from '../settle-purchase.ts';

/** Refunds what was not allocated to a booking within the grace period. Safe to run on several replicas at once. */
export const refundUnassignedPayments = async (deps: Deps): Promise<void> => {
  const { pool, config } = deps;
  const graceMinutes = config.PAYMENT_GRACE_MINUTES;
  const find = (range: RowRange) => findUnassigned(pool, graceMinutes, range);
  await forEachRow(deps, 'refund-unassigned-payments', find, async (tx, id) => {
    const payment = await lockUnassigned(tx, id, graceMinutes);
    if (!payment) return;
    const { holdId } = payment;
    await rejectPayment(tx, id, { holdId, reason: 'unassigned', toolNames: [] });
  });
};
