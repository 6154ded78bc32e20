import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { armFault, createLogger, inTransaction } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import Stripe from 'stripe';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { keysAtStripe, type Lent, transfersOf } from '../../../test/transfers.ts';
import { settlePayout } from '../../payout-accounts/settle-payout.ts';
import { reverseTransfer } from './reverse-transfer.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
const start = async (options: Parameters<typeof startTestPayments>[0]) => {
  payments = await startTestPayments(options);
  payments.connectWebhooks();
  transfers = transfersOf(payments);
};
afterEach(() => payments.clearFaults());

/** A booking of which the owner has got $37.80, and the operator $4.20. */
const transferred = async (): Promise<Lent & { transferId: string; row: string }> => {
  const { owner } = await transfers.accounts.ready();
  const lent = await transfers.released(owner.userId);
  await transfers.isSent(lent);
  const [row] = await transfers.rows(lent);
  return { ...lent, transferId: row.transfer_id, row: row.id };
};
type Transferred = Awaited<ReturnType<typeof transferred>>;

const reverse = ({ row }: Transferred, stripe = payments.stripe): Promise<void> => {
  const { pool } = payments;
  return reverseTransfer({ pool, stripe, logger: createLogger('test', 'silent') }, row);
};

/** Stripe, as if it rejected all reversals. */
const rejecting = (): Stripe => {
  const message = 'Insufficient funds in Stripe account.';
  const failure = new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    message,
    statusCode: 400,
  });
  const transfers = Object.create(payments.stripe.transfers, {
    createReversal: { value: () => Promise.reject(failure) },
  });
  return Object.create(payments.stripe, { transfers: { value: transfers } });
};

const rowsOf = async ({ row }: Transferred) => {
  const { rows } = await payments.pool.query(
    'SELECT * FROM transfer_reversals WHERE transfer = $1 ORDER BY id',
    [row],
  );
  return rows;
};
const atStripe = async ({ transferId }: Transferred): Promise<number[]> =>
  (await payments.stripe.transfers.listReversals(transferId)).data.map(({ amount }) => amount);

const reverseInDashboard = ({ transferId }: Transferred, amount: number) =>
  payments.stripe.transfers.createReversal(transferId, { amount });

const tryNow = ({ row }: Transferred) =>
  payments.pool.query(
    `UPDATE transfer_reversals SET next_try_at = now() WHERE transfer = $1 AND status = 'unknown'`,
    [row],
  );
/** Tries until the balances are there, although each try may fail. */
const hasBalancesAtLast = async (lent: Transferred, expected: Record<string, number>) => {
  await waitFor('the reversal', async () => {
    await tryNow(lent);
    return (await rowsOf(lent)).some(({ status }) => status === 'made');
  });
  await payments.hasBalances(lent.paymentId, expected);
};

/** Stripe rejects the transfer's unknown reversal. */
const isRejected = (lent: Transferred) =>
  waitFor('the rejection', async () => {
    await tryNow(lent);
    await reverse(lent, rejecting());
    return (await rowsOf(lent)).some(({ status }) => status === 'rejected');
  });

const refundTries = ({ paymentId }: Lent, at: string) =>
  payments.pool.query(`UPDATE refunds SET next_try_at = ${at} WHERE payment_id = $1`, [paymentId]);

const debtsOf = ({ paymentId }: Lent) =>
  payments
    .published('DebtIncurred', paymentId)
    .map(({ data }) => data as EventData<'DebtIncurred'>);
const paymentsOfDebt = ({ paymentId }: Lent) =>
  payments.published('DebtPaid', paymentId).map(({ data }) => data as EventData<'DebtPaid'>);

const nextRunInHours = async ({ row }: Transferred): Promise<number> => {
  const { rows } = await payments.pool.query<{ run_at: Date }>(
    `SELECT run_at FROM graphile_worker._private_jobs WHERE key = 'reverse-transfer:' || $1`,
    [row],
  );
  return rows[0] ? Math.round((rows[0].run_at.getTime() - Date.now()) / 3_600_000) : Number.NaN;
};

