import { describe, expect, it } from '@jest/globals';
import {
  createIntent,
  endpoint,
  post,
  sandbox,
  start,
  stripe,
  useSandbox,
} from '../test/sandbox.ts';

useSandbox();

describe('refunds', () => {
  it('can be partial, and never exceed the charge', async () => {
    const intent = await createIntent();
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });

    const first = await stripe.refunds.create({ payment_intent: intent.id, amount: 1200 });
    const tooMuch = stripe.refunds.create({ payment_intent: intent.id, amount: 3001 });

    await expect(tooMuch).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('greater than unrefunded'),
    });
    const rest = await stripe.refunds.create({ payment_intent: intent.id });
    expect([first.amount, rest.amount, rest.status]).toEqual([1200, 3000, 'succeeded']);
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    const listed = await stripe.refunds.list({ payment_intent: intent.id });
    expect(listed.data.map((one) => one.id)).toEqual([rest.id, first.id]);
    expect(await stripe.charges.retrieve(String(rest.charge))).toMatchObject({
      refunded: true,
      amount_refunded: 4200,
    });
  });
});

describe('refunds that change their status later', () => {
  it.each([
    ['pm_card_pendingRefund', 'pending', 'succeeded', 'refund.updated', 4200],
    ['pm_card_refundFail', 'succeeded', 'failed', 'refund.failed', 0],
    ['pm_card_pendingRefundFail', 'pending', 'failed', 'refund.failed', 0],
  ])(
    'to the card %s have first the status %s, then %s with the event %s',
    async (card, first, later, event, left) => {
      const intent = await createIntent();
      await stripe.paymentIntents.confirm(intent.id, { payment_method: card });

      const refund = await stripe.refunds.create({ payment_intent: intent.id });
      await endpoint.received(event);

      expect(refund.status).toBe(first);
      expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
        status: later,
        ...(later === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
      });
      expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({
        amount_refunded: left,
      });
    },
  );

  it('change to the final status even after a restart; the retry of a failed refund succeeds', async () => {
    const intent = await createIntent();
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_refundFail' });
    await stripe.refunds.create({ payment_intent: intent.id });
    await sandbox.close();

    await start();
    await endpoint.received('refund.failed');
    const second = await stripe.refunds.create({ payment_intent: intent.id });
    await sandbox.close();
    await start();
    const next = await createIntent();
    await stripe.paymentIntents.confirm(next.id, { payment_method: 'pm_card_pendingRefund' });
    await stripe.refunds.create({ payment_intent: next.id });
    await endpoint.received('refund.updated', next.id);

    expect(await stripe.refunds.retrieve(second.id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('refunds that wait for the balance', () => {
  /** The fee of a charge alone makes the balance too low to refund it in full. */
  async function payAndRefund(card?: string) {
    return stripe.refunds.create({ payment_intent: await pay(card) });
  }

  async function pay(payment_method = 'pm_card_visa') {
    const { id } = await createIntent();
    await stripe.paymentIntents.confirm(id, { payment_method });
    return id;
  }

  it('are created only while refunds_wait is on', async () => {
    const before = await payAndRefund();
    await post('/sandbox/balance', { refunds_wait: true });
    const during = await payAndRefund();
    await post('/sandbox/balance', { refunds_wait: false });
    const after = await payAndRefund();

    const statuses = [before, during, after].map((one) => one.status);
    expect(statuses).toEqual(['succeeded', 'pending', 'succeeded']);
  });

  it('are pending without a balance transaction, and succeed once the balance covers them', async () => {
    await post('/sandbox/balance', { refunds_wait: true });

    const refund = await payAndRefund();
    const before = await stripe.balance.retrieve();
    await pay();
    await endpoint.received('refund.updated', String(refund.payment_intent));

    expect(refund).toMatchObject({
      balance_transaction: null,
      pending_reason: 'insufficient_funds',
      status: 'pending',
    });
    expect(before.available).toMatchObject([{ amount: 4048 }]);
    const made = await stripe.refunds.retrieve(refund.id, { expand: ['balance_transaction'] });
    expect(made).toMatchObject({ status: 'succeeded', balance_transaction: { amount: -4200 } });
    expect(made.pending_reason).toBeUndefined();
    const after = await stripe.balance.retrieve();
    expect(after.available).toMatchObject([{ amount: 4048 * 2 - 4200 }]);
  });

  it('do not wait if the available balance covers them', async () => {
    await post('/sandbox/balance', { refunds_wait: true });
    await pay();

    expect(await payAndRefund()).toMatchObject({ status: 'succeeded' });
  });

  it('count only available money, and go on waiting after a restart', async () => {
    await sandbox.close();
    await start({ fundsDelaySeconds: 3600 });
    await post('/sandbox/balance', { refunds_wait: true });
    await pay();
    const refund = await payAndRefund();
    await sandbox.close();

    await start();
    const restarted = await stripe.refunds.retrieve(refund.id);
    await pay();
    await pay();
    await endpoint.received('refund.updated', String(refund.payment_intent));

    expect([refund.status, restarted.status]).toEqual(['pending', 'pending']);
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
  });

  it('then fail as their card does', async () => {
    await post('/sandbox/balance', { refunds_wait: true });
    const refund = await payAndRefund('pm_card_pendingRefundFail');

    await pay();
    await endpoint.received('refund.failed');

    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' });
    const failed = await stripe.refunds.retrieve(refund.id);
    expect(failed).toMatchObject({
      failure_reason: 'expired_or_canceled_card',
      status: 'failed',
    });
    expect(failed.failure_balance_transaction).toMatch(/^txn_/);
  });

  it('fail if their charge is disputed, and take no money', async () => {
    await post('/sandbox/balance', { refunds_wait: true });
    const { charge, id } = await payAndRefund();

    await post('/sandbox/disputes', { charge });
    await endpoint.received('refund.failed');
    await endpoint.received('charge.dispute.funds_withdrawn');

    const failed = await stripe.refunds.retrieve(id);
    expect(failed).toMatchObject({
      balance_transaction: null,
      failure_reason: 'charge_for_pending_refund_disputed',
      status: 'failed',
    });
    expect(failed.pending_reason).toBeUndefined();
    expect(await stripe.charges.retrieve(String(charge))).toMatchObject({
      amount_refunded: 0,
      disputed: true,
      refunded: false,
    });
  });
});
