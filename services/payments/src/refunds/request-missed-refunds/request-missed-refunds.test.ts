import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, inTransaction } from '@lendtools/service-kit';
import { metricIn, waitFor } from '@lendtools/testing';
import type Stripe from 'stripe';
import { rejection, startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { settleRefund } from '../settle-refund.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
});
afterAll(() => payments.stop());

const reconcileNow = () => payments.pool.query('UPDATE reconciliations SET next_at = now()');

const refunded = (paymentId: string) =>
  waitFor('PaymentRefunded', () => payments.published('PaymentRefunded', paymentId)[0]);

const reachedAt = async (): Promise<Date> =>
  (await payments.pool.query(`SELECT reached_at FROM reconciliations WHERE name = 'refunds'`))
    .rows[0].reached_at;

const refundsOf = async (intentId: string): Promise<number[]> => {
  const { refunds } = await payments.ledger();
  return refunds.filter((one) => one.payment_intent === intentId).map((one) => one.amount);
};

const countRequested = async (): Promise<number> => {
  const { body } = await payments.api.get('/metrics');
  return metricIn(body, 'missed_refunds_requested_total');
};

const owe = ({ data }: ReturnType<typeof rejection>) =>
  payments.refundsOwed.push({ ...data, bookingId: null, grantId: null });

/** Otherwise the ledger may read the refund when it first follows the payment. */
const buyAndFollow = async () => {
  const bought = await payments.buyAndPay();
  await payments.hasBalances(bought.paymentId, { card: -4200, unallocated: 4200 });
  await payments.followed(bought.paymentId);
  return bought;
};

describe('a refund whose event is lost', () => {
  it('is sent only once on two replicas, and counted', async () => {
    const before = await countRequested();
    const bought = await buyAndFollow();
    owe(rejection(bought));

    await reconcileNow();

    const { data } = await refunded(bought.paymentId);
    expect(data).toMatchObject({ refundCents: 4200, reason: 'slot-lost', toolNames: ['Drill'] });
    await reconcileNow();
    await payments.broker.send(rejection(bought));
    const other = await buyAndFollow();
    owe(rejection(other));
    await reconcileNow();
    await refunded(other.paymentId);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
    expect(await countRequested()).toBe(before + 2);
  });

  it('is sent once if its event arrives during the reconciliation', async () => {
    const bought = await payments.buyAndPay();

    await Promise.all([payments.broker.send(rejection(bought)), reconcileNow()]);

    await refunded(bought.paymentId);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
  });

  it('does not stop other refunds if it fails, and is the first of the next run', async () => {
    const [broken, bought] = [await payments.buyAndPay(), await payments.buyAndPay()];
    const before = await reachedAt();
    await payments.pool.query(`UPDATE payments SET intent_id = 'pi_' || id WHERE id = $1`, [
      broken.paymentId,
    ]);
    owe(rejection(broken));
    owe(rejection(bought));

    await reconcileNow();

    await refunded(bought.paymentId);
    expect(await refundsOf(broken.intentId)).toEqual([]);
    expect(await reachedAt()).toEqual(before);
    payments.refundsOwed.splice(0);
    await reconcileNow();
    await waitFor('a complete pass', async () => (await reachedAt()) > before);
  });

  it('is sent after an outage of the bookings service', async () => {
    const bought = await payments.buyAndPay();
    owe(rejection(bought));
    payments.bookingsOutage.requests = 1;

    await reconcileNow();
    await waitFor('the question', () => payments.bookingsOutage.requests <= 0);
    await reconcileNow();

    await refunded(bought.paymentId);
  });
});

describe('GET /internal/payments', () => {
  const list = (token: string | undefined) =>
    payments.api.get('/internal/payments?since=2020-01-01T00:00:00Z', { token });

  it('lists succeeded payments that have no refunds, and rejects callers without the internal secret', async () => {
    const [kept, given] = [await payments.buyAndPay(), await payments.buyAndPay()];
    await payments.broker.send(rejection(given));
    await refunded(given.paymentId);
    await payments.pool.query(
      `UPDATE payments SET succeeded_at = succeeded_at - interval '3 minutes' WHERE id = ANY($1)`,
      [[kept.paymentId, given.paymentId]],
    );

    const { body } = await list(payments.env.INTERNAL_SECRET);

    const [event] = payments.published('PaymentSucceeded', kept.paymentId);
    const found = body.items.filter((item: { paymentId: string }) =>
      [kept.paymentId, given.paymentId].includes(item.paymentId),
    );
    expect(found).toEqual([{ ...event?.data, succeededAt: expect.any(String), mayBeBooked: true }]);
    const strangers = [undefined, kept.token, await payments.accounts.sign({ role: 'Admin' })];
    const replies = await Promise.all(strangers.map(list));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('lists a payment that changed at Stripe with the time of the change and whether it may be booked', async () => {
    const [part, all] = [await payments.buyAndPay(), await payments.buyAndPay()];
    const ids = [part.paymentId, all.paymentId];
    await payments.pool.query(
      `UPDATE payments SET succeeded_at = succeeded_at - interval '1 day' WHERE id = ANY($1)`,
      [ids],
    );
    for (const [bought, amount] of [
      [part, 1200],
      [all, 4200],
    ] as const)
      await inTransaction(payments.pool, (tx) =>
        settleRefund(
          tx,
          {
            id: `re_${bought.paymentId}`,
            amount,
            status: 'succeeded',
            metadata: {},
            payment_intent: bought.intentId,
          } as unknown as Stripe.Refund,
          createLogger('test', 'silent'),
        ),
      );
    const since = new Date(Date.now() - 10 * 60_000).toISOString();
    await payments.pool.query(
      `UPDATE payments SET stripe_changed_at = stripe_changed_at - interval '3 minutes' WHERE id = ANY($1)`,
      [ids],
    );

    const { body } = await payments.api.get(`/internal/payments?since=${since}`, {
      token: payments.env.INTERNAL_SECRET,
    });

    const listed = ids.map((id) =>
      body.items.find((item: { paymentId: string }) => item.paymentId === id),
    );
    const sums = { disputedCents: 0, heldCents: 0, dispute: null };
    expect(listed).toEqual([
      expect.objectContaining({
        mayBeBooked: true,
        atStripe: { version: 3, outsideCents: 1200, ...sums },
      }),
      expect.objectContaining({
        mayBeBooked: false,
        atStripe: { version: 3, outsideCents: 4200, ...sums },
      }),
    ]);
  });
});
