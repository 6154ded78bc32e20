import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { rejection, startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
});

afterEach(() => payments.clearFaults());
afterAll(() => payments.stop());

describe('sendRefund, for a slow bank', () => {
  it('publishes a pending refund only once it has succeeded', async () => {
    const bought = await payments.buyAndPay('pm_card_pendingRefund');

    await payments.broker.send(rejection(bought));

    await refundsPublished(bought.paymentId, 1);
    expect(await refundStatusesOf(bought.intentId)).toEqual(['succeeded']);
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'refunded' });
  });

  it('polls a pending refund whose webhook is lost', async () => {
    await payments.fault({ point: 'webhook', kind: 'drop', count: 100 });
    const bought = await payments.buyAndPay('pm_card_pendingRefund');
    await payments.broker.send(rejection(bought));
    await waitFor('the refund to be pending', async () => {
      const { status, refund_id } = await refundOf(bought.paymentId);
      return status === 'pending' && refund_id;
    });

    await waitFor('the next check', async () => {
      await makeDue(bought.paymentId);
      return payments.published('PaymentRefunded', bought.paymentId).length === 1;
    });

    expect(await refundStatusesOf(bought.intentId)).toEqual(['succeeded']);
  });

  it('never publishes a pending refund that fails, and does not count its money as refunded', async () => {
    const bought = await payments.buyAndPay('pm_card_pendingRefundFail');

    await payments.broker.send(rejection(bought));

    await failed(bought.paymentId);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'succeeded',
      reserved_cents: 4200,
      refunded_cents: 0,
    });
    expect(payments.published('PaymentRefunded', bought.paymentId)).toEqual([]);
  });

  it('counts a refund as owed again if it fails after it had succeeded', async () => {
    const bought = await payments.buyAndPay('pm_card_refundFail');

    await payments.broker.send(rejection(bought));

    await refundsPublished(bought.paymentId, 1);
    await failed(bought.paymentId);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'succeeded',
      reserved_cents: 4200,
      refunded_cents: 0,
    });
  });
});

describe('sendRefund, after a restore', () => {
  it('finds a refund that was sent before a restore, when Stripe has forgotten its key', async () => {
    const bought = await payments.buyAndPay();
    const { paymentId, intentId: payment_intent } = bought;
    await payments.fault({ point: 'webhook', kind: 'drop', count: 100 });
    const metadata = { paymentId, refundKey: `refund:${paymentId}` };
    await payments.stripe.refunds.create({ payment_intent, amount: 2000, metadata });

    await payments.broker.send(rejection(bought, 2000));

    await refundsPublished(paymentId, 1);
    expect(await refundStatusesOf(payment_intent)).toEqual(['succeeded']);
  });

  it('finds the refund even if a hundred newer refunds were made in Stripe’s dashboard', async () => {
    const bought = await payments.buyAndPay();
    const { paymentId, intentId: payment_intent } = bought;
    await payments.fault({ point: 'webhook', kind: 'drop', count: 200 });
    const metadata = { paymentId, refundKey: `refund:${paymentId}` };
    await payments.stripe.refunds.create({ payment_intent, amount: 2000, metadata });
    for (let i = 0; i < 100; i++)
      await payments.stripe.refunds.create({ payment_intent, amount: 1 });

    await payments.broker.send(rejection(bought, 2000));

    await refundsPublished(paymentId, 1);
    expect(await refundStatusesOf(payment_intent)).toHaveLength(101);
  });
});

