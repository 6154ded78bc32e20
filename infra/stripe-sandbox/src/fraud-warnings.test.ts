import { describe, expect, it } from '@jest/globals';
import { createIntent, endpoint, ledger, post, stripe, useSandbox } from '../test/sandbox.ts';

useSandbox();

async function paidBy(card: string) {
  const { id } = await createIntent();
  await stripe.paymentIntents.confirm(id, { payment_method: card });
  return id;
}

async function warningOf(payment_intent: string) {
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent });
  return data[0];
}

describe('early fraud warnings', () => {
  it('are issued for the test card that causes one', async () => {
    const payment_intent = await paidBy('pm_card_createIssuerFraudRecord');

    await endpoint.received('radar.early_fraud_warning.created');

    const warning = await warningOf(payment_intent);
    expect(warning).toMatchObject({
      object: 'radar.early_fraud_warning',
      actionable: true,
      payment_intent,
      fraud_type: 'unauthorized_use_of_card',
    });
    const expanded = await stripe.radar.earlyFraudWarnings.retrieve(warning?.id ?? '', {
      expand: ['charge'],
    });
    expect(expanded.charge).toMatchObject({ object: 'charge', payment_intent });
    expect(await ledger()).toMatchObject({ warnings: [{ id: warning?.id }] });
  });

  it('can be issued for any charge', async () => {
    const payment_intent = await paidBy('pm_card_visa');

    await post('/sandbox/fraud_warnings', { payment_intent, fraud_type: 'misc' });

    expect(await warningOf(payment_intent)).toMatchObject({ fraud_type: 'misc' });
  });

  it.each([
    ['refunded', (payment_intent: string) => stripe.refunds.create({ payment_intent })],
    ['disputed', (payment_intent: string) => post('/sandbox/disputes', { payment_intent })],
  ])('are not actionable once their charge is %s', async (_how, end) => {
    const payment_intent = await paidBy('pm_card_createIssuerFraudRecord');

    await end(payment_intent);

    await endpoint.received('radar.early_fraud_warning.updated');
    expect(await warningOf(payment_intent)).toMatchObject({ actionable: false });
  });
});
