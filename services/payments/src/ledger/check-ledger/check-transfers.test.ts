import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lendtools/service-kit';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { type Lent, transfersOf } from '../../../test/transfers.ts';
import { checkLedgerNow } from './check-ledger.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
let accountId: string;
let lent: Lent;
beforeEach(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
  transfers = transfersOf(payments);
  const ready = await transfers.accounts.ready();
  accountId = ready.accountId;
  lent = await transfers.released(ready.owner.userId);
  await transfers.isSent(lent);
});
afterEach(() => payments.stop());

/** Checks everything up to now, although Stripe's clock has whole seconds. */
const check = (): Promise<string[]> => {
  const { pool, stripe } = payments;
  const logger = createLogger('test', 'silent');
  return checkLedgerNow({ pool, stripe, logger }, { patienceMs: -2_000 });
};

const unmatched = async (): Promise<string[]> => {
  const { rows } = await payments.pool.query(
    'SELECT key FROM expected_transactions WHERE transaction_id IS NULL',
  );
  return rows.map(({ key }) => key);
};

const total = async (account: string): Promise<number> => {
  const { rows } = await payments.pool.query('SELECT cents FROM ledger_totals WHERE account = $1', [
    account,
  ]);
  return Number(rows[0]?.cents ?? 0);
};

const transferByHand = (amount: number) =>
  payments.stripe.transfers.create({ amount, currency: 'usd', destination: accountId });

describe('checkLedger', () => {
  it('matches a transfer', async () => {
    expect(await check()).toEqual([]);
    expect(await unmatched()).toEqual([]);
  });

  it('matches a reversal that was made in the dashboard', async () => {
    const [{ transfer_id: transferId }] = await transfers.rows(lent);
    await payments.stripe.transfers.createReversal(transferId, { amount: 780 });
    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${lent.bookingId}`]: 420,
      [`available ${lent.bookingId}`]: 780,
      owner: 3000,
    });

    expect(await check()).toEqual([]);
    expect(await unmatched()).toEqual([]);
  });

  it('follows a payment whose transfer was reversed in the dashboard, if the event was lost', async () => {
    const [{ transfer_id: transferId }] = await transfers.rows(lent);
    await payments.fault({ point: 'webhook', kind: 'drop', count: 100 });
    await payments.stripe.transfers.createReversal(transferId, { amount: 780 });

    expect((await check()).join()).toContain('The ledger lacks');

    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${lent.bookingId}`]: 420,
      [`available ${lent.bookingId}`]: 780,
      owner: 3000,
      fees: -152,
      stripe: 152,
    });
    expect(await check()).toEqual([]);
  });

  it("posts a transfer of the dashboard and its reversal as the operator's", async () => {
    const operator = await total('operator');
    const { id } = await transferByHand(100);
    await payments.stripe.transfers.createReversal(id, { amount: 30 });

    expect(await check()).toEqual([]);
    expect(await total('operator')).toBe(operator - 70);
    expect(await total('owner')).toBe(3780 + 70);
  });
});
