import { describe, expect, it } from '@jest/globals';
import { authenticate, createIntent, stripe, useSandbox } from '../test/sandbox.ts';

useSandbox();

describe('payment intents', () => {
  it('are charged with pm_card_visa, and reference the charge', async () => {
    const intent = await createIntent();

    const paid = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge'],
    });

    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 4200,
      latest_charge: {
        amount: 4200,
        status: 'succeeded',
        payment_method_details: { card: { last4: '4242' } },
      },
    });
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'Your card was declined.'],
    [
      'pm_card_chargeDeclinedInsufficientFunds',
      'card_declined',
      'Your card has insufficient funds.',
    ],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'Your card has expired.'],
    [
      'pm_card_chargeDeclinedIncorrectCvc',
      'incorrect_cvc',
      "Your card's security code is incorrect.",
    ],
  ])(
    'decline %s with Stripe’s code and message, then accept another card',
    async (card, code, message) => {
      const intent = await createIntent();

      const rejected = stripe.paymentIntents.confirm(intent.id, { payment_method: card });

      await expect(rejected).rejects.toMatchObject({
        type: 'StripeCardError',
        statusCode: 402,
        code,
        message,
      });
      expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
        status: 'requires_payment_method',
        last_payment_error: { code, message },
      });
      const paid = await stripe.paymentIntents.confirm(intent.id, {
        payment_method: 'pm_card_visa',
      });
      expect(paid.status).toBe('succeeded');
    },
  );

  it('wait for 3-D Secure, then are charged or fail as the cardholder chooses', async () => {
    const [good, bad] = [await createIntent(), await createIntent()];
    const waiting = await stripe.paymentIntents.confirm(good.id, {
      payment_method: 'pm_card_authenticationRequired',
    });
    await stripe.paymentIntents.confirm(bad.id, {
      payment_method: 'pm_card_threeDSecure2Required',
    });

    const done = await authenticate(good, 'complete');
    const undone = await authenticate(bad, 'fail');

    expect(waiting).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    });
    expect(done).toMatchObject({ status: 'succeeded' });
    expect(undone).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
  });

  it.each(['automatic', 'manual'] as const)(
    'with %s capture, use up a payment method, as at Stripe without a customer',
    async (capture_method) => {
      const [first, second] = [await createIntent({ capture_method }), await createIntent()];
      const card = { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' };
      const method = await stripe.paymentMethods.create({ type: 'card', card });
      await stripe.paymentIntents.confirm(first.id, { payment_method: method.id });

      const again = stripe.paymentIntents.confirm(second.id, { payment_method: method.id });

      await expect(again).rejects.toMatchObject({
        type: 'StripeInvalidRequestError',
        statusCode: 400,
        message: expect.stringMatching(/previously used .* It may not be used again/),
      });
    },
  );

  it('can be canceled while they are unpaid, and only once', async () => {
    const [unpaid, paid] = [await createIntent(), await createIntent()];
    await stripe.paymentIntents.confirm(paid.id, { payment_method: 'pm_card_visa' });

    const canceled = await stripe.paymentIntents.cancel(unpaid.id, {
      cancellation_reason: 'abandoned',
    });

    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    const code = 'payment_intent_unexpected_state';
    await expect(stripe.paymentIntents.cancel(paid.id)).rejects.toMatchObject({
      code,
      payment_intent: { status: 'succeeded' },
    });
    await expect(
      stripe.paymentIntents.confirm(unpaid.id, { payment_method: 'pm_card_visa' }),
    ).rejects.toMatchObject({ code });
    await expect(stripe.paymentIntents.confirm(paid.id)).rejects.toMatchObject({ code });
  });

  it('are listed in pages, the newest first', async () => {
    const made = [await createIntent(), await createIntent(), await createIntent()];

    const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 10 });

    expect(all.map((one) => one.id)).toEqual(made.map((one) => one.id).reverse());
  });

  it("are rejected if the amount is outside Stripe's limits", async () => {
    const small = stripe.paymentIntents.create({ amount: 49, currency: 'usd' });
    const huge = stripe.paymentIntents.create({ amount: 100_000_000, currency: 'usd' });

    await expect(small).rejects.toMatchObject({ statusCode: 400, code: 'amount_too_small' });
    await expect(huge).rejects.toMatchObject({ code: 'amount_too_large' });
    await expect(stripe.paymentIntents.retrieve('pi_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });
});