describe('sendRefund, for a succeeded refund', () => {
  it('notices that a succeeded refund failed after all, if its webhook is lost', async () => {
    await payments.fault({ point: 'webhook', kind: 'drop', count: 100 });
    const bought = await payments.buyAndPay('pm_card_refundFail');
    await payments.broker.send(rejection(bought));
    await refundsPublished(bought.paymentId, 1);

    await waitFor('the next check', async () => {
      await makeDue(bought.paymentId);
      return (await refundOf(bought.paymentId)).status === 'failed';
    });

    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'succeeded',
      reserved_cents: 4200,
      refunded_cents: 0,
    });
  });

  it('checks a succeeded refund ever less often, and stops after a month', async () => {
    const bought = await payments.buyAndPay();
    await payments.broker.send(rejection(bought));
    await refundsPublished(bought.paymentId, 1);
    const waits = [await daysUntilNextTry(bought.paymentId)];

    for (const age of [0, 2, 16, 31]) {
      const { tries } = await refundOf(bought.paymentId);
      await payments.pool.query(
        `UPDATE refunds SET next_try_at = now(), finished_at = now() - $2 * interval '1 day'
         WHERE payment_id = $1`,
        [bought.paymentId, age],
      );
      await waitFor('a check', async () => (await refundOf(bought.paymentId)).tries > tries);
      waits.push(await daysUntilNextTry(bought.paymentId));
    }

    expect(waits).toEqual([1, 1, 2, 16, Infinity]);
    expect(await refundStatusesOf(bought.intentId)).toEqual(['succeeded']);
  });

  it('repeats the check of a succeeded refund an hour later after an outage of Stripe', async () => {
    const bought = await payments.buyAndPay();
    await payments.broker.send(rejection(bought));
    await refundsPublished(bought.paymentId, 1);
    await payments.followed(bought.paymentId);
    // The next reading of the ledger would take the faults.
    await payments.pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = 'infinity' WHERE key = 'follow-ledger:' || $1`,
      [bought.paymentId],
    );
    await payments.fault({ point: 'retrieve', kind: 'error-500-before-effect', count: 3 });

    await payments.pool.query(
      `UPDATE refunds SET next_try_at = now(), finished_at = now() - interval '31 days'
       WHERE payment_id = $1`,
      [bought.paymentId],
    );

    await waitFor('the check to be postponed', async () => {
      const { next_try_at } = await refundOf(bought.paymentId);
      return Math.round((next_try_at - Date.now()) / 60_000) === 60;
    });
    expect(await refundOf(bought.paymentId)).toMatchObject({ status: 'succeeded', error: null });
  });
});

describe('sendRefund, after a permanent failure', () => {
  it.each(['pm_card_pendingRefundFail', 'pm_card_refundFail'])(
    'retries a refund to %s a day later under a fresh key, and refunds once',
    async (card) => {
      const bought = await payments.buyAndPay(card);
      await payments.broker.send(rejection(bought));
      await failed(bought.paymentId);
      expect(await daysUntilNextTry(bought.paymentId)).toBe(1);

      await makeDue(bought.paymentId);

      await waitFor('the payment to be refunded', async () => {
        const { status } = await payments.row(bought.paymentId);
        return status === 'refunded';
      });
      expect(await refundStatusesOf(bought.intentId)).toEqual(['failed', 'succeeded']);
      expect(await refundOf(bought.paymentId)).toMatchObject({ status: 'succeeded', error: null });
      await refundsPublished(bought.paymentId, 1);
    },
  );

  it('waits longer after each refusal of a refund, and never stops retrying', async () => {
    const bought = await payments.buyAndPay();
    await payments.fault({ point: 'refund', kind: 'error-500-before-effect', count: 100 });
    await payments.broker.send(rejection(bought));
    await waitFor('the first try', async () => (await refundOf(bought.paymentId))?.error);
    await payments.pool.query(`UPDATE payments SET intent_id = 'pi_' || id WHERE id = $1`, [
      bought.paymentId,
    ]);
    await payments.clearFaults();
    const waits: number[] = [];

    for (const failures of [1, 2, 3, 4, 5, 6]) {
      // The job repeats each first try by itself two seconds later, because an outage may have caused the failure.
      await waitFor(
        `refusal ${failures}`,
        async () => (await refundOf(bought.paymentId))?.failures === failures,
      );
      waits.push(await daysUntilNextTry(bought.paymentId));
      await makeDue(bought.paymentId);
    }

    expect(waits).toEqual([1, 2, 4, 8, 16, 16]);
  });
});

const daysUntilNextTry = async (paymentId: string): Promise<number> => {
  const { next_try_at } = await refundOf(paymentId);
  return Math.round((next_try_at - Date.now()) / 86_400_000);
};

const refundOf = async (paymentId: string) =>
  (await payments.pool.query('SELECT * FROM refunds WHERE payment_id = $1', [paymentId])).rows[0];

const makeDue = (paymentId: string) =>
  payments.pool.query('UPDATE refunds SET next_try_at = now() WHERE payment_id = $1', [paymentId]);

const refundsPublished = (paymentId: string, times: number) =>
  waitFor(
    `${times} × PaymentRefunded`,
    () => payments.published('PaymentRefunded', paymentId).length === times,
  );

const failed = (paymentId: string) =>
  waitFor('the failure to be stored', async () => {
    const { status, error } = await refundOf(paymentId);
    return status === 'failed' && error === 'Stripe: failed, expired_or_canceled_card';
  });

/** The statuses of an intent's refunds at Stripe, oldest first. */
const refundStatusesOf = async (intentId: string): Promise<string[]> => {
  const { refunds } = await payments.ledger();
  return refunds.filter((one) => one.payment_intent === intentId).map((one) => one.status);
};
