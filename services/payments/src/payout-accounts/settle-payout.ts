import { events } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { savePayout } from '../store/payout-repository.ts';
import { scheduleReversalsOfOwner } from '../transfers/schedule-reversals.ts';
import { isDenied } from './settle-account.ts';

const settledStatus = events.PayoutSettled.data.shape.status;

/** Stores and publishes a payout that was paid or failed. No-op if that is published already, or if the payout is still on its way. */
export const settlePayout = async (
  tx: Transaction,
  ownerId: string,
  payout: Stripe.Payout,
): Promise<void> => {
  const { id: payoutId, amount: amountCents } = payout;
  const status = settledStatus.safeParse(payout.status).data;
  // A negative payout collects what an account lacks.
  if (!status || amountCents <= 0) return;
  const arrivesAt = new Date(payout.arrival_date * 1_000).toISOString();
  const failureCode = status === 'failed' ? payout.failure_code : null;
  const data = { payoutId, ownerId, amountCents, status, arrivesAt, failureCode };
  const version = await savePayout(tx, data);
  if (version === undefined) return;
  await addToOutbox(tx, newEvent('PayoutSettled', { id: payoutId, version }, data));
  if (status === 'failed') await scheduleReversalsOfOwner(tx, ownerId);
};

/** A payout fails within a week after it was paid; the rest is for outages. */
const recentMs = 30 * 86_400_000;

/** Settles the payouts of the last 30 days, in case their webhooks got lost. */
export const settleRecentPayouts = async (
  { pool, stripe }: Pick<Deps, 'pool' | 'stripe'>,
  { ownerId, accountId }: { ownerId: string; accountId: string },
): Promise<void> => {
  const created = { gte: Math.floor((Date.now() - recentMs) / 1_000) };
  const payouts = await stripe.payouts
    .list({ created, limit: 100 }, { stripeAccount: accountId })
    .autoPagingToArray({ limit: 1_000 })
    .catch((error: unknown) => {
      if (!isDenied(error)) throw error;
      return [];
    });
  if (payouts.length === 0) return;
  await inTransaction(pool, async (tx) => {
    for (const payout of payouts.toReversed()) await settlePayout(tx, ownerId, payout);
  });
};
