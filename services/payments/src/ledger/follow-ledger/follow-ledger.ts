import { internalRoutes } from '@lendtools/contracts';
import { call, faultPoint, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { balanceOf } from '../../domain/ledger.ts';
import { type PaymentFacts, settle } from '../../domain/settle-ledger.ts';
import {
  followAgainLater,
  insertEntries,
  listRefundOrders,
  noteReading,
  readLedger,
} from '../../store/ledger-repository.ts';
import { findPayment, lockPayment } from '../../store/payment-repository.ts';
import { readClock } from '../../store/stripe-event-repository.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { readMoneyAtStripe } from './read-money-at-stripe.ts';

export type FollowDeps = Pick<Deps, 'pool' | 'stripe' | 'bookings' | 'config' | 'logger'>;

/** Posts what happened to a payment's money, whichever replica wrote it. No-op if the ledger contains it already. */
export const followLedger = async (deps: FollowDeps, paymentId: string): Promise<void> => {
  const { pool, stripe, logger } = deps;
  const payment = await findPayment(pool, paymentId);
  if (!payment?.intentId || !('succeededAt' in payment.state)) return;
  const readAt = await readClock(pool);
  const [money, shares] = await Promise.all([
    readMoneyAtStripe(stripe, payment.intentId).catch((error) => rethrowOutage(error, logger)),
    readShares(deps, paymentId),
  ]);
  await inTransaction(pool, async (tx) => {
    await lockPayment(tx, paymentId);
    const { chargeId } = money.charge;
    if (!(await noteReading(tx, paymentId, { chargeId, readAt }))) return;
    const orders = await listRefundOrders(tx, paymentId);
    const posted = await readLedger(tx, paymentId);
    const added = settle({ paymentId, readAt, shares, orders, ...money }, posted);
    await insertEntries(tx, paymentId, added);
    // Bookings may not have used the payment yet.
    if (balanceOf([...posted, ...added], 'unallocated') > 0) await followAgainLater(tx, paymentId);
    await faultPoint('payments.beforeLedgerCommit');
  });
};

const readShares = async (
  { bookings, config }: FollowDeps,
  paymentId: string,
): Promise<PaymentFacts['shares']> => {
  const { shares } = await call(bookings, internalRoutes.ordersOfPayment, {
    params: { paymentId },
    token: config.INTERNAL_SECRET[0],
    timeoutMs: 3_000,
  });
  return shares.map(({ bookingId, ownerId, cents }) => ({ bookingId, ownerId, cents }));
};
