import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import {
  createIntent,
  dataDir,
  endpoint,
  post,
  sandbox,
  start,
  stripe,
  useSandbox,
} from '../test/sandbox.ts';

useSandbox();

async function pay(
  payment_method = 'pm_card_visa',
  params?: Partial<Stripe.PaymentIntentCreateParams>,
) {
  const { id } = await createIntent(params);
  const intent = await stripe.paymentIntents.confirm(id, {
    payment_method,
    expand: ['latest_charge.balance_transaction'],
  });
  return intent.latest_charge as Stripe.Charge;
}

async function available(): Promise<number> {
  return (await stripe.balance.retrieve()).available[0]?.amount ?? Number.NaN;
}

describe('balance transactions', () => {
  it('add a charge less its fee of 2.9 % + 30 cents', async () => {
    const charge = await pay('pm_card_visa', { description: 'Ladder' });

    expect(charge.balance_transaction).toEqual({
      id: expect.stringMatching(/^txn_/),
      object: 'balance_transaction',
      amount: 4200,
      available_on: charge.created,
      balance_type: 'payments',
      created: charge.created,
      currency: 'usd',
      description: 'Ladder',
      exchange_rate: null,
      fee: 152,
      fee_details: [
        {
          amount: 152,
          application: null,
          currency: 'usd',
          description: 'Stripe processing fees',
          type: 'stripe_fee',
        },
      ],
      net: 4048,
      reporting_category: 'charge',
      source: charge.id,
      status: 'available',
      type: 'charge',
    });
    expect(await available()).toBe(4048);
  });

  it('add only the captured part of an authorization, when it is captured', async () => {
    const authorized = await pay('pm_card_visa', { capture_method: 'manual' });
    await stripe.paymentIntents.capture(String(authorized.payment_intent), {
      amount_to_capture: 1000,
    });

    expect(authorized.balance_transaction).toBeNull();
    const { data } = await stripe.balanceTransactions.list({ source: authorized.id });
    expect(data).toMatchObject([{ amount: 1000, fee: 59, net: 941 }]);
  });

  it.each(['automatic', 'manual'] as const)(
    'follow later for the card lateBalanceTransaction, with capture_method %s',
    async (capture_method) => {
      await sandbox.close();
      await start({ captureDelayMs: 3_600_000 });
      const { id, payment_intent } = await pay('pm_card_lateBalanceTransaction', {
        capture_method,
      });
      if (capture_method === 'manual') await stripe.paymentIntents.capture(String(payment_intent));

      const captured = await stripe.charges.retrieve(id);
      const before = await stripe.balance.retrieve();
      await sandbox.close();
      await start();
      await endpoint.received('charge.updated', String(payment_intent));

      expect(captured).toMatchObject({
        balance_transaction: null,
        captured: true,
        status: 'succeeded',
      });
      expect(before).toMatchObject({ available: [{ amount: 0 }], pending: [{ amount: 0 }] });
      const updated = endpoint.events.filter((event) => event.type === 'charge.updated');
      const recorded = await stripe.charges.retrieve(id, { expand: ['balance_transaction'] });
      expect(recorded.balance_transaction).toMatchObject({ amount: 4200, fee: 152, source: id });
      expect(updated.map((event) => event.data.object)).toEqual([
        await stripe.charges.retrieve(id),
      ]);
      expect(await available()).toBe(4048);
    },
  );

  it('that are late follow after a restart, and after a refund', async () => {
    await sandbox.close();
    await start({ captureDelayMs: 3_600_000 });
    const { id, payment_intent } = await pay('pm_card_lateBalanceTransaction');
    await stripe.refunds.create({ charge: id, amount: 1000 });
    const before = await available();
    await sandbox.close();

    await start();
    await endpoint.received('charge.updated', String(payment_intent));

    expect(before).toBe(-1000);
    expect(await available()).toBe(4048 - 1000);
    expect(await stripe.charges.retrieve(id)).toMatchObject({ amount_refunded: 1000 });
  });

  it('take a refund without a fee, and return it once the refund has failed', async () => {
    const charge = await pay('pm_card_refundFail');
    const before = await available();

    const refund = await stripe.refunds.create({
      charge: charge.id,
      expand: ['balance_transaction'],
    });
    const during = await available();
    await endpoint.received('refund.failed');

    expect(refund.balance_transaction).toMatchObject({
      amount: -4200,
      description: 'REFUND FOR CHARGE',
      fee: 0,
      fee_details: [],
      net: -4200,
      reporting_category: 'refund',
      source: refund.id,
      type: 'refund',
    });
    expect(during).toBe(before - 4200);
    const failed = await stripe.refunds.retrieve(refund.id, {
      expand: ['failure_balance_transaction'],
    });
    expect(failed.failure_balance_transaction).toMatchObject({
      amount: 4200,
      reporting_category: 'refund_failure',
      source: refund.id,
      type: 'refund_failure',
    });
    expect(await available()).toBe(before);
  });

  it('take a disputed charge with a fee of $15.00, and return only its amount when the dispute is won', async () => {
    const charge = await pay();
    const before = await available();
    const { id } = await post('/sandbox/disputes', { charge: charge.id });
    const during = await available();

    await post(`/sandbox/disputes/${id}/close`, { outcome: 'won' });

    expect(during).toBe(before - 4200 - 1500);
    expect(await available()).toBe(before - 1500);
    const [withdrawal, reinstatement] = (await stripe.disputes.retrieve(id)).balance_transactions;
    expect(withdrawal).toMatchObject({
      amount: -4200,
      description: `Chargeback withdrawal for ${charge.id}`,
      fee: 1500,
      fee_details: [{ amount: 1500, description: 'Dispute fee', type: 'stripe_fee' }],
      net: -5700,
      reporting_category: 'dispute',
      source: id,
      type: 'adjustment',
    });
    expect(reinstatement).toMatchObject({
      amount: 4200,
      fee: 0,
      reporting_category: 'dispute_reversal',
      type: 'adjustment',
    });
    const { id: movement } = withdrawal ?? { id: '' };
    expect(await stripe.balanceTransactions.retrieve(movement)).toEqual(withdrawal);
  });

  it('are listed in pages, the newest first, filtered and with their sources', async () => {
    const charge = await pay();
    await stripe.refunds.create({ charge: charge.id, amount: 1000 });
    await stripe.refunds.create({ charge: charge.id, amount: 2000 });

    const all = await stripe.balanceTransactions.list({ limit: 2 }).autoPagingToArray({ limit: 9 });
    const charges = await stripe.balanceTransactions.list({
      type: 'charge',
      created: { gte: charge.created },
      expand: ['data.source'],
    });
    const future = await stripe.balanceTransactions.list({ created: { gt: charge.created + 60 } });

    expect(all.map((one) => one.amount)).toEqual([-2000, -1000, 4200]);
    expect(charges.data).toMatchObject([{ source: { id: charge.id, object: 'charge' } }]);
    expect(future.data).toEqual([]);
    await expect(stripe.balanceTransactions.retrieve('txn_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such balance transaction: 'txn_none'",
    });
  });
});

