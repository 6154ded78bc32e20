import type { EventData } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  inTransaction,
  isCutShort,
  isOutage,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { fail } from '../domain/approval.ts';
import { countUnsettledRefund } from '../store/booking-metrics.ts';
import { clearFailures, countFailure } from '../store/failed-settlement-repository.ts';
import { type HoldRow, lockHold, namesOfHold } from '../store/hold-repository.ts';
import { type AtStripe, insertPayment, saveStateAtStripe } from '../store/payment-repository.ts';
import { schedule } from '../store/schedule.ts';
import { advanceHold, rejectPayment } from './settle-hold.ts';

interface UnsettledPayment {
  payment: EventData<'PaymentSucceeded'>;
  atStripe?: AtStripe | undefined;
}

/**
 * Settles a payment, or refunds it in full if settling keeps failing for a reason other than an outage.
 * @returns whether the payment was refunded @throws the settlement's error while a retry may succeed
 */
export const settleOrRefund = async (
  { pool, logger }: Pick<Deps, 'pool' | 'logger'>,
  unsettled: UnsettledPayment,
  settle: () => Promise<void>,
): Promise<boolean> => {
  try {
    await settle();
    return false;
  } catch (err) {
    if (isOutage(err)) throw err;
    const { paymentId, holdId, amountCents } = unsettled.payment;
    if (!(await countFailure(pool, paymentId, { isCutShort: isCutShort(err) }))) throw err;
    if (!(await refundUnsettled(pool, unsettled))) return false;
    logger.error(
      { err, paymentId, holdId, amountCents },
      'a payment could not be settled and is refunded',
    );
    return true;
  }
};

/** Refunds a payment unless it was settled: a settlement inserts the same row. @returns false if it was settled */
const refundUnsettled = (pool: Pool, { payment, atStripe }: UnsettledPayment): Promise<boolean> =>
  inTransaction(pool, async (tx) => {
    const { paymentId, userId, holdId, amountCents: cents } = payment;
    await clearFailures(tx, paymentId);
    if (!(await insertPayment(tx, payment))) return false;
    if (atStripe) await saveStateAtStripe(tx, paymentId, atStripe);
    const toolNames = holdId === null ? [] : await namesOfHold(tx, holdId);
    await rejectPayment(tx, paymentId, { holdId, reason: 'unsettled', toolNames });
    const change = { kind: 'unsettled', cents, toolNames } as const;
    const data = { paymentId, renterId: userId, change, bookings: [] };
    await addToOutbox(tx, newEvent('BookingPaymentChanged', { id: paymentId, version: 1 }, data));
    if (holdId !== null) await schedule(tx, 'end-refunded-hold', holdId);
    countUnsettledRefund(tx);
    return true;
  });

/** Ends a payment's hold. Call this after the refund, because it may fail for the same reason as the settlement. */
export const endRefundedHold = ({ pool }: Pick<Deps, 'pool'>, holdId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const hold = await lockHold(tx, holdId);
    if (hold) await giveUp(tx, hold);
  });

const giveUp = (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  advanceHold(
    tx,
    hold,
    hold.status === 'requested' ? { type: 'ApprovalEnded', ...fail } : { type: 'GivenUp' },
  );