describe('reverse-transfer', () => {
  beforeAll(() => start({ replicas: 2, payoutDelayMs: 3_600_000 }));
  afterAll(() => payments.stop());

  it('takes back what was refunded, and publishes the debt and its payment once', async () => {
    const lent = await transferred();

    await transfers.cancel(lent, 4200);

    await payments.hasBalances(lent.paymentId, {});
    expect(await atStripe(lent)).toEqual([3780]);
    const ofBooking = {
      paymentId: lent.paymentId,
      bookingId: lent.bookingId,
      ownerId: lent.ownerId,
    };
    await waitFor('the events', () => paymentsOfDebt(lent).length > 0);
    await transfers.rests(lent.paymentId);
    expect(debtsOf(lent)).toEqual([{ ...ofBooking, debtCents: 3780, reason: 'refund' }]);
    expect(paymentsOfDebt(lent)).toEqual([{ ...ofBooking, paidCents: 3780, by: 'reversal' }]);
  });

  it("sends its row's key, by which Stripe recognizes the same request of another replica", async () => {
    const lent = await transferred();

    await transfers.cancel(lent, 4200);

    await payments.hasBalances(lent.paymentId, {});
    const [{ id }] = await rowsOf(lent);
    expect(await keysAtStripe(payments, 'transfer.reversed', lent.transferId)).toEqual([
      `reversal:${id}`,
    ]);
  });

  it("takes back only the owner's part of a partial refund", async () => {
    const lent = await transferred();

    await transfers.cancel(lent, 1000);

    await payments.hasBalances(lent.paymentId, {
      card: -3200,
      [`commission ${lent.bookingId}`]: 320,
      owner: 2880,
    });
    expect(await atStripe(lent)).toEqual([900]);
  });

  it('waits until the renter has the refund', async () => {
    const lent = await transferred();
    await payments.fault({ point: 'refund', kind: 'error-500-before-effect', count: 100 });
    await transfers.cancel(lent, 4200);
    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`due ${lent.bookingId}`]: 4200,
      [`debts ${lent.bookingId}`]: -3780,
      owner: 3780,
    });
    await reverse(lent);
    const before = await rowsOf(lent);

    await payments.clearFaults();
    await refundTries(lent, 'now()');

    await payments.hasBalances(lent.paymentId, {});
    expect(before).toEqual([]);
  });

  it('takes back what a bank took in a lost dispute', async () => {
    const lent = await transferred();
    const disputeId = await transfers.dispute(lent);

    await transfers.atBank(`/${disputeId}/close`, { outcome: 'lost' });

    await payments.hasBalances(lent.paymentId, { card: -4200, bank: 4200 });
    expect(await atStripe(lent)).toEqual([3780]);
    await waitFor('the event', () => debtsOf(lent).length > 0);
    expect(debtsOf(lent)).toMatchObject([{ debtCents: 3780, reason: 'dispute' }]);
  });

  it('takes it back from the second transfer of a share, if the first one was reversed before', async () => {
    const lent = await transferred();
    const disputeId = await transfers.dispute(lent);
    await transfers.atBank(`/${disputeId}/close`, { outcome: 'lost' });
    await payments.hasBalances(lent.paymentId, { card: -4200, bank: 4200 });
    await transfers.atBank(`/${disputeId}/close`, { outcome: 'won' });
    await transfers.isSent(lent);

    await transfers.cancel(lent, 4200);

    await payments.hasBalances(lent.paymentId, {});
    expect(await transfers.atStripe(lent)).toMatchObject([
      { amount: 3780, amount_reversed: 3780 },
      { amount: 3780, amount_reversed: 3780 },
    ]);
  });

  it.each([
    'reset-before-effect',
    'reset-after-effect',
    'error-500-before-effect',
    'error-500-after-effect',
    '429',
    '409',
  ])('reverses once after %s', async (kind) => {
    const lent = await transferred();
    await payments.fault({ point: 'reversal', kind, count: 3 });

    await transfers.cancel(lent, 4200);

    await waitFor('the faults', async () => (await payments.faultsLeft()) === 0);
    await hasBalancesAtLast(lent, {});
    expect(await atStripe(lent)).toEqual([3780]);
  });

  it('reverses once when three replicas try at the same time', async () => {
    const lent = await transferred();
    await payments.fault({ point: 'reversal', kind: 'slow', delayMs: 300 });

    await transfers.cancel(lent, 4200);
    await waitFor('the reversal to begin', async () => (await rowsOf(lent)).length > 0);
    await Promise.all([1, 2, 3].map(() => reverse(lent)));

    await payments.hasBalances(lent.paymentId, {});
    expect(await atStripe(lent)).toEqual([3780]);
    expect(await rowsOf(lent)).toMatchObject([{ status: 'made', amount_cents: 3780 }]);
  });

  it('does not follow a reversal that Stripe rejected while it was reading the balance', async () => {
    const lent = await transferred();
    await payments.fault({ point: 'reversal', kind: '409', count: 1_000 });
    await transfers.cancel(lent, 4200);
    await waitFor('the first reversal', async () => (await rowsOf(lent)).length > 0);
    await isRejected(lent);
    await waitFor('its task to be scheduled', async () => (await nextRunInHours(lent)) === 1);
    await payments.pool.query(
      `ALTER TABLE transfer_reversals DISABLE TRIGGER schedule_reversal;
       UPDATE transfer_reversals SET next_try_at = now() WHERE transfer = '${lent.row}';
       ALTER TABLE transfer_reversals ENABLE TRIGGER schedule_reversal`,
    );
    const reading = Promise.withResolvers<void>();
    const rejected = Promise.withResolvers<void>();
    const balance = Object.create(payments.stripe.balance, {
      retrieve: {
        async value(...options: Parameters<Stripe['balance']['retrieve']>) {
          reading.resolve();
          await rejected.promise;
          return payments.stripe.balance.retrieve(...options);
        },
      },
    });

    const late = reverse(lent, Object.create(payments.stripe, { balance: { value: balance } }));
    await reading.promise;
    await reverse(lent, rejecting());
    rejected.resolve();
    await late;

    expect(await rowsOf(lent)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  });

  it('ends its reversal if an admin was faster in the dashboard', async () => {
    const lent = await transferred();
    armFault('payments.beforeStripeReversal:1:throw');
    await transfers.cancel(lent, 4200);
    await waitFor('the first try', async () => (await rowsOf(lent))[0]?.error);

    await reverseInDashboard(lent, 3780);

    await payments.hasBalances(lent.paymentId, {});
    await tryNow(lent);
    await waitFor('the end', async () =>
      (await rowsOf(lent)).some(({ status }) => status === 'rejected'),
    );
    expect(await rowsOf(lent)).toMatchObject([
      { status: 'rejected', is_outside: false },
      { status: 'made', is_outside: true, accepted_at: expect.any(Date) },
    ]);
    expect(await payments.balances(lent.paymentId)).toEqual({});
  });

  it('adopts a reversal that was made since the backup that was restored', async () => {
    const lent = await transferred();
    // The event of the transfer could cause the reversal to be found before the debt.
    await payments.allWebhooksDelivered();
    await transfers.rests(lent.paymentId);
    await payments.fault({ point: 'webhook', kind: 'drop', count: 100 });
    const metadata = { reversalId: lent.row };
    await payments.stripe.transfers.createReversal(lent.transferId, { amount: 3780, metadata });

    await transfers.cancel(lent, 4200);

    await payments.hasBalances(lent.paymentId, {});
    expect(await atStripe(lent)).toEqual([3780]);
    expect(await rowsOf(lent)).toMatchObject([{ status: 'made', is_outside: false }]);
  });
});

