import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

interface User {
  userId: string;
  token: string;
}

const visa = '4242424242424242';

/** What the browser does with the card form of a renter who saves the card. */
const enterCard = async (number = visa): Promise<string> => {
  const card = { number, exp_month: 12, exp_year: 2034, cvc: '123' };
  const method = { type: 'card', card, allow_redisplay: 'always' } as const;
  return (await payments.stripe.paymentMethods.create(method)).id;
};

/** Starts a payment of a hold, or another attempt of it. */
const start = (
  { userId, token }: User,
  {
    onRequest = false,
    ...choice
  }: { cardId?: string; saveCard?: boolean; onRequest?: boolean } = {},
  holdId = crypto.randomUUID(),
) => {
  payments.holds.set(holdId, { userId, amountCents: 4200, onRequest });
  const body = { amount: 4200, holdId, ...choice };
  return payments.api.post('/api/payment/create-payment-intent', { token, body });
};

const intentIdOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] as string;

/** Confirms an intent with the publishable key, as the browser does. */
const confirm = async (clientSecret: string, payment_method: string) => {
  const path = `/v1/payment_intents/${intentIdOf(clientSecret)}/confirm`;
  const reply = await fetch(payments.sandbox.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${payments.publishableKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ client_secret: clientSecret, payment_method }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the body that it requested.
  return { status: reply.status, body: (await reply.json()) as any };
};

const saveCard = async (user: User, number?: string): Promise<string> => {
  const { body } = await start(user, { saveCard: true });
  const method = await enterCard(number);
  await confirm(body.clientSecret, method);
  return method;
};

const cardsOf = ({ userId, token }: User) =>
  payments.api.get(`/api/user/${userId}/cards`, { token });

const customerOf = async ({ userId }: User): Promise<string> => {
  const { rows } = await payments.pool.query(
    'SELECT customer_id FROM customers WHERE user_id = $1',
    [userId],
  );
  return rows[0].customer_id;
};

const customersAtStripe = async ({ userId }: User): Promise<string[]> => {
  const { customers } = await payments.ledger();
  return customers
    .filter((one) => one.metadata.userId === userId && !one.sandbox_deleted)
    .map(({ id }) => id);
};

const remove = ({ userId, token }: User, cardId: string) =>
  payments.api.delete(`/api/user/${userId}/cards/${cardId}`, { token });

describe('a saved card', () => {
  it('is saved by a payment with saveCard, is listed, and pays for the next hold', async () => {
    const user = await payments.signIn();
    const none = await cardsOf(user);
    const cardId = await saveCard(user);

    const listed = await cardsOf(user);
    const next = await start(user, { cardId });
    const paid = await confirm(next.body.clientSecret, cardId);

    expect(none).toMatchObject({ status: 200, body: { cards: [] } });
    expect(listed.body).toEqual({
      cards: [{ id: cardId, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 }],
    });
    expect(paid.body).toMatchObject({ status: 'succeeded' });
    const { rows } = await payments.pool.query('SELECT * FROM customers WHERE user_id = $1', [
      user.userId,
    ]);
    expect(Object.keys(rows[0])).toEqual(['user_id', 'customer_id', 'created_at']);
    expect((await cardsOf(user)).body.cards).toHaveLength(1);
  });

  it('can need 3-D Secure', async () => {
    const user = await payments.signIn();
    const { body } = await start(user, { saveCard: true });
    const cardId = await enterCard('4000002760003184');
    const authenticate = async (clientSecret: string) => {
      const waiting = await confirm(clientSecret, cardId);
      expect(waiting.body).toMatchObject({ status: 'requires_action' });
      return payments.passAuthentication(intentIdOf(clientSecret));
    };
    await authenticate(body.clientSecret);

    const next = await start(user, { cardId });
    await authenticate(next.body.clientSecret);

    const intentId = intentIdOf(next.body.clientSecret);
    expect(await payments.stripe.paymentIntents.retrieve(intentId)).toMatchObject({
      status: 'succeeded',
      payment_method: cardId,
    });
  });

  it('is saved only if the last attempt chose it', async () => {
    const user = await payments.signIn();
    const holdId = crypto.randomUUID();
    const first = await start(user, { saveCard: true }, holdId);
    await confirm(first.body.clientSecret, await enterCard('4000000000000002'));

    const again = await start(user, {}, holdId);
    const paid = await confirm(again.body.clientSecret, await enterCard());
    const other = await start(user);
    await confirm(other.body.clientSecret, await enterCard());

    expect(again.body).toEqual(first.body);
    expect(paid.body.status).toBe('succeeded');
    expect((await cardsOf(user)).body.cards).toEqual([]);
  });

  it('is saved by a payment that starts four times at once', async () => {
    const user = await payments.signIn();
    const holdId = crypto.randomUUID();
    await start(user, {}, holdId);

    const started = await Promise.all(
      Array.from({ length: 4 }, () => start(user, { saveCard: true }, holdId)),
    );
    await confirm(started[0]?.body.clientSecret, await enterCard());

    expect(started.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await cardsOf(user)).body.cards).toHaveLength(1);
  });

  it.each([false, true])(
    'is not saved by a payment that was paid before it chose so (booking on request: %p)',
    async (onRequest) => {
      const user = await payments.signIn();
      const holdId = crypto.randomUUID();
      const first = await start(user, { onRequest }, holdId);
      await confirm(first.body.clientSecret, await enterCard());

      const again = await start(user, { saveCard: true, onRequest }, holdId);

      expect(again).toMatchObject({ status: 201, body: first.body });
      expect((await cardsOf(user)).body.cards).toEqual([]);
    },
  );

  it('is listed once, and removed entirely, if it was saved twice', async () => {
    const user = await payments.signIn();
    const methods = [await saveCard(user), await saveCard(user)];
    const mastercard = await saveCard(user, '5555555555554444');
    const ids = async () => (await cardsOf(user)).body.cards.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual([mastercard, methods[1]]);

    const removed = await remove(user, methods[1] as string);

    expect(removed).toMatchObject({ status: 200, body: { message: 'The card is removed.' } });
    expect(await ids()).toEqual([mastercard]);
    for (const cardId of methods)
      expect(await start(user, { cardId })).toMatchObject({
        status: 404,
        body: { code: 'CARD_NOT_FOUND' },
      });
  });

  it('is detached by a list if its renter did not choose to save it', async () => {
    const user = await payments.signIn();
    const cardId = await saveCard(user);
    const customer = await customerOf(user);
    const hidden = await payments.stripe.paymentMethods.attach('pm_card_visa', { customer });

    const listed = await cardsOf(user);

    expect(listed.body.cards).toMatchObject([{ id: cardId }]);
    expect((await payments.stripe.paymentMethods.retrieve(hidden.id)).customer).toBeNull();
    expect((await payments.stripe.paymentMethods.retrieve(cardId)).customer).toBe(customer);
  });

  it('belongs to its renter alone: others can neither pay with it nor remove it', async () => {
    const [owner, thief] = [await payments.signIn(), await payments.signIn()];
    const cardId = await saveCard(owner);
    const ownCard = await saveCard(thief);
    const own = await start(thief, { cardId: ownCard });

    const replies = [
      await start(thief, { cardId }),
      await remove(thief, cardId),
      await remove(owner, 'pm_none'),
    ];
    const atStripe = await confirm(own.body.clientSecret, cardId);
    const listed = await payments.api.get(`/api/user/${owner.userId}/cards`, thief);

    for (const reply of replies)
      expect(reply).toMatchObject({
        status: 404,
        body: { code: 'CARD_NOT_FOUND', errors: [{ path: 'cardId' }] },
      });
    expect(atStripe.status).toBe(400);
    expect(listed).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await cardsOf(owner)).body.cards).toMatchObject([{ id: cardId }]);
  });

  it('creates one customer when two payments start at once', async () => {
    const user = await payments.signIn();

    const started = await Promise.all([
      start(user, { saveCard: true }),
      start(user, { saveCard: true }),
    ]);
    for (const { body } of started) await confirm(body.clientSecret, await enterCard());

    expect((await cardsOf(user)).body.cards).toHaveLength(1);
    expect(await customersAtStripe(user)).toEqual([await customerOf(user)]);
  });

  it('is gone once its customer was deleted in the dashboard, and the next one is saved', async () => {
    const user = await payments.signIn();
    await saveCard(user);
    await payments.stripe.customers.del(await customerOf(user));

    const before = await cardsOf(user);
    const cardId = await saveCard(user);

    expect(before).toMatchObject({ status: 200, body: { cards: [] } });
    expect((await cardsOf(user)).body.cards).toMatchObject([{ id: cardId }]);
  });

  it('is not saved by a payment whose customer was deleted between two attempts', async () => {
    const user = await payments.signIn();
    const holdId = crypto.randomUUID();
    await start(user, { saveCard: true }, holdId);
    await payments.stripe.customers.del(await customerOf(user));

    const again = await start(user, { saveCard: true }, holdId);
    const paid = await confirm(again.body.clientSecret, await enterCard());

    expect(again.status).toBe(201);
    expect(paid.body).toMatchObject({ status: 'succeeded', setup_future_usage: null });
    expect((await cardsOf(user)).body.cards).toEqual([]);
    const cardId = await saveCard(user);
    expect((await cardsOf(user)).body.cards).toMatchObject([{ id: cardId }]);
  });

  it('can’t pay with the card of a later customer, but with a new card', async () => {
    const user = await payments.signIn();
    const holdId = crypto.randomUUID();
    await start(user, { saveCard: true }, holdId);
    await payments.stripe.customers.del(await customerOf(user));
    const cardId = await saveCard(user);

    const withSaved = await start(user, { cardId }, holdId);
    const withNew = await start(user, { saveCard: true }, holdId);
    const paid = await confirm(withNew.body.clientSecret, await enterCard('5555555555554444'));

    expect(withSaved).toMatchObject({ status: 404, body: { code: 'CARD_NOT_FOUND' } });
    expect(withNew.status).toBe(201);
    expect(paid.body).toMatchObject({ status: 'succeeded', setup_future_usage: null });
    expect((await cardsOf(user)).body.cards).toMatchObject([{ id: cardId }]);
  });

  it('is listed with 503 while Stripe is unavailable', async () => {
    const user = await payments.signIn();
    await saveCard(user);
    await payments.fault({ point: 'list', kind: 'error-500-before-effect', count: 1_000 });

    const failed = await cardsOf(user);
    await payments.clearFaults();

    expect(failed).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } });
    expect((await cardsOf(user)).status).toBe(200);
  });
});
