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
