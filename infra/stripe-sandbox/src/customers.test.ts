import { describe, expect, it } from '@jest/globals';
import { authenticate, browser, createIntent, stripe, useSandbox } from '../test/sandbox.ts';

useSandbox();

const visa = { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' };

async function createCustomer() {
  return (await stripe.customers.create({ metadata: { userId: 'u1' } })).id;
}

/** Pays with a new card, which is saved. Returns the payment method. */
async function saveCard(customer: string, card = visa): Promise<string> {
  const intent = await createIntent({ customer });
  const method = await stripe.paymentMethods.create({
    type: 'card',
    card,
    allow_redisplay: 'always',
  });
  await browser(`/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.client_secret,
    payment_method: method.id,
    setup_future_usage: 'on_session',
  });
  return method.id;
}

async function cardsOf(customer: string) {
  const which = { type: 'card', allow_redisplay: 'always' } as const;
  return (await stripe.customers.listPaymentMethods(customer, which)).data;
}

describe('a customer', () => {
  it('keeps a card that was saved for future payments, and pays with it again', async () => {
    const customer = await createCustomer();
    const method = await saveCard(customer);

    const paid = [];
    for (const capture_method of ['automatic', 'manual'] as const) {
      const intent = await createIntent({ customer, capture_method });
      paid.push(await stripe.paymentIntents.confirm(intent.id, { payment_method: method }));
    }

    expect(paid.map(({ status }) => status)).toEqual(['succeeded', 'requires_capture']);
    expect(await cardsOf(customer)).toMatchObject([
      { id: method, customer, card: { brand: 'visa', last4: '4242' } },
    ]);
  });

  it('saves a card with 3-D Secure only once it is authenticated', async () => {
    const customer = await createCustomer();
    const intent = await createIntent({ customer });
    const method = await stripe.paymentMethods.create({
      type: 'card',
      card: { ...visa, number: '4000002760003184' },
      allow_redisplay: 'always',
    });
    await stripe.paymentIntents.confirm(intent.id, {
      payment_method: method.id,
      setup_future_usage: 'on_session',
    });
    const before = await cardsOf(customer);

    await authenticate(intent, 'complete');

    expect(before).toEqual([]);
    expect(await cardsOf(customer)).toMatchObject([{ id: method.id }]);
  });

  it('does not save a card without setup_future_usage, or once it is unset', async () => {
    const customer = await createCustomer();
    const intent = await createIntent({ customer, setup_future_usage: 'on_session' });
    await stripe.paymentIntents.update(intent.id, { setup_future_usage: '' });

    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });

    expect(await cardsOf(customer)).toEqual([]);
  });

  it.each(['another customer', 'no customer'])(
    'does not lend a card to an intent of %s',
    async (whose) => {
      const method = await saveCard(await createCustomer());
      const other = whose === 'no customer' ? {} : { customer: await createCustomer() };
      const intent = await createIntent(other);

      const reply = await browser(`/v1/payment_intents/${intent.id}/confirm`, {
        client_secret: intent.client_secret,
        payment_method: method,
      });

      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { param: 'payment_method' } });
    },
  );

  it('loses a detached card, which can’t be used again', async () => {
    const customer = await createCustomer();
    const method = await saveCard(customer);

    await stripe.paymentMethods.detach(method);
    const intent = await createIntent({ customer });

    expect(await cardsOf(customer)).toEqual([]);
    await expect(
      stripe.paymentIntents.confirm(intent.id, { payment_method: method }),
    ).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.paymentMethods.attach(method, { customer })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  it('can’t be set on an intent again, not even if it is the same one', async () => {
    const customer = await createCustomer();
    const { id } = await createIntent({ customer });

    for (const other of [customer, await createCustomer()])
      await expect(stripe.paymentIntents.update(id, { customer: other })).rejects.toMatchObject({
        statusCode: 400,
        code: 'payment_intent_unexpected_state',
        payment_intent: { customer, status: 'requires_payment_method' },
      });
  });

  it('is shown as deleted by an intent that expands it', async () => {
    const customer = await createCustomer();
    const { id } = await createIntent({ customer });
    const read = async () =>
      (await stripe.paymentIntents.retrieve(id, { expand: ['customer'] })).customer;
    const before = await read();

    await stripe.customers.del(customer);

    expect(before).toMatchObject({ id: customer, metadata: { userId: 'u1' } });
    expect(await read()).toEqual({ id: customer, object: 'customer', deleted: true });
  });

  it('may be set on an intent later, and is gone with its cards once deleted', async () => {
    const customer = await createCustomer();
    const method = await saveCard(customer);
    const { id } = await createIntent();
    const updated = await stripe.paymentIntents.update(id, { customer });

    const deleted = await stripe.customers.del(customer);

    expect(updated.customer).toBe(customer);
    expect(deleted).toMatchObject({ deleted: true });
    await expect(cardsOf(customer)).rejects.toMatchObject({ code: 'resource_missing' });
    expect((await stripe.paymentMethods.retrieve(method)).customer).toBeNull();
  });
});
