import { internalRoutes } from '@lendtools/contracts';
import { call, faultPoint, inTransaction, schedule } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { goneFromShares } from '../../domain/gone-from-shares.ts';
import { balanceOf } from '../../domain/ledger.ts';
import { refundKey } from '../../domain/refund.ts';
import { fitFills } from '../../domain/refund-fills.ts';
import { nextReleaseAt } from '../../domain/release.ts';
import { type PaymentFacts, settle } from '../../domain/settle-ledger.ts';
import { type DecidedOrder, saveFills } from '../../refunds/save-fills.ts';
import { listOpenDisputes } from '../../store/dispute-repository.ts';
import {
  followAgainLater,
  noteReading,
  readLedger,
  saveNextRelease,
} from '../../store/ledger-repository.ts';
import { findPayment, lockPayment } from '../../store/payment-repository.ts';
import { lockAccounts } from '../../store/payout-account-repository.ts';
import { postEntries } from '../../store/post-entries.ts';
import { publishShares } from '../../store/published-shares-repository.ts';
import { lockFills } from '../../store/refund-repository.ts';
import { readClock } from '../../store/stripe-event-repository.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { recordTransfers } from '../../transfers/record-transfers.ts';
import { scheduleReversals } from '../../transfers/schedule-reversals.ts';
import { scheduleTransfers } from '../../transfers/schedule-transfers.ts';
import { readMoneyAtStripe } from './read-money-at-stripe.ts';

export type FollowDeps = Pick<Deps, 'pool' | 'stripe' | 'bookings' | 'config' | 'logger'>;

/**
 * Posts what happened to a payment's money, whichever replica wrote it, and reserves the refunds that bookings ordered. No-op if
 * the ledger contains it already.
 */
export const followLedger = async (deps: FollowDeps, paymentId: string): Promise<void> => {
  const { pool, stripe, logger } = deps;
  const payment = await findPayment(pool, paymentId);
  if (!payment?.intentId || !('succeededAt' in payment.state)) return;
  const { version: readVersion } = payment;
  const { succeededAt } = payment.state;
  const readAt = await readClock(pool);
  const [money, { shares, orders: read }] = await Promise.all([
    readMoneyAtStripe(stripe, paymentId, payment.intentId).catch((error) =>
      rethrowOutage(error, logger),
    ),
    readOrders(deps, paymentId),
  ]);
  await inTransaction(pool, async (tx) => {
    const locked = await lockPayment(tx, paymentId);
    await lockAccounts(
      tx,
      shares.map(({ ownerId }) => ownerId),
    );
    const { chargeId } = money.charge;
    if (!(await noteReading(tx, paymentId, { chargeId, readAt }))) return;
    const fills = await lockFills(tx, paymentId);
    const orders = read.map(({ orderedAt, ...order }) => {
      const first = fills.find(({ key }) => key === order.key);
      return { ...order, createdAt: orderedAt ?? first?.createdAt ?? readAt };
    });
    const disputes = await listOpenDisputes(tx, paymentId);
    const isContested = disputes.some(({ isWaived }) => !isWaived);
    const waived = disputes.filter(({ isWaived }) => isWaived).map(({ disputeId }) => disputeId);
    const posted = await readLedger(tx, paymentId);
    const facts = { paymentId, readAt, shares, orders, fills, ...money, isContested, waived };
    const added = settle(facts, posted);
    await postEntries(tx, paymentId, added);
    const entries = [...posted, ...added];
    await saveFills(tx, locked, fitFills(facts, entries), logger);
    const gone = goneFromShares(entries, shares);
    if (locked.version === readVersion) await publishShares(tx, paymentId, gone);
    // Another reading published its shares, or the payment changed at Stripe after this reading.
    else await schedule(tx, 'follow-ledger', paymentId);
    await recordTransfers(tx, { paymentId, entries, transfers: money.transfers });
    await scheduleReversals(tx, paymentId, entries);
    await scheduleTransfers(tx, paymentId, entries);
    const nextAt = nextReleaseAt({ shares, entries, readAt, succeededAt });
    await saveNextRelease(tx, paymentId, { readAt, nextAt });
    // Bookings may not have used the payment yet, which may have been emptied at Stripe meanwhile.
    if (balanceOf(entries, 'unallocated') > 0 || shares.length === 0)
      await followAgainLater(tx, paymentId);
    await faultPoint('payments.beforeLedgerCommit');
  });
};

/** `orderedAt` is null in replies of 1.0. */
type ReadOrder = Omit<DecidedOrder, 'createdAt'> & { orderedAt: Date | null };

/** The payment's shares, and the refunds that bookings has decided. */
const readOrders = async (
  { bookings, config }: FollowDeps,
  paymentId: string,
): Promise<{ shares: PaymentFacts['shares']; orders: ReadOrder[] }> => {
  const { shares, refunds } = await call(bookings, internalRoutes.ordersOfPayment, {
    params: { paymentId },
    token: config.INTERNAL_SECRET[0],
    timeoutMs: 3_000,
  });
  return {
    shares: shares.map(({ bookingId, ownerId, cents, terms, releaseAt }) => ({
      bookingId,
      ownerId,
      cents,
      terms,
      releaseAt: releaseAt === null ? null : new Date(releaseAt),
    })),
    orders: refunds.map(({ orderedAt, refundCents, ...refund }) => ({
      ...refund,
      key: refundKey(refund),
      cents: refundCents,
      orderedAt: orderedAt ? new Date(orderedAt) : null,
    })),
  };
};