describe('a transfer that is reversed in the dashboard', () => {
  beforeAll(() => start({ replicas: 2, payoutDelayMs: 3_600_000 }));
  afterAll(() => payments.stop());

  const returned = ({ bookingId }: Lent) => ({
    card: -4200,
    [`commission ${bookingId}`]: 420,
    [`available ${bookingId}`]: 1000,
    owner: 2780,
  });
  const listEvents = () =>
    payments.pool.query(`UPDATE reconciliations SET next_at = now() WHERE name = 'stripe-events'`);

  it('is posted once, and waits for an admin to transfer it again', async () => {
    const lent = await transferred();
    await payments.fault({ point: 'webhook', kind: 'duplicate', count: 5 });

    await reverseInDashboard(lent, 1000);

    await payments.hasBalances(lent.paymentId, returned(lent));
    await transfers.rests(lent.paymentId);
    expect(await rowsOf(lent)).toMatchObject([
      { status: 'made', is_outside: true, amount_cents: 1000, accepted_at: null },
    ]);
    expect(await transfers.atStripe(lent)).toHaveLength(1);

    await transfers.retry(lent);

    await transfers.isSent(lent);
    expect((await transfers.atStripe(lent)).map(({ amount }) => amount)).toEqual([1000, 3780]);
  });

  it('is followed by a reversal of another transfer of the share if Stripe rejects the first one', async () => {
    const lent = await transferred();
    await reverseInDashboard(lent, 1000);
    await payments.hasBalances(lent.paymentId, returned(lent));
    await transfers.retry(lent);
    await transfers.isSent(lent);
    await payments.fault({ point: 'reversal', kind: '409', count: 1_000 });
    await transfers.cancel(lent, 4200);
    const unknown = async () => {
      const { rows } = await payments.pool.query(
        `SELECT transfer FROM transfer_reversals r JOIN transfers t ON t.id = r.transfer
         WHERE t.payment_id = $1 AND r.status = 'unknown'`,
        [lent.paymentId],
      );
      return rows[0]?.transfer as string | undefined;
    };
    const first = { ...lent, row: await waitFor('the first reversal', unknown) };

    await isRejected(first);
    const other = await waitFor('a reversal of the other transfer', async () => {
      const transfer = await unknown();
      return transfer !== first.row && transfer;
    });
    const second = { ...lent, row: other };
    await payments.clearFaults();

    await waitFor('its end', async () => {
      await tryNow(second);
      return (await rowsOf(second)).some(
        ({ status, is_outside: isOutside }) => status === 'made' && !isOutside,
      );
    });
  });

  it('is found in the list of events if its webhook is lost', async () => {
    const lent = await transferred();
    await payments.allWebhooksDelivered();
    await payments.fault({ point: 'webhook', kind: 'drop', count: 1 });

    await reverseInDashboard(lent, 1000);
    await waitFor('the webhook to be lost', async () => (await payments.faultsLeft()) === 0);

    await waitFor('the reversal', async () => {
      await listEvents();
      return (await rowsOf(lent)).length > 0;
    });
    await payments.hasBalances(lent.paymentId, returned(lent));
  });

  it('ignores a transfer of another program', async () => {
    const { accountId } = await transfers.accounts.ready();
    await payments.stripe.paymentIntents.create({
      amount: 10_000,
      currency: 'usd',
      payment_method: 'pm_card_bypassPending',
      confirm: true,
    });
    const made = await payments.stripe.transfers.create({
      amount: 100,
      currency: 'usd',
      destination: accountId,
    });

    const reply = await payments.sendWebhook({
      id: `evt_${made.id}`,
      object: 'event',
      created: made.created,
      type: 'transfer.reversed',
      data: { object: { id: made.id, object: 'transfer' } },
    });

    expect(reply.status).toBe(200);
  });
});

