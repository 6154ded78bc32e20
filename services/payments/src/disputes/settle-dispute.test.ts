import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient, waitFor } from '@lendtools/testing';
import { rejection, startTestPayments, type TestPayments } from '../../test/payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

const atBank = async (path: string, body: object = {}) =>
  (
    await httpClient(payments.sandbox.url).post(`/sandbox/disputes${path}`, {
      token: 'sk_test_payments',
      body,
    })
  ).body;

const dispute = async ({ intentId }: Bought, amount?: number): Promise<string> =>
  (await atBank('', { payment_intent: intentId, ...(amount && { amount }) })).id;

const publishedDisputes = ({ paymentId }: Bought) =>
  payments
    .published('PaymentDisputed', paymentId)
    .map(({ data }) => data as { state: string; disputedCents: number });

const disputePublished = (bought: Bought, state: string) =>
  waitFor(`the event: ${state}`, () =>
    publishedDisputes(bought).some((one) => one.state === state),
  );

const refundRowOf = async ({ paymentId }: Bought) => {
  const { rows } = await payments.pool.query('SELECT * FROM refunds WHERE payment_id = $1', [
    paymentId,
  ]);
  return rows[0];
};

const refundsOf = async ({ intentId }: Bought): Promise<number[]> => {
  const { refunds } = await payments.ledger();
  return refunds.filter((one) => one.payment_intent === intentId).map((one) => one.amount);
};

describe('a dispute', () => {
  it.each([
    ['won', 0],
    ['lost', 4200],
  ])(
    'is published once when it is opened and once when it is %s',
    async (outcome, disputedCents) => {
      await payments.fault({ point: 'webhook', kind: 'duplicate', count: 3 });
      const bought = await payments.buyAndPay();

      const id = await dispute(bought);
      await disputePublished(bought, 'open');
      await atBank(`/${id}/answer`);
      await atBank(`/${id}/close`, { outcome });
      await disputePublished(bought, outcome);

      expect(publishedDisputes(bought)).toEqual([
        expect.objectContaining({ disputeId: id, state: 'open', disputedCents: 4200 }),
        expect.objectContaining({ disputeId: id, state: outcome, disputedCents, dispute: outcome }),
      ]);
    },
  );

  it('postpones a refund until the dispute is won', async () => {
    const bought = await payments.buyAndPay();
    const id = await dispute(bought);
    await disputePublished(bought, 'open');
    await payments.broker.send(rejection(bought));
    await waitFor('the refund', async () => (await refundRowOf(bought))?.tries > 0);
    const before = await refundsOf(bought);

    await atBank(`/${id}/close`, { outcome: 'won' });

    await payments.broker.expectEvent(
      'PaymentRefunded',
      (one) => one.paymentId === bought.paymentId,
    );
    expect(before).toEqual([]);
    expect(await refundsOf(bought)).toEqual([4200]);
  });

  it('reduces a reserved refund by the cents that are lost', async () => {
    const bought = await payments.buyAndPay();
    const id = await dispute(bought, 3000);
    await disputePublished(bought, 'open');
    await payments.broker.send(rejection(bought));
    await waitFor('the refund', async () => (await refundRowOf(bought))?.tries > 0);

    await atBank(`/${id}/close`, { outcome: 'lost' });

    await waitFor(
      'a smaller refund',
      async () => (await refundRowOf(bought)).amount_cents === 1200,
    );
    await disputePublished(bought, 'lost');
    expect(await payments.row(bought.paymentId)).toMatchObject({
      lost_cents: 3000,
      held_cents: 0,
      reserved_cents: 1200,
    });
  });

  it('keeps the state from the later request to Stripe, even if the reply to an earlier request is stored last', async () => {
    const bought = await payments.buyAndPay();
    const id = await dispute(bought);
    await disputePublished(bought, 'open');
    await payments.pool.query(
      `UPDATE disputes SET state = 'won', requested_at = now() + interval '1 minute' WHERE dispute_id = $1`,
      [id],
    );

    await atBank(`/${id}/answer`);
    await atBank(`/${id}/close`, { outcome: 'lost' });
    await waitFor('the webhook', async () => {
      const { events, deliveries } = await payments.ledger();
      const closed = events.find(
        (one) => one.type === 'charge.dispute.closed' && one.data.object.id === id,
      );
      return deliveries.some((one) => one.event === closed?.id && one.delivered);
    });

    const { rows } = await payments.pool.query('SELECT state FROM disputes WHERE dispute_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ state: 'won' }]);
  });

  it('is found in the list of events if its webhooks are lost', async () => {
    const bought = await payments.buyAndPay();
    await payments.fault({ point: 'webhook', kind: 'drop', count: 2 });
    await dispute(bought);
    await waitFor('the lost webhooks', async () => (await payments.faultsLeft()) === 0);

    await payments.pool.query(
      `UPDATE reconciliations SET next_at = now() WHERE name = 'stripe-events'`,
    );

    await disputePublished(bought, 'open');
  });

  it("removes its payment from the user's succeeded payments", async () => {
    const { token, userId } = await payments.signIn();
    const { body } = await payments.api.post('/api/payment/create-payment-intent', {
      token,
      body: { amount: 4200 },
    });
    const intentId = String(body.clientSecret).split('_secret_')[0] as string;
    const bought = { token, userId, paymentId: body.paymentId, intentId };
    await payments.pay(intentId);
    await payments.confirm(bought);
    const list = () => payments.api.get(`/internal/users/${userId}/payments`, { token });
    const before = (await list()).body.payments;

    await atBank('', { payment_intent: intentId });

    await waitFor('an empty list', async () => (await list()).body.payments.length === 0);
    expect(before).toHaveLength(1);
  });
});
