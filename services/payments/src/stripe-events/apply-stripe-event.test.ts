import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, createPool } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../test/payments-service.ts';
import { applyStripeEvent } from './apply-stripe-event.ts';

let payments: TestPayments;
const logger = createLogger('test', 'silent');
beforeAll(async () => {
  payments = await startTestPayments();
  await waitFor('the first walk of events, which could settle the payment', async () => {
    const { rowCount } = await payments.pool.query(
      `SELECT FROM reconciliations WHERE name = 'stripe-events' AND reached_at > now() - interval '1 day'`,
    );
    return rowCount !== 0;
  });
});
afterAll(() => payments.stop());

describe('a refund of an intent that no payment has yet', () => {
  it("is applied with one connection at a time, so that concurrent webhooks can't deadlock the pool", async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    const { id } = await payments.stripe.refunds.create({ payment_intent: bought.intentId });
    await payments.pool.query('UPDATE payments SET intent_id = NULL WHERE id = $1', [
      bought.paymentId,
    ]);
    const pool = createPool(payments.databaseUrl, logger, { max: 1 });
    const created = Date.now() / 1_000;
    const event = { id: `evt_${id}`, type: 'refund.created', created };

    const taken = applyStripeEvent(
      { pool, stripe: payments.stripe, logger },
      { ...event, data: { object: { object: 'refund', id, payment_intent: bought.intentId } } },
    ).finally(() => pool.end());

    await expect(taken).resolves.toBeDefined();
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      outside_cents: 4200,
    });
  });
});
