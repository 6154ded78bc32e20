import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { graceMinutes } from '../../domain/hold.ts';
import { lockUnassigned } from '../../store/payment-repository.ts';
import { schedule } from '../../store/schedule.ts';
import { rejectPayment } from '../settle-hold.ts';

/** Refunds the part of a payment that was not allocated to a booking within the grace period. */
export const refundUnassignedPayment = ({ pool }: Pick<Deps, 'pool'>, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const payment = await lockUnassigned(tx, id);
    if (!payment) return;
    const { holdId, recordedAt } = payment;
    const dueAt = new Date(recordedAt.getTime() + graceMinutes * 60_000);
    if ((await databaseNow(tx)) < dueAt)
      return schedule(tx, 'refund-unassigned-payment', id, dueAt);
    await rejectPayment(tx, id, { holdId, reason: 'unassigned', toolNames: [] });
  });
