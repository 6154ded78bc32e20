import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient, waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../test/payments-service.ts';

let payments: TestPayments;
let token: string;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
  token = await payments.accounts.sign({ userId: randomUUID(), role: 'Admin' });
});
afterAll(() => payments.stop());

const list = async (when: 'open' | 'over') =>
  (await payments.api.get(`/api/admin/fraud-warnings?when=${when}`, { token })).body.warnings;

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

const untilListed = ({ paymentId }: Bought, when: 'open' | 'over') =>
  waitFor(`the warning among the ${when}`, async () =>
    (await list(when)).find((one: { paymentId: string }) => one.paymentId === paymentId),
  );

const published = ({ paymentId }: Bought) => payments.published('FraudWarningReceived', paymentId);

const eventOf = async ({ intentId }: Bought, type: string) => {
  const { events } = await payments.ledger();
  const found = events.find(
    (one) => one.type === type && one.data.object.payment_intent === intentId,
  );
  if (!found) throw new Error(`Stripe sent no ${type}`);
  return found;
};

const delivered = (event: { id: string }) =>
  waitFor('the webhook', async () =>
    (await payments.ledger()).deliveries.some((one) => one.event === event.id && one.delivered),
  );

describe('an early fraud warning', () => {
  it('is listed, and is published once for repeated webhooks', async () => {
    await payments.fault({ point: 'webhook', kind: 'duplicate', count: 3 });
    const bought = await payments.buyAndPay('pm_card_createIssuerFraudRecord');

    const warning = await untilListed(bought, 'open');

    expect(warning).toEqual({
      id: expect.stringMatching(/^issfr_/),
      paymentId: bought.paymentId,
      fraudType: 'unauthorized_use_of_card',
      amountCents: 4200,
      isActionable: true,
      createdAt: expect.any(String),
      stripeUrl: `${payments.sandbox.url}/dashboard`,
      bookings: [],
    });
    await waitFor('the event', () => published(bought).length > 0);
    expect(published(bought).map(({ data }) => data)).toEqual([
      expect.objectContaining({
        warningId: warning.id,
        amountCents: 4200,
        fraudType: 'unauthorized_use_of_card',
      }),
    ]);
  });

  it('is over once the payment is refunded', async () => {
    const bought = await payments.buyAndPay('pm_card_createIssuerFraudRecord');
    await untilListed(bought, 'open');

    await payments.stripe.refunds.create({ payment_intent: bought.intentId });

    expect(await untilListed(bought, 'over')).toMatchObject({ isActionable: false });
  });

  it('is not published if it is over when it is first read', async () => {
    await payments.fault({ point: 'webhook', kind: 'delay', delayMs: 700, count: 100 });
    const bought = await payments.buyAndPay('pm_card_createIssuerFraudRecord');
    await payments.stripe.refunds.create({ payment_intent: bought.intentId });
    await payments.clearFaults();

    await untilListed(bought, 'over');
    await delivered(await eventOf(bought, 'radar.early_fraud_warning.created'));

    expect(published(bought)).toEqual([]);
  });

  it('is found in the list of events if its webhook is lost', async () => {
    await payments.fault({ point: 'webhook', kind: 'drop', count: 100 });
    const bought = await payments.buyAndPay('pm_card_createIssuerFraudRecord');
    await delivered(await eventOf(bought, 'radar.early_fraud_warning.created')).catch(() => {});
    await payments.clearFaults();

    await payments.pool.query(
      `UPDATE reconciliations SET next_at = now() WHERE name = 'stripe-events'`,
    );

    await untilListed(bought, 'open');
  });

  it('is ignored if it belongs to another program on the same account', async () => {
    const intent = await payments.stripe.paymentIntents.create({
      amount: 4200,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_createIssuerFraudRecord',
    });

    await delivered(
      await eventOf({ intentId: intent.id } as Bought, 'radar.early_fraud_warning.created'),
    );

    const { rows } = await payments.pool.query(
      'SELECT FROM fraud_warnings w WHERE NOT EXISTS (SELECT FROM payments WHERE id = w.payment_id)',
    );
    expect(rows).toEqual([]);
    const { body } = await httpClient(payments.url).get('/api/admin/fraud-warnings?when=open', {
      token,
    });
    expect(body.warnings.every((one: { paymentId: string }) => one.paymentId)).toBe(true);
  });
});
