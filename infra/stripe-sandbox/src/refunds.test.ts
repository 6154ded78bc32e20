import { describe, expect, it } from '@jest/globals';
import { createIntent, endpoint, sandbox, start, stripe, useSandbox } from '../test/sandbox.ts';

useSandbox();

describe('refunds', () => {
  it('refunds in parts, never more than was charged', async () => {
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
    'gives a refund to %s first the status %s, then %s with the event %s',
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

  it("changes a refund's status after a restart too, and completes the retry of a failed one", async () => {
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
