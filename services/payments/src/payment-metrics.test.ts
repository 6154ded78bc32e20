import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { rejection, startTestPayments, type TestPayments } from '../test/payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

it('GET /metrics tells of intents, successes, refunds and how late Stripe is', async () => {
  const declined = await payments.buy();
  await payments.pay(declined.intentId, 'pm_card_chargeDeclined').catch(() => {});
  const bought = await payments.buyAndPay('pm_card_refundFail');
  await payments.broker.send(rejection(bought));

  const metrics = await waitFor('the refund to fail', async () => {
    const { body } = await payments.api.get('/metrics');
    return body.includes('refunds_total{status="failed"') && body;
  });

  const service = 'service="payments"';
  for (const line of [
    `payments_total{status="pending",${service}} 2`,
    `payments_total{status="failed",${service}} 1`,
    `payments_total{status="succeeded",${service}} 1`,
    `refunds_total{status="pending",${service}} 1`,
    `refunds_total{status="succeeded",${service}} 1`,
    `refunds_total{status="failed",${service}} 1`,
  ])
    expect(metrics).toContain(line);
  // A histogram that nothing was put into shows its buckets, too.
  expect(metrics).toMatch(/^stripe_webhook_lag_seconds_count\{service="payments"\} [1-9]/m);
});
