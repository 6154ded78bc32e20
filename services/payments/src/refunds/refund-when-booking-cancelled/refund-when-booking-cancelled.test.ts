import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { failInserts } from '../../../test/database-failure.ts';
import {
  cancellation,
  startTestPayments,
  type TestPayments,
} from '../../../test/payments-service.ts';

const queue = 'payments.refund-when-booking-cancelled';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe(queue, () => {
  it("refunds each booking's part once, never more than was charged", async () => {
    const bought = await payments.buyAndPay();
    const [first, second] = [cancellation(bought, 1200), cancellation(bought, 3000)];

    for (const event of [first, second, first]) await payments.broker.send(event);

    await refunds(bought.paymentId, 2);
    expect((await refundsOf(bought.intentId)).sort()).toEqual([1200, 3000]);
    const published = payments
      .published('PaymentRefunded', bought.paymentId)
      .map((event) => event.data);
    expect(published).toContainEqual({
      paymentId: bought.paymentId,
      userId: bought.userId,
      holdId: bought.holdId,
      refundId: expect.any(String),
      refundCents: 1200,
      reason: 'cancelled',
      bookingId: first.data.bookingId,
      toolNames: [first.data.toolName],
    });
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      refunded_cents: 4200,
    });
  });

  it('refunds only what is left for a second cancellation that would exceed the charge', async () => {
    const bought = await payments.buyAndPay();
    await payments.broker.send(cancellation(bought, 4000));
    await refunds(bought.paymentId, 1);

    await payments.broker.send(cancellation(bought, 201));

    await refunds(bought.paymentId, 2);
    expect((await refundsOf(bought.intentId)).sort()).toEqual([200, 4000]);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      reserved_cents: 4200,
    });
  });

  it('refunds several payments in two concurrent cancellations without a deadlock', async () => {
    const { token, userId } = await payments.signIn();
    const paid = [await unassigned(token), await unassigned(token)];
    const parts = paid.map(({ paymentId }) => ({ paymentId, refundCents: 500 }));
    const bought = { paymentId: '', userId };

    await Promise.all([
      payments.broker.send(cancellation(bought, 0, parts)),
      payments.broker.send(cancellation(bought, 0, parts.toReversed())),
    ]);

    for (const { paymentId, intentId } of paid) {
      await refunds(paymentId, 2);
      expect(await refundsOf(intentId)).toEqual([500, 500]);
    }
  });

  it('refunds nothing for a cancellation that the bookings service does not confirm', async () => {
    const bought = await payments.buyAndPay();
    const before = await payments.broker.countDead(queue);

    await payments.broker.sendRaw(queue, JSON.stringify(cancellation(bought, 4200)));

    await waitFor(
      'a dead letter',
      async () => (await payments.broker.countDead(queue)) === before + 1,
    );
    expect(await refundsOf(bought.intentId)).toEqual([]);
  });

  it('dead-letters a poison message', async () => {
    const before = await payments.broker.countDead(queue);

    await payments.broker.sendRaw(queue, 'not an event');

    await waitFor(
      'a dead letter',
      async () => (await payments.broker.countDead(queue)) === before + 1,
    );
  });

  it('retries after a transient failure', async () => {
    const bought = await payments.buyAndPay();
    await failInserts(payments.pool, 'refunds', 2);

    await payments.broker.send(cancellation(bought, 4200));

    await refunds(bought.paymentId, 1);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
  });

  it('retries an event that arrives before the payment has succeeded', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    await payments.broker.send(cancellation(bought, 4200));

    await payments.confirm(bought);

    await refunds(bought.paymentId, 1);
  });
});

const unassigned = async (token: string) => {
  const reply = await payments.api.post('/api/payment/create-payment-intent', {
    token,
    body: { amount: 4200 },
  });
  const { paymentId, clientSecret } = reply.body;
  const intentId = String(clientSecret).split('_secret_')[0] as string;
  await payments.pay(intentId);
  await payments.confirm({ token, paymentId, intentId });
  return { paymentId: paymentId as string, intentId };
};

const refunds = (paymentId: string, count: number) => {
  return waitFor(
    `${count} × PaymentRefunded`,
    () => payments.published('PaymentRefunded', paymentId).length === count,
  );
};

const refundsOf = async (intentId: string): Promise<number[]> => {
  const { refunds: all } = await payments.ledger();
  return all.filter((one) => one.payment_intent === intentId).map((one) => one.amount);
};
