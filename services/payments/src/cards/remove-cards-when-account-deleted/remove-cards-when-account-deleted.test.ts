import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

const queue = 'payments.remove-cards-when-account-deleted';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

const deletion = (userId: string) =>
  newEvent('AccountDeleted', { id: userId, version: 9 }, { userId });

const customerOf = async (userId: string): Promise<string | undefined> => {
  const { rows } = await payments.pool.query(
    'SELECT customer_id FROM customers WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.customer_id;
};

/** A renter with a saved card, and Stripe's ids of the customer and the card. */
const saveCard = async () => {
  const { userId, token } = await payments.signIn();
  const holdId = randomUUID();
  payments.holds.set(holdId, { userId, amountCents: 4200 });
  const { body } = await payments.api.post('/api/payment/create-payment-intent', {
    token,
    body: { amount: 4200, holdId, saveCard: true },
  });
  const paid = await payments.pay(String(body.clientSecret).split('_secret_')[0] as string);
  return {
    userId,
    customer: (await customerOf(userId)) as string,
    card: String(paid.payment_method),
  };
};

const gone = (userId: string) =>
  waitFor('the cards to be removed', async () => (await customerOf(userId)) === undefined);

describe(queue, () => {
  it('deletes the customer at Stripe with its cards, and forgets it', async () => {
    const [saved, other] = [await saveCard(), await saveCard()];

    await payments.broker.send(deletion(saved.userId));
    await gone(saved.userId);

    await expect(payments.stripe.customers.retrieve(saved.customer)).rejects.toMatchObject({
      code: 'resource_missing',
    });
    const { customer } = await payments.stripe.paymentMethods.retrieve(saved.card);
    expect(customer).toBeNull();
    expect(await customerOf(other.userId)).toBe(other.customer);
  });

  it('ignores a duplicate, users without cards, and a customer that is gone at Stripe', async () => {
    const [saved, lost] = [await saveCard(), await saveCard()];
    await payments.stripe.customers.del(lost.customer);
    const event = deletion(saved.userId);

    for (const one of [event, event, deletion(randomUUID()), deletion(lost.userId)])
      await payments.broker.send(one);

    await gone(saved.userId);
    await gone(lost.userId);
    expect(await payments.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters a poison message', async () => {
    await payments.broker.sendRaw(queue, '{}');

    await waitFor('a dead letter', async () => (await payments.broker.countDead(queue)) === 1);
  });

  it('retries after a failure at Stripe', async () => {
    const saved = await saveCard();
    await payments.fault({ point: 'customer', kind: 'error-500-before-effect', count: 4 });

    await payments.broker.send(deletion(saved.userId));

    await gone(saved.userId);
    expect(await payments.faultsLeft()).toBe(0);
  });
});
