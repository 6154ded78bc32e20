import { describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import {
  authenticate,
  createIntent,
  endpoint,
  fault,
  post,
  sandbox,
  start,
  stripe,
  useSandbox,
} from '../test/sandbox.ts';

useSandbox();

async function authorize(card = 'pm_card_visa'): Promise<Stripe.PaymentIntent> {
  const intent = await createIntent({ capture_method: 'manual' });
  return stripe.paymentIntents.confirm(intent.id, { payment_method: card });
}

function chargeOf(intent: Stripe.PaymentIntent) {
  return stripe.charges.retrieve(String(intent.latest_charge));
}

function received(): string[] {
  return endpoint.events.map(({ type }) => type).sort();
}

describe('authorizations', () => {
  it('take no money before they are captured, which is possible only once', async () => {
    const authorized = await authorize();
    const before = await chargeOf(authorized);

    const captured = await stripe.paymentIntents.capture(authorized.id);
    const again = stripe.paymentIntents.capture(authorized.id);

    expect(authorized).toMatchObject({
      status: 'requires_capture',
      amount_capturable: 4200,
      amount_received: 0,
    });
    expect(before).toMatchObject({ paid: true, captured: false, amount_captured: 0 });
    expect(captured).toMatchObject({
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: 4200,
    });
    await expect(again).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(await chargeOf(captured)).toMatchObject({ captured: true, amount_captured: 4200 });
    await endpoint.received('payment_intent.succeeded');
    await endpoint.received('charge.captured');
    expect(received()).toEqual([
      'charge.captured',
      'charge.succeeded',
      'payment_intent.amount_capturable_updated',
      'payment_intent.created',
      'payment_intent.succeeded',
    ]);
  });

  it('release the uncaptured part after a partial capture, and allow refunds only of the captured part', async () => {
    const authorized = await authorize();

    const captured = await stripe.paymentIntents.capture(authorized.id, {
      amount_to_capture: 1200,
    });
    const tooMuch = await stripe.refunds
      .create({ payment_intent: authorized.id, amount: 1201 })
      .catch((error) => error);

    expect(captured).toMatchObject({ status: 'succeeded', amount: 4200, amount_received: 1200 });
    expect(await chargeOf(captured)).toMatchObject({ amount_captured: 1200, amount_refunded: 0 });
    expect(tooMuch).toMatchObject({ statusCode: 400 });
    const refund = await stripe.refunds.create({ payment_intent: authorized.id });
    expect(refund.amount).toBe(1200);
  });

  it.each([4201, 0, 0.5])('reject a capture of %d cents', async (amount_to_capture) => {
    const authorized = await authorize();

    const rejected = stripe.paymentIntents.capture(authorized.id, { amount_to_capture });

    await expect(rejected).rejects.toMatchObject({ statusCode: 400, param: 'amount_to_capture' });
  });

  it('succeed after 3-D Secure, and fail for a declined card', async () => {
    const requested = await authorize('pm_card_authenticationRequired');

    const passed = await authenticate(requested, 'complete');
    const declined = authorize('pm_card_chargeDeclined');

    expect(passed).toMatchObject({ status: 'requires_capture', amount_capturable: 4200 });
    await expect(declined).rejects.toMatchObject({ type: 'StripeCardError' });
  });

  it('can be neither captured nor refunded once they are canceled or expired', async () => {
    const [canceled, expired] = [await authorize(), await authorize()];

    await stripe.paymentIntents.cancel(canceled.id);
    await post(`/sandbox/payment_intents/${expired.id}/expire`);

    expect(await stripe.paymentIntents.retrieve(canceled.id)).toMatchObject({
      status: 'canceled',
      amount_capturable: 0,
    });
    expect(await stripe.paymentIntents.retrieve(expired.id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
    });
    for (const { id } of [canceled, expired])
      await expect(stripe.paymentIntents.capture(id)).rejects.toMatchObject({
        code: 'payment_intent_unexpected_state',
        payment_intent: { status: 'canceled' },
      });
    expect((await stripe.refunds.list()).data).toEqual([]);
    await endpoint.received('charge.expired', expired.id);
  });

  it('stay open after a declined capture, and can then be canceled', async () => {
    const { id } = await authorize('pm_card_captureDeclined');

    await expect(stripe.paymentIntents.capture(id)).rejects.toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
    });

    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'requires_capture' });
    expect(await stripe.paymentIntents.cancel(id)).toMatchObject({ status: 'canceled' });
  });

  it('survive a restart, and are captured once despite a lost reply', async () => {
    const [lost, kept] = [await authorize(), await authorize()];
    await fault({ point: 'capture', kind: 'reset-after-effect', count: 1 });

    const captured = await stripe.paymentIntents.capture(lost.id, {}, { idempotencyKey: 'one' });
    await sandbox.close();
    await start();

    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 4200 });
    expect(await stripe.paymentIntents.retrieve(kept.id)).toMatchObject({
      status: 'requires_capture',
      amount_capturable: 4200,
    });
    expect(await stripe.paymentIntents.capture(kept.id)).toMatchObject({ status: 'succeeded' });
  });
});
