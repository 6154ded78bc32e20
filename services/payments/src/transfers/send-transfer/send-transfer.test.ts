import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { forgetTransfers, type Lent, tenPercent, transfersOf } from '../../../test/transfers.ts';
import { shareKey } from '../../store/transfer-repository.ts';
import { sendTransfer } from './send-transfer.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  payments.connectWebhooks();
  transfers = transfersOf(payments);
});
afterEach(() => payments.clearFaults());
afterAll(() => payments.stop());

const readyOwner = async () => {
  const { owner, accountId } = await transfers.accounts.ready();
  return { ownerId: owner.userId, accountId };
};

/** Sends what a share has now, as another replica does. */
const send = (lent: Lent): Promise<void> => {
  const { pool, stripe } = payments;
  return sendTransfer({ pool, stripe, logger: createLogger('test', 'silent') }, shareKey(lent));
};

/** Whether a replica runs the task of a share. */
const isSending = async (): Promise<boolean> => {
  const { rowCount } = await payments.pool.query(
    `SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'send-transfer' AND j.locked_at IS NOT NULL`,
  );
  return rowCount !== 0;
};

const sentEvents = ({ paymentId }: Lent) => payments.published('TransferSent', paymentId);

/** Tries until the transfer is sent, although each try may fail. */
const sentAtLast = async (lent: Lent) => {
  await waitFor('the transfer', async () => {
    await transfers.tryNow(lent);
    return (await transfers.rows(lent)).some(({ status }) => status === 'sent');
  });
  await transfers.isSent(lent);
};

/** Leaves nothing of the platform's balance. */
const drainBalance = async () => {
  const { available } = await payments.stripe.balance.retrieve();
  const { accountId } = await readyOwner();
  await payments.stripe.transfers.create({
    amount: available[0]?.amount ?? 0,
    currency: 'usd',
    destination: accountId,
  });
};

