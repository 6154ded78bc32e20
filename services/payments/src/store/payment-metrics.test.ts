import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { metricIn, waitFor } from '@lendtools/testing';
import { rejection, startTestPayments, type TestPayments } from '../../test/payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

const watched: [name: string, labels?: Record<string, string>][] = [
  ['payments_total', { status: 'pending' }],
  ['payments_total', { status: 'failed' }],
  ['payments_total', { status: 'succeeded' }],
  ['payments_total', { status: 'authorized' }],
  ['payments_total', { status: 'canceled' }],
  ['refunds_total', { status: 'pending' }],
  ['refunds_total', { status: 'succeeded' }],
  ['refunds_total', { status: 'failed' }],
  ['open_payments'],
  ['open_payment_oldest_overdue_seconds'],
];
const countsIn = (metrics: string) => watched.map((one) => metricIn(metrics, ...one));

it('reports intents, successes, refunds and the lag of webhooks at GET /metrics', async () => {
  const before = countsIn((await payments.api.get('/metrics')).body);
  const declined = await payments.buy();
  await payments.pay(declined.intentId, 'pm_card_chargeDeclined').catch(() => {});
  const bought = await payments.buyAndPay('pm_card_refundFail');
  await payments.broker.send(rejection(bought));

  const metrics = await waitFor('the refund to fail', async () => {
    const { body } = await payments.api.get('/metrics');
    // The gauge is sampled from the database every five seconds.
    return metricIn(body, 'unfinished_refunds', { status: 'failed' }) === 1 && body;
  });

  const more = countsIn(metrics).map((count, i) => count - (before[i] as number));
  expect(more).toEqual([2, 1, 1, 0, 0, 1, 1, 1, 1, 0]);
  // Checks the count, because an empty histogram shows its buckets too.
  expect(metricIn(metrics, 'stripe_webhook_lag_seconds_count')).toBeGreaterThan(0);
});

it('reports the accounts of the ledger, and what an admin has to look at', async () => {
  const { paymentId, userId: ownerId } = await payments.buyAndPay();
  await payments.hasBalances(paymentId, { card: -4200, unallocated: 4200 });
  await payments.pool.query(
    `WITH account AS (INSERT INTO payout_accounts (owner_id, account_id, state) VALUES ($2, 'acct_1', 'ready')),
       rejected AS (
         INSERT INTO transfers (payment_id, booking_id, owner_id, account_id, amount_cents, status, next_try_at, created_at)
         SELECT $1, $1, $2, 'acct_1', 900, 'rejected', CASE n WHEN 2 THEN 'infinity' ELSE now() + interval '1 hour' END, now() - n * interval '1 day'
         FROM generate_series(0, 2) n WHERE n <> 1),
       sent AS (
         INSERT INTO transfers (payment_id, booking_id, owner_id, account_id, amount_cents, status, transfer_id, sent_at, next_try_at)
         VALUES ($1, $2, $2, 'acct_1', 900, 'sent', 'tr_1', now(), 'infinity') RETURNING id)
     INSERT INTO transfer_reversals (transfer, amount_cents, status, reversal_id, is_outside, made_at, next_try_at)
     SELECT id, 900, 'made', 'trr_1', true, now(), 'infinity' FROM sent`,
    [paymentId, ownerId],
  );

  const metrics = await waitFor('the gauges', async () => {
    const { body } = await payments.api.get('/metrics');
    return metricIn(body, 'stuck_transfers', { kind: 'returned' }) === 1 && body;
  });

  expect(metricIn(metrics, 'stuck_transfers', { kind: 'transfer' })).toBe(1);
  expect(metricIn(metrics, 'stuck_transfers', { kind: 'reversal' })).toBe(0);
  expect(metricIn(metrics, 'ledger_cents', { account: 'debts' })).toBe(0);
  expect(metricIn(metrics, 'ledger_cents', { account: 'unallocated' })).toBeGreaterThanOrEqual(
    4200,
  );
});
