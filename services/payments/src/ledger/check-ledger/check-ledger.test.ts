import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lendtools/service-kit';
import { httpClient, waitFor } from '@lendtools/testing';
import {
  cancellation,
  startTestPayments,
  type TestPayments,
} from '../../../test/payments-service.ts';
import { acceptTransaction, checkLedgerNow } from './check-ledger.ts';

let payments: TestPayments;
beforeEach(async () => {
  // A late balance transaction comes later than a check on a busy machine.
  payments = await startTestPayments({ captureDelayMs: 20_000 });
  payments.connectWebhooks();
});
afterEach(() => payments.stop());

const logger = createLogger('test', 'silent');

/** Checks everything up to now, although Stripe's clock has whole seconds. */
const check = (): Promise<string[]> => {
  const { pool, stripe } = payments;
  return checkLedgerNow({ pool, stripe, logger }, { patienceMs: -2_000 });
};

const atBank = async (at: string, body: object = {}) => {
  const { body: reply } = await httpClient(payments.sandbox.url).post(`/sandbox/disputes${at}`, {
    token: 'sk_test_payments',
    body,
  });
  return reply;
};

const buy = async (card?: string) => {
  const bought = await payments.buyAndPay(card);
  await payments.hasBalances(bought.paymentId, { card: -4200, unallocated: 4200 });
  return bought;
};

const totalOf = async (account: string): Promise<number> => {
  const { rows } = await payments.pool.query('SELECT cents FROM ledger_totals WHERE account = $1', [
    account,
  ]);
  return Number(rows[0]?.cents ?? 0);
};

const unmatched = async (): Promise<number> => {
  const { rows } = await payments.pool.query(
    'SELECT count(*)::int AS count FROM expected_transactions WHERE transaction_id IS NULL',
  );
  return rows[0].count;
};

/** A charge that this database does not have. */
const chargeElsewhere = async (metadata: Record<string, string>, currency = 'usd') => {
  const intent = await payments.stripe.paymentIntents.create({
    amount: 1000,
    currency,
    metadata,
    confirm: true,
    payment_method: 'pm_card_visa',
    expand: ['latest_charge'],
  });
  const charge = intent.latest_charge as { id: string; balance_transaction: string };
  return { intentId: intent.id, chargeId: charge.id, transactionId: charge.balance_transaction };
};

const transactionOf = async ({ paymentId }: { paymentId: string }): Promise<string> => {
  const { charge_id: chargeId } = await payments.row(paymentId);
  const { balance_transaction: id } = await payments.stripe.charges.retrieve(chargeId);
  return id as string;
};

/** Posts a movement that is posted as soon as it happens. */
const post = async (key: string, from: string, to: string, happenedAt = 'now()') => {
  await payments.pool.query(
    `INSERT INTO ledger (key, line, from_account, to_account, cents, stripe_id, happened_at)
     VALUES ($1, 1, $2, $3, 7, 'ch_none', ${happenedAt})`,
    [key, from, to],
  );
  await payments.pool.query(
    'UPDATE expected_transactions SET posted_at = happened_at WHERE key = $1',
    [key],
  );
};
const hoursAgo = "now() - interval '7 hours'";

/** Makes the next check the first one to complete, whose walk has reached the given time. */
const undoOpening = async (reachedAt = 'to_timestamp(0)') => {
  await waitFor(
    "the service's first check",
    async () => (await payments.pool.query('DELETE FROM ledger_openings')).rowCount,
  );
  await payments.pool.query(
    `UPDATE reconciliations SET reached_at = ${reachedAt} WHERE name = 'balance-transactions'`,
  );
};

const forget = (paymentId: string) =>
  payments.pool.query(
    `ALTER TABLE ledger DISABLE TRIGGER reject_change_of_ledger;
     DELETE FROM ledger WHERE payment_id = '${paymentId}';
     DELETE FROM expected_transactions WHERE payment_id = '${paymentId}';
     ALTER TABLE ledger ENABLE TRIGGER reject_change_of_ledger`,
  );