describe('send-transfer', () => {
  it("sends the owner's part from the charge, and publishes it once", async () => {
    const { ownerId, accountId } = await readyOwner();
    const lent = await transfers.released(ownerId);

    await transfers.isSent(lent);

    const { charge_id: chargeId } = await payments.row(lent.paymentId);
    const [row] = await transfers.rows(lent);
    expect(await transfers.atStripe(lent)).toMatchObject([
      {
        id: row.transfer_id,
        amount: 3780,
        destination: accountId,
        source_transaction: chargeId,
        transfer_group: `group_${lent.intentId}`,
        metadata: { paymentId: lent.paymentId, bookingId: lent.bookingId, transferId: row.id },
      },
    ]);
    expect(row).toMatchObject({ status: 'sent', owner_id: ownerId, amount_cents: 3780 });
    await waitFor('the event', () => sentEvents(lent).length > 0);
    await transfers.rests(lent.paymentId);
    expect(sentEvents(lent)).toHaveLength(1);
  });

  it('waits for an account that is not set up, and sends once it is ready', async () => {
    const ownerId = randomUUID();
    const lent = await transfers.released(ownerId);
    await transfers.rests(lent.paymentId);
    const before = await transfers.rows(lent);

    await transfers.readyLater(ownerId);

    await transfers.isSent(lent);
    expect(before).toEqual([]);
  });

  it('waits while an admin holds the payouts of the owner', async () => {
    const { ownerId } = await readyOwner();
    await transfers.hold(ownerId, true);
    const lent = await transfers.released(ownerId);
    await transfers.rests(lent.paymentId);
    const before = await transfers.rows(lent);

    await transfers.hold(ownerId, false);

    await transfers.isSent(lent);
    expect(before).toEqual([]);
  });

  it('waits for a dispute that opens between the release and the transfer', async () => {
    const ownerId = randomUUID();
    const lent = await transfers.released(ownerId);
    const disputeId = await transfers.dispute(lent);
    await transfers.readyLater(ownerId);
    await send(lent);
    const before = await transfers.rows(lent);

    await transfers.atBank(`/${disputeId}/close`, { outcome: 'won' });

    await transfers.isSent(lent);
    expect(before).toEqual([]);
  });

  it('returns the money to the share if Stripe has restricted the account, and sends it once that is over', async () => {
    const { ownerId, accountId } = await readyOwner();
    // The webhook is lost.
    await payments.restrict(accountId);
    const lent = await transfers.released(ownerId);
    await transfers.rejected(lent);
    await waitFor('the account', async () => {
      const { rows } = await payments.pool.query(
        'SELECT state FROM payout_accounts WHERE owner_id = $1',
        [ownerId],
      );
      return rows[0].state === 'incomplete';
    });
    const rejected = await payments.balances(lent.paymentId);

    await payments.clear(accountId);
    await payments.pool.query(
      'UPDATE payout_accounts SET next_check_at = now() WHERE owner_id = $1',
      [ownerId],
    );

    await transfers.isSent(lent);
    expect(rejected).toMatchObject({ [`available ${lent.bookingId}`]: 3780 });
    expect(await transfers.rows(lent)).toMatchObject([
      { status: 'rejected', error_code: 'insufficient_capabilities_for_transfer' },
      { status: 'sent' },
    ]);
  });

  it.each([
    'reset-before-effect',
    'reset-after-effect',
    'error-500-before-effect',
    'error-500-after-effect',
    '429',
    '409',
  ])('sends once although Stripe replies with %s', async (kind) => {
    const { ownerId } = await readyOwner();
    // The client repeats a request twice.
    await payments.fault({ point: 'transfer', kind, count: 4 });

    const lent = await transfers.released(ownerId);

    await sentAtLast(lent);
    expect(await transfers.atStripe(lent)).toHaveLength(1);
    expect(await transfers.rows(lent)).toHaveLength(1);
  });

  it('sends without its source if too little of the charge is left, once the balance suffices and an admin retries it', async () => {
    const { ownerId, accountId } = await readyOwner();
    const lent = await transfers.lend(ownerId);
    const { charge_id: chargeId } = await payments.row(lent.paymentId);
    await payments.stripe.transfers.create({
      amount: 4000,
      currency: 'usd',
      destination: accountId,
      source_transaction: chargeId,
    });
    await drainBalance();
    transfers.complete(lent);
    await transfers.releaseNow(lent);
    await waitFor('the failure', async () => {
      await transfers.tryNow(lent);
      return (await transfers.rows(lent)).some((row) => row.error_code === 'balance_insufficient');
    });
    await transfers.rests(lent.paymentId);
    const [rejected] = await transfers.rows(lent);

    await transfers.lend(randomUUID());
    await transfers.retry(lent);

    await transfers.isSent(lent);
    expect(rejected).toMatchObject({ status: 'rejected', without_source: true });
    expect((await transfers.rows(lent)).at(-1)).toMatchObject({
      status: 'sent',
      without_source: true,
    });
    const ours = (await transfers.atStripe(lent)).filter(({ metadata }) => metadata.paymentId);
    expect(ours).toMatchObject([{ amount: 3780, source_transaction: null }]);
  });

  it('sends once when four replicas send at the same time', async () => {
    const ownerId = randomUUID();
    const lent = await transfers.released(ownerId);
    await transfers.readyLater(ownerId);

    await Promise.all([1, 2, 3, 4].map(() => send(lent)));

    await transfers.isSent(lent);
    expect(await transfers.atStripe(lent)).toHaveLength(1);
    expect(await transfers.rows(lent)).toHaveLength(1);
  });

  it('sends once when another replica takes over while Stripe still makes the transfer', async () => {
    const { ownerId } = await readyOwner();
    await payments.fault({ point: 'transfer', kind: 'slow', delayMs: 2_000 });
    const released = { terms: tenPercent, releaseAt: new Date(0).toISOString() };
    const [bookingId, otherId] = [randomUUID(), randomUUID()];
    // The charge would suffice for two transfers.
    const bought = await transfers.buy([
      { bookingId, ownerId, cents: 1200, ...released },
      { bookingId: otherId, ownerId: randomUUID(), cents: 3000 },
    ]);
    const lent = { ...bought, bookingId, ownerId };
    await waitFor('the request', async () => (await payments.faultsLeft()) === 0);

    await transfers.tryNow(lent);
    await send(lent);

    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${bookingId}`]: 120,
      [`pending ${otherId}`]: 3000,
      owner: 1080,
    });
    await waitFor('the first request', async () => !(await isSending()));
    expect(await transfers.atStripe(lent)).toHaveLength(1);
  });

  it('sends a transfer whose task got lost when its payment is read again', async () => {
    const { ownerId } = await readyOwner();
    await payments.fault({ point: 'transfer', kind: 'reset-before-effect', count: 3 });
    const lent = await transfers.released(ownerId);
    await waitFor('the failure', async () => (await payments.faultsLeft()) === 0);
    await waitFor('the end of the task', async () => !(await isSending()));
    await payments.pool.query('SELECT graphile_worker.remove_job($1)', [
      `send-transfer:${shareKey(lent)}`,
    ]);

    await transfers.releaseNow(lent);

    await transfers.isSent(lent);
  });

  it.each([
    [
      'an admin holds the payouts',
      async ({ ownerId }: Lent) => {
        await transfers.hold(ownerId, true);
        return () => transfers.hold(ownerId, false);
      },
    ],
    [
      'a dispute is open',
      async (lent: Lent) => {
        const disputeId = await transfers.dispute(lent);
        return () => transfers.atBank(`/${disputeId}/close`, { outcome: 'won' });
      },
    ],
  ])('does not send again, after Stripe was down, while %s', async (_, stop) => {
    const { ownerId } = await readyOwner();
    await payments.fault({ point: 'transfer', kind: 'reset-before-effect', count: 1_000 });
    const lent = await transfers.released(ownerId);
    await waitFor('the failure', async () => (await transfers.rows(lent))[0]?.error);
    const resume = await stop(lent);
    await waitFor('the end of the task', async () => !(await isSending()));
    await payments.clearFaults();

    await transfers.tryNow(lent);
    await waitFor('the delay', async () => {
      const { rowCount } = await payments.pool.query(
        `SELECT FROM transfers WHERE payment_id = $1 AND status = 'unknown' AND next_try_at > now() + interval '5 minutes'`,
        [lent.paymentId],
      );
      return rowCount === 1;
    });
    expect(await transfers.atStripe(lent)).toEqual([]);

    await resume();
    await sentAtLast(lent);
    expect(await transfers.atStripe(lent)).toHaveLength(1);
  });

  it.each([
    ['send-transfer', send],
    ['follow-ledger', (lent: Lent) => transfers.releaseNow(lent)],
  ])('adopts a transfer that a restored backup lacks, in %s', async (_, run) => {
    const { ownerId } = await readyOwner();
    const lent = await transfers.released(ownerId);
    await transfers.isSent(lent);
    const [sent] = await transfers.rows(lent);
    await transfers.rests(lent.paymentId);
    await forgetTransfers(payments, lent);

    await run(lent);

    await transfers.isSent(lent);
    await transfers.rests(lent.paymentId);
    expect(await transfers.atStripe(lent)).toHaveLength(1);
    const rows = await transfers.rows(lent);
    expect(rows.find(({ id }) => id === sent.id)).toMatchObject({
      status: 'sent',
      transfer_id: sent.transfer_id,
      amount_cents: 3780,
    });
    expect(rows.filter(({ status }) => status === 'unknown')).toEqual([]);
  });

  it('lets a share pay the debt of a refund that was made while its transfer was unknown', async () => {
    const { ownerId, accountId } = await readyOwner();
    await payments.fault({ point: 'transfer', kind: 'reset-before-effect', count: 3 });
    const lent = await transfers.released(ownerId);
    await waitFor('the faults', async () => (await payments.faultsLeft()) === 0);
    await payments.fault({ point: 'transfer', kind: 'reset-before-effect', count: 100 });
    await transfers.cancel(lent, 1000);
    await payments.hasBalances(lent.paymentId, {
      card: -3200,
      [`commission ${lent.bookingId}`]: 320,
      [`sending ${lent.bookingId}`]: 3780,
      [`debts ${lent.bookingId}`]: -900,
    });

    await payments.restrict(accountId);
    await payments.clearFaults();
    await transfers.tryNow(lent);
    await transfers.rejected(lent);
    await payments.clear(accountId);
    await waitFor('the transfer', async () => {
      await transfers.retry(lent);
      await payments.pool.query(
        'UPDATE payout_accounts SET next_check_at = now() WHERE owner_id = $1',
        [ownerId],
      );
      return (await transfers.rows(lent)).some(({ status }) => status === 'sent');
    });

    await payments.hasBalances(lent.paymentId, {
      card: -3200,
      [`commission ${lent.bookingId}`]: 320,
      owner: 2880,
    });
    expect(await transfers.atStripe(lent)).toMatchObject([{ amount: 2880 }]);
  });

  it('does not send again what was reversed in the dashboard, until an admin retries it', async () => {
    const { ownerId } = await readyOwner();
    const lent = await transfers.released(ownerId);
    await transfers.isSent(lent);
    const [{ transfer_id: transferId }] = await transfers.rows(lent);
    await payments.stripe.transfers.createReversal(transferId);
    await transfers.releaseNow(lent);
    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${lent.bookingId}`]: 420,
      [`available ${lent.bookingId}`]: 3780,
    });
    await transfers.rests(lent.paymentId);
    const before = await transfers.rows(lent);

    await transfers.retry(lent);

    await transfers.isSent(lent);
    expect(before).toHaveLength(1);
    expect(await transfers.rows(lent)).toHaveLength(2);
  });
});
