import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpClient, type ServiceProcess, serviceProcess, waitFor } from '@lendtools/testing';
import {
  acceptance,
  cancellation,
  rejection,
  startTestWorld,
  type TestWorld,
} from './payments-service.ts';

// The process is killed at each point where money has moved or is reserved, but this is not yet stored or published.
let world: TestWorld;
let payments: ServiceProcess;

beforeAll(async () => {
  // Owners keep their money at Stripe, so that it can be taken back.
  world = await startTestWorld({ payoutDelayMs: 3_600_000 });
  payments = await serviceProcess(new URL('../src/main.ts', import.meta.url), world.env);
  world.sandbox.sendWebhooksTo(`${payments.url}/api/payment/webhook`);
});

beforeEach(() => payments.start());

afterEach(async () => {
  // An event that is not marked as published would be published again and trigger the next test's fault too early.
  await world.pool.query('UPDATE outbox_messages SET published_at = now()');
});

afterAll(async () => {
  await payments.stop();
  await world.stop();
});

describe('the payments service killed with SIGKILL', () => {
  it.each(['payments.beforeStripeCreate', 'payments.afterStripeCreate'])(
    'creates one intent for a hold when killed at %s and retried',
    async (fault) => {
      await payments.arm(fault);
      const purchase = await newPurchase();
      await purchase.create().catch(() => {});
      await payments.killed();

      await payments.start();
      const reply = await purchase.create();

      expect(reply.status).toBe(201);
      const made = (await world.ledger()).paymentIntents.filter(
        (one) => one.metadata.holdId === purchase.holdId,
      );
      expect(made).toHaveLength(1);
    },
  );

  it('creates one account for an owner when killed at payments.afterAccountCreate and retried', async () => {
    await payments.arm('payments.afterAccountCreate');
    const userId = randomUUID();
    const token = await world.accounts.sign({ userId });
    const link = () =>
      httpClient(payments.url).post(`/api/user/${userId}/payout-account/link`, { token });
    await link().catch(() => {});
    await payments.killed();

    await payments.start();
    const reply = await link();

    expect(reply.status).toBe(201);
    const made = (await world.ledger()).accounts.filter(
      ({ metadata }) => metadata.ownerId === userId,
    );
    expect(made).toHaveLength(1);
  });

  it.each([
    'payments.beforeSettleCommit',
    'payments.afterWebhookCommit',
    'relay.afterPublish',
    'relay.afterConfirm',
  ])('publishes one PaymentSucceeded when killed at %s', async (fault) => {
    const purchase = await newPurchase();
    const created = purchase.create();
    await created;
    // Set the fault only now: a check of the previous test's payment could trigger it while this payment is created.
    await payments.arm(fault);
    const bought = await purchase.pay(created);
    await payments.killed();

    await payments.start();

    const { id } = await world.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    const { rows } = await world.pool.query(
      `SELECT id FROM outbox_messages WHERE aggregate_id = $1 AND type = 'PaymentSucceeded'`,
      [bought.paymentId],
    );
    expect(rows).toEqual([{ id }]);
  });

  it.each([
    ['payments.beforeStripeRefund', 4_200],
    ['payments.afterStripeRefund', 4_200],
    ['payments.beforeRefundCommit', 4_200],
    ['payments.beforeStripeRefund', 1_251],
    ['payments.afterStripeRefund', 1_251],
    ['payments.beforeRefundCommit', 1_251],
  ])('refunds once when killed at %s: %d cents', async (fault, cents) => {
    const bought = await (await newPurchase()).pay();
    await world.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    // Set the fault only now: a late webhook of the previous test's refund could trigger it.
    await payments.arm(fault);
    await world.broker.send(cents < 4_200 ? cancellation(bought, cents) : rejection(bought));
    await payments.killed();

    await payments.start();

    await waitFor('PaymentRefunded', async () => {
      // Don't wait up to a minute for the dead process's lease to end.
      await world.pool.query('UPDATE refunds SET next_try_at = now() WHERE payment_id = $1', [
        bought.paymentId,
      ]);
      return world.published('PaymentRefunded', bought.paymentId).length > 0;
    });
    const refunds = (await world.ledger()).refunds.filter(
      (one) => one.payment_intent === bought.intentId,
    );
    expect(refunds.map((one) => one.amount)).toEqual([cents]);
  });

  it('posts a charge to the ledger once when killed at payments.beforeLedgerCommit', async () => {
    await payments.arm('payments.beforeLedgerCommit');
    const bought = await (await newPurchase()).pay();
    await payments.killed();

    await payments.start();

    await waitFor('the ledger', async () => {
      const { rows } = await world.pool.query(
        'SELECT from_account, to_account, cents FROM ledger WHERE payment_id = $1',
        [bought.paymentId],
      );
      return (
        rows.length > 0 &&
        expect(rows).toEqual([{ from_account: 'card', to_account: 'unallocated', cents: 4200 }]) ===
          undefined
      );
    });
  });

  it.each([
    'payments.beforePrepareCommit',
    'payments.beforeStripeTransfer',
    'payments.afterStripeTransfer',
    'payments.beforeTransferCommit',
  ])("transfers an owner's part once when killed at %s", async (fault) => {
    const ownerId = await newReadyOwner();
    const bought = await (await newPurchase()).pay();
    await world.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    const releaseAt = new Date(0).toISOString();
    const terms = { percent: 10, fixedCents: 0 };
    const share = { bookingId: randomUUID(), ownerId, cents: 4200, terms, releaseAt };
    world.shares.set(bought.paymentId, [share]);
    await payments.arm(fault);
    await world.pool.query('UPDATE payments SET release_at = now() WHERE id = $1', [
      bought.paymentId,
    ]);
    await payments.killed();

    await payments.start();

    await waitFor('the transfer', async () => {
      // Don't wait up to a minute for the dead process's lease to end.
      await world.pool.query(
        `UPDATE transfers SET next_try_at = now() WHERE payment_id = $1 AND status = 'unknown'`,
        [bought.paymentId],
      );
      const { rows } = await world.pool.query(
        'SELECT amount_cents, status FROM transfers WHERE payment_id = $1',
        [bought.paymentId],
      );
      return rows[0]?.status === 'sent' && rows.length === 1;
    });
    const made = await world.stripe.transfers.list({ transfer_group: `group_${bought.intentId}` });
    expect(made.data).toMatchObject([{ amount: 3780 }]);
    const { rows } = await world.pool.query(
      `SELECT cents::int FROM ledger_balances WHERE payment_id = $1 AND account = 'owner'`,
      [bought.paymentId],
    );
    expect(rows).toEqual([{ cents: 3780 }]);
  });

  it.each([
    'payments.beforeStripeReversal',
    'payments.afterStripeReversal',
    'payments.beforeReversalCommit',
  ])('takes back once what an owner owes when killed at %s', async (fault) => {
    const ownerId = await newReadyOwner();
    const bought = await (await newPurchase()).pay();
    await world.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    const bookingId = randomUUID();
    const releaseAt = new Date(0).toISOString();
    const terms = { percent: 10, fixedCents: 0 };
    world.shares.set(bought.paymentId, [{ bookingId, ownerId, cents: 4200, terms, releaseAt }]);
    await world.pool.query('UPDATE payments SET release_at = now() WHERE id = $1', [
      bought.paymentId,
    ]);
    await waitFor('the transfer', async () => {
      const { rows } = await world.pool.query(
        `SELECT FROM transfers WHERE payment_id = $1 AND status = 'sent'`,
        [bought.paymentId],
      );
      return rows.length === 1;
    });
    await payments.arm(fault);
    const event = cancellation(bought, 4_200);
    await world.broker.send({ ...event, data: { ...event.data, bookingId } });
    await payments.killed();

    await payments.start();

    await waitFor('the reversal', async () => {
      // Don't wait up to a minute for the dead process's lease to end.
      const { rows } = await world.pool.query(
        `WITH due AS (UPDATE transfer_reversals SET next_try_at = now() WHERE status = 'unknown')
         SELECT r.status FROM transfer_reversals r JOIN transfers t ON t.id = r.transfer WHERE t.payment_id = $1`,
        [bought.paymentId],
      );
      return rows[0]?.status === 'made' && rows.length === 1;
    });
    const made = await world.stripe.transfers.list({ transfer_group: `group_${bought.intentId}` });
    expect(made.data).toMatchObject([{ amount: 3780, reversals: { data: [{ amount: 3780 }] } }]);
    const { rows } = await world.pool.query(
      'SELECT account FROM ledger_balances WHERE payment_id = $1 AND cents <> 0',
      [bought.paymentId],
    );
    expect(rows).toEqual([]);
  });

  it.each([
    'payments.beforeStripeCapture',
    'payments.afterStripeCapture',
    'payments.beforeSettleCommit',
  ])('charges an accepted request once when killed at %s, and publishes it', async (fault) => {
    const requested = await (await newPurchase({ onRequest: true })).pay();
    await waitFor('the report to bookings', () =>
      world.authorizations.some((one) => one.paymentId === requested.paymentId),
    );
    await payments.arm(fault);
    world.approvals.set(requested.holdId, 'accepted');
    await world.broker.send(acceptance(requested));
    await payments.killed();

    await payments.start();
    await waitFor('PaymentSucceeded', async () => {
      await world.pool.query(
        `UPDATE payments SET next_check_at = now() WHERE id = $1 AND status = 'pending'`,
        [requested.paymentId],
      );
      return world.published('PaymentSucceeded', requested.paymentId).length > 0;
    });

    const { charges, refunds } = await world.ledger();
    expect(charges.filter((one) => one.payment_intent === requested.intentId)).toMatchObject([
      { captured: true, amount_captured: 4200 },
    ]);
    expect(refunds.filter((one) => one.payment_intent === requested.intentId)).toEqual([]);
    const { rows } = await world.pool.query(
      'SELECT type FROM outbox_messages WHERE aggregate_id = $1',
      [requested.paymentId],
    );
    expect(rows).toEqual([{ type: 'PaymentSucceeded' }]);
  });

  it('publishes one final PaymentFailed when killed at payments.afterStripeCancel', async () => {
    await payments.arm('payments.afterStripeCancel');
    const purchase = await newPurchase();
    const { paymentId } = (await purchase.create()).body;
    await world.pool.query(
      'UPDATE payments SET expires_at = now(), next_check_at = now() WHERE id = $1',
      [paymentId],
    );
    await payments.killed();

    await payments.start();
    await world.pool.query('UPDATE payments SET next_check_at = now() WHERE id = $1', [paymentId]);

    const { data } = await world.broker.expectEvent(
      'PaymentFailed',
      (one) => one.paymentId === paymentId,
    );
    expect(data.final).toBe(true);
    const { rows } = await world.pool.query(
      'SELECT type FROM outbox_messages WHERE aggregate_id = $1',
      [paymentId],
    );
    expect(rows).toEqual([{ type: 'PaymentFailed' }]);
  });
});