describe('checkLedger', () => {
  it('matches charges, refunds and disputes, and posts their fees', async () => {
    const refunded = await buy();
    await payments.broker.send(cancellation(refunded, 1000));
    await payments.stripe.refunds.create({ payment_intent: refunded.intentId, amount: 200 });
    const disputed = await buy();
    const { id } = await atBank('', { payment_intent: disputed.intentId });
    await payments.hasBalances(disputed.paymentId, {
      card: -4200,
      unallocated: 4200,
      bank: 4200,
      disputes: -4200,
    });
    await atBank(`/${id}/close`, { outcome: 'won' });
    await payments.hasBalances(refunded.paymentId, { card: -3000, unallocated: 3000 });
    await payments.hasBalances(disputed.paymentId, { card: -4200, unallocated: 4200 });

    expect(await check()).toEqual([]);

    expect(await unmatched()).toBe(0);
    expect(await payments.balances(disputed.paymentId)).toMatchObject({ fees: -152 - 1500 });
    expect(await totalOf('stripe')).toBe(152 + 152 + 1500);
  });

  it('posts nothing twice', async () => {
    await buy();
    await check();
    const { rows: before } = await payments.pool.query('SELECT key FROM ledger ORDER BY key');

    expect(await check()).toEqual([]);

    const { rows: after } = await payments.pool.query('SELECT key FROM ledger ORDER BY key');
    expect(after).toEqual(before);
  });

  it('ignores what a check with less patience has matched', async () => {
    await buy();
    expect(await check()).toEqual([]);

    expect(await checkLedgerNow({ ...payments, logger }, { patienceMs: 600_000 })).toEqual([]);
  });

  it('waits for a charge whose balance transaction comes later', async () => {
    await buy('pm_card_lateBalanceTransaction');

    expect(await check()).toEqual([]);
    expect(await unmatched()).toBe(1);

    await waitFor('the balance transaction', async () => {
      await check();
      return (await unmatched()) === 0;
    });
  });

  it("reports a charge of ours that the ledger lacks, until an operator accepts it as the operator's", async () => {
    const lost = await chargeElsewhere({ paymentId: randomUUID() });

    expect(await check()).toEqual([
      `Stripe's balance was 941 cents, and the ledger has 0`,
      `The ledger lacks Stripe's ${lost.transactionId}: charge of 1000 cents for ${lost.chargeId}`,
    ]);
    await acceptTransaction(payments, lost.transactionId);

    expect(await check()).toEqual([]);
    expect(await totalOf('operator')).toBe(1000);
    expect(await totalOf('fees')).toBe(-59);
    await expect(acceptTransaction(payments, lost.transactionId)).rejects.toThrow('already');
  });

  it('follows a payment that the ledger lacks, and matches it at the next check', async () => {
    const bought = await buy();
    await payments.followed(bought.paymentId);
    await forget(bought.paymentId);

    expect((await check()).join()).toContain('The ledger lacks');
    await payments.hasBalances(bought.paymentId, { card: -4200, unallocated: 4200 });

    expect(await check()).toEqual([]);
  });

  it("posts the charges and refunds of another program as the operator's", async () => {
    const { intentId } = await chargeElsewhere({});
    await payments.stripe.refunds.create({ payment_intent: intentId, amount: 300 });

    expect(await check()).toEqual([]);

    expect(await totalOf('operator')).toBe(700);
    expect(await totalOf('card')).toBe(-700);
  });

  it('reports a movement that Stripe lacks after six hours', async () => {
    await check();
    await post('refund:new', 'card', 'operator');
    expect(await check()).toEqual([]);
    await post('refund:old', 'card', 'operator', hoursAgo);

    expect(await check()).toEqual(['Stripe has no transaction of 7 cents for ch_none']);
  });

  it('reports a wrong total', async () => {
    await buy();
    await post('balance:wrong', 'stripe', 'operator');

    expect(await check()).toEqual(["Stripe's balance was 4048 cents, and the ledger has 4055"]);
  });

  it.each([
    ['at the first check', 'to_timestamp(0)'],
    ['at the check after one that stopped before it did so', 'now()'],
  ])('books movements that Stripe lacks %s as the opening balance', async (_, reachedAt) => {
    await undoOpening(reachedAt);
    await post('charge:old', 'card', 'operator', hoursAgo);

    expect(await check()).toEqual([]);

    expect(await unmatched()).toBe(0);
    expect(await totalOf('operator')).toBe(0);
  });

  it('books the opening balance once, even if the first check finds a difference', async () => {
    await undoOpening();
    const lost = await chargeElsewhere({ paymentId: randomUUID() });
    await post('charge:old', 'card', 'operator', hoursAgo);
    expect((await check()).join()).toContain(lost.transactionId);
    await post('charge:lost', 'card', 'operator', hoursAgo);

    expect(await check()).toContain('Stripe has no transaction of 7 cents for ch_none');

    expect(await totalOf('operator')).toBe(7);
  });

  it('closes past days without changing the total', async () => {
    await payments.pool.query(
      `INSERT INTO ledger (key, line, from_account, to_account, cents, happened_at, posted_at)
       SELECT 'balance:' || n, 1, 'stripe', 'operator', n, now(), now() - (n + 1) * interval '1 day'
       FROM generate_series(1, 3) n`,
    );
    const before = await totalOf('operator');

    await check();

    const { rows } = await payments.pool.query(
      `SELECT cents FROM ledger_days WHERE account = 'operator' ORDER BY day`,
    );
    expect(rows.map(({ cents }) => Number(cents))).toEqual([3, 2, 1]);
    expect([before, await totalOf('operator')]).toEqual([6, 6]);
  });
});

