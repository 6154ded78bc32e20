import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, createPool, inTransaction } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import type Stripe from 'stripe';
import {
  cancellation,
  rejection,
  startTestPayments,
  type TestPayments,
} from '../../test/payments-service.ts';
import { settleDispute } from '../disputes/settle-dispute.ts';
import { applyStripeEvent } from '../stripe-events/apply-stripe-event.ts';
import { settleRefund } from './settle-refund.ts';

// Refunds and disputes at Stripe are faked, because a bank takes weeks for them. Our own refunds go to the sandbox.
let payments: TestPayments;
const logger = createLogger('test', 'silent');
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

/** Applies a refund read from Stripe. Without `refundKey`, it counts as an outside refund. */
const showRefund = (
  { intentId }: Bought,
  seen: { id: string; amount: number; status?: string; refundKey?: string },
) => {
  const { refundKey, ...refund } = { status: 'succeeded', ...seen };
  const metadata = refundKey ? { refundKey } : {};
  const shown = { ...refund, metadata, payment_intent: intentId } as unknown as Stripe.Refund;
  return inTransaction(payments.pool, (tx) => settleRefund(tx, shown, logger));
};

const showDispute = (
  { intentId }: Bought,
  seen: { id: string; amount: number; status: 'needs_response' | 'won' | 'lost' },
) => {
  const evidence_details = { due_by: null };
  const dispute = { ...seen, reason: 'general', payment_intent: intentId, evidence_details };
  const shown = dispute as unknown as Stripe.Dispute;
  return inTransaction(payments.pool, (tx) =>
    settleDispute(tx, shown, { requestedAt: new Date(), logger }),
  );
};

const cancel = (bought: Bought, refundCents: number) => {
  const event = cancellation(bought, refundCents);
  return { event, key: `refund:${bought.paymentId}:${event.data.bookingId}` };
};

const refundRowsOf = async ({ paymentId }: Bought) =>
  (
    await payments.pool.query(
      `SELECT key, amount_cents AS cents, status FROM refunds WHERE payment_id = $1 ORDER BY created_at`,
      [paymentId],
    )
  ).rows;

const reserved = (bought: Bought, count: number) =>
  waitFor('the refunds', async () => (await refundRowsOf(bought)).length === count);

const publishedRefundsOf = ({ paymentId }: Bought): number[] =>
  payments
    .published('PaymentRefunded', paymentId)
    .map(({ data }) => (data as { refundCents: number }).refundCents);

const sentRefundsOf = async ({ intentId }: Bought): Promise<number[]> => {
  const { refunds } = await payments.ledger();
  return refunds.filter((one) => one.payment_intent === intentId).map((one) => one.amount);
};

describe('a withdrawn refund', () => {
  it("is reserved again once the dashboard's refund has failed", async () => {
    const bought = await payments.buyAndPay();
    await showRefund(bought, { id: 're_hand', amount: 1200 });
    await payments.broker.send(rejection(bought));
    await waitFor('the rest', () => publishedRefundsOf(bought).length === 1);

    await showRefund(bought, { id: 're_hand', amount: 1200, status: 'failed' });
    await showRefund(bought, { id: 're_hand', amount: 1200, status: 'failed' });

    await waitFor('all of it', () => publishedRefundsOf(bought).length === 2);
    expect(publishedRefundsOf(bought)).toEqual([3000, 1200]);
    expect(await sentRefundsOf(bought)).toEqual([3000, 1200]);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      outside_cents: 0,
      reserved_cents: 4200,
      refunded_cents: 4200,
    });
  });

  it('is reserved again each time a lost dispute is won after all', async () => {
    const bought = await payments.buyAndPay();
    const dispute = { id: `du_${bought.paymentId}`, amount: 4200 };
    await showDispute(bought, { ...dispute, status: 'needs_response' });
    await payments.broker.send(rejection(bought));
    await reserved(bought, 1);
    for (const status of ['lost', 'needs_response', 'lost'] as const)
      await showDispute(bought, { ...dispute, status });
    const before = await refundRowsOf(bought);

    await showDispute(bought, { ...dispute, status: 'won' });

    await waitFor('all of it', () => publishedRefundsOf(bought).length === 1);
    expect(before.map(({ status }) => status)).toEqual(['voided', 'voided']);
    expect(await sentRefundsOf(bought)).toEqual([4200]);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      reserved_cents: 4200,
      refunded_cents: 4200,
    });
  });
});

describe('a refund that Stripe processes while it is withdrawn', () => {
  /** Reserves two refunds. An open dispute of one cent keeps the job from sending them. */
  const reserveTwice = async (cents: [number, number]) => {
    const bought = await payments.buyAndPay();
    await showDispute(bought, {
      id: `du_${bought.paymentId}`,
      amount: 1,
      status: 'needs_response',
    });
    const orders = cents.map((refundCents) => cancel(bought, refundCents));
    for (const [n, { event }] of orders.entries()) {
      await payments.broker.send(event);
      await reserved(bought, n + 1);
    }
    return { bought, newest: orders[1]?.key as string };
  };

  it.each([
    ['shrunk', { cents: [1000, 2000], outside: 2200 }],
    ['voided', { cents: [1000, 1000], outside: 3200 }],
  ] as const)(
    'is counted with the amount that Stripe refunded, although it was %s meanwhile',
    async (_, { cents, outside }) => {
      const { bought, newest } = await reserveTwice([...cents]);
      await showRefund(bought, { id: `re_hand_${newest}`, amount: outside });

      await showRefund(bought, { id: `re_${newest}`, amount: cents[1], refundKey: newest });

      await waitFor('the event', () => publishedRefundsOf(bought).length === 1);
      expect(publishedRefundsOf(bought)).toEqual([cents[1]]);
      expect(await refundRowsOf(bought)).toEqual([
        expect.objectContaining({ status: 'voided' }),
        { key: newest, cents: cents[1], status: 'succeeded' },
      ]);
      expect(await payments.row(bought.paymentId)).toMatchObject({
        status: 'refunded',
        outside_cents: outside,
        reserved_cents: cents[1],
        refunded_cents: cents[1],
      });
    },
  );

  it('is not counted if it was voided and has failed', async () => {
    const { bought, newest } = await reserveTwice([1000, 1000]);
    await showRefund(bought, { id: `re_hand_${newest}`, amount: 3200 });

    await showRefund(bought, {
      id: `re_${newest}`,
      amount: 1000,
      refundKey: newest,
      status: 'failed',
    });

    expect(await refundRowsOf(bought)).toEqual([
      expect.objectContaining({ cents: 1000, status: 'pending' }),
      { key: newest, cents: 1000, status: 'voided' },
    ]);
  });
});

describe('a refund of an intent that no payment has yet', () => {
  it("is applied with one connection at a time, so that concurrent webhooks can't deadlock the pool", async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    const { id } = await payments.stripe.refunds.create({ payment_intent: bought.intentId });
    await payments.pool.query('UPDATE payments SET intent_id = NULL WHERE id = $1', [
      bought.paymentId,
    ]);
    const pool = createPool(payments.databaseUrl, logger, { max: 1 });
    const created = Date.now() / 1_000;
    const event = { id: `evt_${id}`, type: 'refund.created', created };

    const taken = applyStripeEvent(
      { pool, stripe: payments.stripe, logger },
      { ...event, data: { object: { object: 'refund', id, payment_intent: bought.intentId } } },
    ).finally(() => pool.end());

    await expect(taken).resolves.toBeDefined();
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      outside_cents: 4200,
    });
  });
});
