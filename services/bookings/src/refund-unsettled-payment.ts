import type { EventData } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  inTransaction,
  isCutShort,
  isOutage,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import { countUnsettledRefund } from './booking-metrics.ts';
import type { Deps } from './deps.ts';
import { clearFailures, countFailure } from './failed-settlement-repository.ts';
import { type AtStripe, insertPayment, saveStateAtStripe } from './payment-repository.ts';
import { type HoldRow, lockHold, namesOfHold } from './purchase-repository.ts';
import { advanceHold, rejectPayment } from './settle-purchase.ts';

interface UnsettledPayment {
  payment: EventData<'PaymentSucceeded'>;
  atStripe?: AtStripe | undefined;
}

/**
 * Settles a payment that succeeded. If that keeps failing, refunds it in full, so that no renter is charged without a
 * booking. Outages don't count as failures, however long they last.
 * @returns whether it refunded the payment
 * @throws the settlement's error while it should be retried
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
    await endHold(pool, holdId).catch((error: unknown) =>
      logger.error({ err: error, holdId }, 'the hold of a refunded payment could not be ended'),
    );
    return true;
  }
};

/**
 * Settlement and refund insert the same payment row: the second waits until the first commits, and is then a no-op.
 * @returns false if the payment was settled meanwhile
 */
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
    countUnsettledRefund(tx);
    return true;
  });

/** Runs in its own transaction: if it fails for the same reason as the settlement, the refund stays committed. */
const endHold = async (pool: Pool, holdId: string | null): Promise<void> => {
  if (holdId === null) return;
  await inTransaction(pool, async (tx) => {
    const hold = await lockHold(tx, holdId);
    if (hold) await giveUp(tx, hold);
  });
};

const giveUp = (tx: Transaction, hold: HoldRow): Promise<HoldRow> =>
  advanceHold(
    tx,
    hold,
    hold.status === 'requested'
      ? { type: 'RequestEnded', transition: 'fail', by: 'system', note: '' }
      : { type: 'GivenUp' },
  );