describe('acceptTransaction', () => {
  it('matches a transaction that a movement of the ledger expects', async () => {
    const transactionId = await transactionOf(await buy());

    expect(await acceptTransaction(payments, transactionId)).toBe(false);

    expect([await unmatched(), await totalOf('operator'), await totalOf('fees')]).toEqual([
      0, 0, -152,
    ]);
    expect(await check()).toEqual([]);
  });

  it('rejects a transaction of a payment that the ledger follows', async () => {
    const bought = await buy();
    await payments.followed(bought.paymentId);
    await forget(bought.paymentId);

    await expect(acceptTransaction(payments, await transactionOf(bought))).rejects.toThrow(
      `belongs to payment ${bought.paymentId}`,
    );
  });

  it('rejects a transaction in another currency', async () => {
    const { transactionId } = await chargeElsewhere({}, 'eur');

    await expect(acceptTransaction(payments, transactionId)).rejects.toThrow('in dollars');
  });
});

describe('npm run ledger', () => {
  const command = path.join(import.meta.dirname, 'ledger-command.ts');
  const run = (...args: string[]) =>
    new Promise<{ status: number; output: string }>((resolve) => {
      const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = payments.env;
      const env = { DATABASE_URL: payments.databaseUrl, STRIPE_SECRET_KEY, STRIPE_API_BASE };
      execFile(process.execPath, [command, ...args], { env }, (error, out, err) =>
        resolve({ status: Number(error?.code ?? 0), output: out + err }),
      );
    });

  it('exits with status 1 for a difference, and shows a payment', async () => {
    const bought = await buy();
    await post('refund:old', 'card', 'operator', hoursAgo);

    expect(await run('check')).toMatchObject({
      status: 1,
      output: expect.stringContaining('Stripe has no transaction of 7 cents for ch_none'),
    });
    const { output } = await run('show', bought.paymentId);

    expect(output).toMatch(/\$42\.00 {2}card → unallocated +charge:ch_/);
    expect(output).toMatch(/\$42\.00 {2}unallocated\n/);
  });

  it('exports a month, and rejects what is no month with status 2', async () => {
    const { paymentId } = await buy();

    const { status, output } = await run('export', new Date().toISOString().slice(0, 7));
    const wrong = await run('export', '2026-13');

    expect(status).toBe(0);
    expect(output).toMatch(/^\uFEFFPosted \(UTC\),/);
    expect(output).toContain(`,card,unallocated,42,${paymentId},`);
    expect(wrong).toMatchObject({ status: 2, output: expect.stringContaining('2026-11') });
  });
});
