import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StuckTransfer } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { earnedBooking } from '../../../test/ledger-entries.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { type Lent, transfersOf } from '../../../test/transfers.ts';
import { countStuckTransfers } from '../../store/stuck-transfer-repository.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
let admin: string;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
  transfers = transfersOf(payments);
  admin = await payments.accounts.sign({ role: 'Admin' });
});
afterAll(() => payments.stop());

const list = async (query = '') =>
  (await payments.api.get(`/api/admin/transfers${query}`, { token: admin })).body as {
    transfers: StuckTransfer[];
    nextCursor: string | null;
  };

const stuckOf = async ({ bookingId }: Lent) =>
  (await list()).transfers.filter((one) => one.bookingId === bookingId);

const retry = ({ paymentId, bookingId }: Pick<Lent, 'paymentId' | 'bookingId'>, token = admin) =>
  payments.api.post(`/api/admin/payments/${paymentId}/transfers/${bookingId}/retry`, { token });

/** A released booking of an owner whose payouts an admin holds. */
const held = async () => {
  const { owner } = await transfers.accounts.ready();
  await transfers.hold(owner.userId, true);
  return transfers.released(owner.userId);
};

/** Ends the hold without the trigger that resumes the transfers. */
const releaseQuietly = ({ ownerId }: Lent) =>
  payments.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout_accounts SET held_by_admin = false WHERE owner_id = '${ownerId}'; COMMIT`,
  );

describe('GET /api/admin/transfers', () => {
  it('lists what waits for an admin, with names and amount, until it is sent', async () => {
    const lent = await held();
    payments.earnedBookings.set(lent.bookingId, earnedBooking(lent.bookingId));
    payments.ownerNames.set(lent.ownerId, 'Olga Owner');

    const stuck = await stuckOf(lent);
    await transfers.hold(lent.ownerId, false);
    await transfers.isSent(lent);

    expect(stuck).toEqual([
      {
        paymentId: lent.paymentId,
        bookingId: lent.bookingId,
        bookingCode: 'LT123456',
        toolName: 'Hammer drill',
        ownerId: lent.ownerId,
        ownerName: 'Olga Owner',
        cents: 3_780,
        reason: 'hold',
        error: null,
        since: expect.any(String),
        nextTryAt: null,
        stripeUrl: `${payments.sandbox.url}/dashboard`,
      },
    ]);
    expect(await stuckOf(lent)).toEqual([]);
  });

  it('shows the message of Stripe about an account that it restricted', async () => {
    const { owner, accountId } = await transfers.accounts.ready();
    await payments.restrict(accountId);
    const lent = await transfers.released(owner.userId);
    await transfers.rejected(lent);
    await waitFor('the account', async () => (await stuckOf(lent))[0]?.reason === 'account');

    expect(await stuckOf(lent)).toMatchObject([
      {
        reason: 'account',
        cents: 3_780,
        error: expect.stringContaining('capabilit'),
        nextTryAt: null,
      },
    ]);
  });

  it('lists a dispute that stops a transfer, but none of an owner who only has to begin', async () => {
    const disputed = await transfers.released(randomUUID());
    const notStarted = await transfers.released(randomUUID());
    await transfers.dispute(disputed);

    expect(await stuckOf(disputed)).toMatchObject([{ reason: 'dispute' }]);
    expect(await stuckOf(notStarted)).toEqual([]);
  });

  it('shows when a rejected transfer is tried again', async () => {
    const lent = await held();
    const nextTryAt = '2999-01-01T00:00:00.000Z';
    await payments.pool.query(
      `INSERT INTO transfers (payment_id, booking_id, owner_id, account_id, amount_cents, status, error, error_code, next_try_at)
       VALUES ($1, $2, $3, 'acct_1', 3780, 'rejected', 'You have insufficient funds.', 'balance_insufficient', $4)`,
      [lent.paymentId, lent.bookingId, lent.ownerId, nextTryAt],
    );
    await releaseQuietly(lent);

    expect(await stuckOf(lent)).toMatchObject([
      { reason: 'balance', error: 'You have insufficient funds.', nextTryAt },
    ]);
  });

  it('shows since when a share waits, although its transfer was rejected twice', async () => {
    const { owner, accountId } = await transfers.accounts.ready();
    await payments.restrict(accountId);
    const lent = await transfers.released(owner.userId);
    await transfers.rejected(lent);
    await waitFor('the account', async () => (await stuckOf(lent))[0]?.reason === 'account');
    const before = await stuckOf(lent);

    await payments.pool.query(`UPDATE payout_accounts SET state = 'ready' WHERE owner_id = $1`, [
      lent.ownerId,
    ]);
    await transfers.rejected(lent, 2);

    const { rows } = await payments.pool.query<{ posted_at: Date }>(
      `SELECT posted_at FROM ledger
       WHERE payment_id = $1 AND from_account = 'pending' AND to_account = 'available'`,
      [lent.paymentId],
    );
    const since = rows[0]?.posted_at.toISOString();
    expect([...before, ...(await stuckOf(lent))]).toMatchObject([{ since }, { since }]);
  });

  it('lists a share whose task was lost, a day after its release, and sends it by a retry', async () => {
    const lent = await held();
    await transfers.rests(lent.paymentId);
    await releaseQuietly(lent);
    const before = await stuckOf(lent);

    await payments.pool.query(
      `UPDATE waiting_shares SET released_at = now() - interval '25 hours' WHERE booking_id = $1`,
      [lent.bookingId],
    );

    expect(before).toEqual([]);
    expect(await stuckOf(lent)).toMatchObject([{ reason: 'forgotten', nextTryAt: null }]);
    expect(await countStuckTransfers(payments.pool)).toMatchObject({ forgotten: 1 });
    expect((await retry(lent)).status).toBe(200);
    await transfers.isSent(lent);
    expect(await stuckOf(lent)).toEqual([]);
    expect(await countStuckTransfers(payments.pool)).toMatchObject({ forgotten: 0 });
  });

  it('does not count a share that waits for its task, its owner or its bank as forgotten', async () => {
    const waiting = [await held(), await transfers.released(randomUUID())];
    const disputed = await held();
    await transfers.dispute(disputed);
    await releaseQuietly(disputed);
    const scheduled = await held();
    await releaseQuietly(scheduled);
    await payments.pool.query(
      `SELECT FROM graphile_worker.add_job('send-transfer', to_json($1::text), run_at => now() + interval '1 hour',
         job_key => 'send-transfer:' || $1)`,
      [`${scheduled.paymentId}:${scheduled.bookingId}`],
    );

    await payments.pool.query(
      `UPDATE waiting_shares SET released_at = now() - interval '25 hours' WHERE booking_id = ANY ($1)`,
      [[...waiting, disputed, scheduled].map(({ bookingId }) => bookingId)],
    );

    expect(await countStuckTransfers(payments.pool)).toMatchObject({ forgotten: 0 });
  });

  it('keeps only the shares that have something left', async () => {
    const { owner } = await transfers.accounts.ready();
    const sent = await transfers.released(owner.userId);
    await transfers.isSent(sent);
    const waiting = await held();

    const { rows } = await payments.pool.query(
      'SELECT booking_id, owner_id, cents::int FROM waiting_shares WHERE booking_id = ANY ($1)',
      [[sent.bookingId, waiting.bookingId]],
    );
    expect(rows).toEqual([
      { booking_id: waiting.bookingId, owner_id: waiting.ownerId, cents: 3_780 },
    ]);
  });

  it('pages', async () => {
    const both = [await held(), await held()].map(({ bookingId }) => bookingId).sort();
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
      found.push(...page.transfers.map(({ bookingId }) => bookingId));
      cursor = page.nextCursor;
    }

    expect(found.filter((id) => both.includes(id))).toEqual(both);
    expect(new Set(found).size).toBe(found.length);
  });

  it.each(['nonsense', `${randomUUID()}`, `${randomUUID()}_1`, '_'])(
    'rejects the cursor %s',
    async (cursor) => {
      const reply = await payments.api.get(`/api/admin/transfers?cursor=${cursor}`, {
        token: admin,
      });
      expect(reply).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
    },
  );

  it('is for admins', async () => {
    const { token } = await payments.signIn();

    expect((await payments.api.get('/api/admin/transfers', { token })).status).toBe(403);
  });
});

describe('POST /api/admin/payments/:paymentId/transfers/:bookingId/retry', () => {
  it('sends once, however often it is called', async () => {
    const lent = await held();
    await releaseQuietly(lent);

    const replies = await Promise.all([retry(lent), retry(lent)]);

    await transfers.isSent(lent);
    expect(replies.map(({ status }) => status)).toContain(200);
    expect(await transfers.atStripe(lent)).toHaveLength(1);
  });

  it('replies 404 if nothing of the booking waits', async () => {
    const { owner } = await transfers.accounts.ready();
    const lent = await transfers.released(owner.userId);
    await transfers.isSent(lent);

    for (const share of [lent, { paymentId: randomUUID(), bookingId: randomUUID() }])
      expect(await retry(share)).toMatchObject({
        status: 404,
        body: { code: 'TRANSFER_NOT_FOUND' },
      });
  });

  it('is for admins', async () => {
    const lent = await held();
    const { token } = await payments.signIn();

    expect((await retry(lent, token)).status).toBe(403);
  });
});