const newPurchase = async (hold: { onRequest?: boolean } = {}) => {
  const userId = randomUUID();
  const token = await world.accounts.sign({ userId });
  const holdId = randomUUID();
  world.holds.set(holdId, { userId, amountCents: 4200, ...hold });
  const body = { amount: 4200, holdId };
  const api = httpClient(payments.url);
  const create = () => api.post('/api/payment/create-payment-intent', { token, body });
  const pay = async (reply = create()) => {
    const { paymentId, clientSecret } = (await reply).body;
    const intentId = String(clientSecret).split('_secret_')[0] as string;
    await world.stripe.paymentIntents.confirm(intentId, { payment_method: 'pm_card_visa' });
    return { userId, holdId, paymentId: paymentId as string, intentId };
  };
  return { userId, holdId, create, pay };
};

/** An owner whose account is ready, here as at Stripe. */
const newReadyOwner = async (): Promise<string> => {
  const userId = randomUUID();
  const token = await world.accounts.sign({ userId });
  const { body } = await httpClient(payments.url).post(`/api/user/${userId}/payout-account/link`, {
    token,
  });
  await world.onboard(body.url, 'complete');
  await world.pool.query('UPDATE payout_accounts SET next_check_at = now() WHERE owner_id = $1', [
    userId,
  ]);
  await waitFor('the account', async () => {
    const { rows } = await world.pool.query(
      'SELECT state FROM payout_accounts WHERE owner_id = $1',
      [userId],
    );
    return rows[0].state === 'ready';
  });
  return userId;
};