describe('the balance', () => {
  it('keeps charges pending for FUNDS_DELAY_SECONDS, except those of the card bypassPending', async () => {
    await sandbox.close();
    await start({ fundsDelaySeconds: 3600 });

    const pending = await pay();
    await pay('pm_card_bypassPending');

    expect(pending.balance_transaction).toMatchObject({
      status: 'pending',
      available_on: pending.created + 3600,
    });
    expect(await stripe.balance.retrieve()).toEqual({
      object: 'balance',
      available: [{ amount: 4048, currency: 'usd', source_types: { card: 4048 } }],
      livemode: false,
      pending: [{ amount: 4048, currency: 'usd', source_types: { card: 4048 } }],
    });
  });

  it('leaves out the charges of an old ledger, which can still be refunded', async () => {
    const { id, payment_method } = await pay('pm_card_refundFail');
    const { balance_transaction, ...old } = await stripe.charges.retrieve(id);
    await sandbox.close();
    const line = {
      at: '2026-11-01T00:00:00.000Z',
      put: [{ ...old, id: 'ch_old', payment_method }],
    };
    appendFileSync(path.join(dataDir, 'ledger.jsonl'), `${JSON.stringify(line)}\n`);
    await start();

    const refund = await stripe.refunds.create({ charge: 'ch_old', amount: 1000 });
    await endpoint.received('refund.failed');

    expect(balance_transaction).toMatch(/^txn_/);
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed' });
    expect(await available()).toBe(4048);
  });
});