describe('reverse-transfer, if the money of the account was paid out', () => {
  beforeAll(() => start({ payoutDelayMs: 20 }));
  afterAll(() => payments.stop());

  it('keeps the debt of the owner, and tries again once a payout fails', async () => {
    const lent = await transferred();
    const { rows } = await payments.pool.query('SELECT account_id FROM transfers WHERE id = $1', [
      lent.row,
    ]);
    await waitFor('the payout', async () => {
      const options = { stripeAccount: rows[0].account_id };
      const { available } = await payments.stripe.balance.retrieve({}, options);
      return (available[0]?.amount ?? 0) === 0;
    });

    await transfers.cancel(lent, 4200);

    await payments.hasBalances(lent.paymentId, {
      owner: 3780,
      [`debts ${lent.bookingId}`]: -3780,
    });
    await reverse(lent);
    expect(await rowsOf(lent)).toEqual([]);
    await waitFor('the end of the task', async () => Number.isNaN(await nextRunInHours(lent)));

    // The bank rejects the payout, so the money is on the account again.
    const isScheduled = await inTransaction(payments.pool, async (tx) => {
      await settlePayout(tx, lent.ownerId, {
        id: 'po_1',
        amount: 3780,
        status: 'failed',
        failure_code: 'account_closed',
        arrival_date: 1_796_000_000,
      } as Stripe.Payout);
      const { rowCount } = await tx.query(
        `SELECT FROM graphile_worker._private_jobs WHERE key = 'reverse-transfer:' || $1`,
        [lent.row],
      );
      return rowCount === 1;
    });
    expect(isScheduled).toBe(true);
  });
});

describe('reverse-transfer, if the money of the account is pending', () => {
  beforeAll(() => start({ payoutDelayMs: 3_600_000, fundsDelaySeconds: 86_400 }));
  afterAll(() => payments.stop());

  it('looks again in six hours', async () => {
    const lent = await transferred();

    await transfers.cancel(lent, 4200);

    await waitFor('the next look', async () => (await nextRunInHours(lent)) === 6);
    expect(await rowsOf(lent)).toEqual([]);
    expect(await payments.balances(lent.paymentId)).toEqual({
      owner: 3780,
      [`debts ${lent.bookingId}`]: -3780,
    });
  });
});
