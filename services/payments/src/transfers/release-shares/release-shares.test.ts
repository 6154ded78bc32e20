import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { tenPercent, transfersOf } from '../../../test/transfers.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  payments.connectWebhooks();
  transfers = transfersOf(payments);
});
afterAll(() => payments.stop());

const inAnHour = () => new Date(Date.now() + 3_600_000);

describe('release-shares', () => {
  it('splits what remains of a share between its owner and the commission', async () => {
    const lent = await transfers.lend(randomUUID());
    const { paymentId, bookingId } = lent;
    await transfers.cancel(lent, 1200);
    await payments.hasBalances(paymentId, { card: -3000, [`pending ${bookingId}`]: 3000 });

    transfers.complete(lent);
    await transfers.releaseNow(lent);

    await payments.hasBalances(paymentId, {
      card: -3000,
      [`commission ${bookingId}`]: 300,
      [`available ${bookingId}`]: 2700,
    });
  });

  it('releases the shares of a cart, each by its own terms; without terms to the operator', async () => {
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
    const over = { ownerId: randomUUID(), releaseAt: new Date(0).toISOString() };
    const { paymentId } = await transfers.buy([
      { ...over, bookingId: a, cents: 2000, terms: tenPercent },
      {
        ...over,
        bookingId: b,
        ownerId: randomUUID(),
        cents: 1200,
        terms: { percent: 0, fixedCents: 50 },
      },
      { ...over, bookingId: c, cents: 1000, terms: null },
    ]);

    await payments.hasBalances(paymentId, {
      card: -4200,
      [`commission ${a}`]: 200,
      [`available ${a}`]: 1800,
      [`commission ${b}`]: 50,
      [`available ${b}`]: 1150,
      operator: 1000,
    });
  });

  it('runs at the release that bookings names', async () => {
    const lent = await transfers.lend(randomUUID());
    const at = inAnHour();
    transfers.complete(lent, at);

    await transfers.releaseNow(lent);

    await waitFor('the release', async () => {
      const { release_at: next } = await payments.row(lent.paymentId);
      return next.getTime() === at.getTime();
    });
    const { rows } = await payments.pool.query(
      `SELECT run_at FROM graphile_worker.jobs WHERE key = 'release-shares:' || $1`,
      [lent.paymentId],
    );
    expect(rows).toEqual([{ run_at: at }]);
    expect(await payments.balances(lent.paymentId)).toMatchObject({
      [`pending ${lent.bookingId}`]: 4200,
    });
  });

  it.each([{}, { inquiry: true }])('waits until a dispute is won: %j', async (kind) => {
    const lent = await transfers.lend(randomUUID());
    const disputeId = await transfers.dispute(lent, kind);
    transfers.complete(lent);
    await transfers.releaseNow(lent);
    await transfers.rests(lent.paymentId);
    const before = await payments.balances(lent.paymentId);

    await transfers.atBank(`/${disputeId}/close`, { outcome: 'won' });

    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${lent.bookingId}`]: 420,
      [`available ${lent.bookingId}`]: 3780,
    });
    expect(before).toMatchObject({ [`pending ${lent.bookingId}`]: 4200 });
  });

  it('first fills a refund that bookings has decided, although its event is late', async () => {
    const lent = await transfers.lend(randomUUID());
    const { paymentId, bookingId } = lent;
    await payments.pool.query(
      `UPDATE reconciliations SET next_at = 'infinity' WHERE name = 'refunds'`,
    );
    payments.refundsOwed.push({
      paymentId,
      bookingId,
      grantId: null,
      refundCents: 1200,
      reason: 'cancelled',
      toolNames: ['Drill'],
    });
    transfers.complete(lent);

    await transfers.releaseNow(lent);

    await payments.hasBalances(paymentId, {
      card: -3000,
      [`commission ${bookingId}`]: 300,
      [`available ${bookingId}`]: 2700,
    });
    const { rows } = await payments.pool.query(
      `SELECT sum(cents)::int AS cents FROM ledger WHERE payment_id = $1 AND key LIKE 'release:%'`,
      [paymentId],
    );
    expect(rows).toEqual([{ cents: 3000 }]);
  });

  it('releases a booking that is over although an older reading is posted after that', async () => {
    const lent = await transfers.lend(randomUUID());
    await transfers.rests(lent.paymentId);
    const client = await payments.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM payments WHERE id = $1 FOR UPDATE', [lent.paymentId]);
    await payments.pool.query(`SELECT schedule_task('follow-ledger', $1, now())`, [lent.paymentId]);
    await waitFor('the reading', async () => {
      const { rowCount } = await payments.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });

    transfers.complete(lent);
    await client.query('UPDATE payments SET release_at = clock_timestamp() WHERE id = $1', [
      lent.paymentId,
    ]);
    await client.query('COMMIT');
    client.release();

    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${lent.bookingId}`]: 420,
      [`available ${lent.bookingId}`]: 3780,
    });
  });

  it('reads a payment again that a version before followed without terms', async () => {
    const lent = await transfers.lend(randomUUID());
    transfers.complete(lent);

    await payments.pool.query(
      `ALTER TABLE payments DISABLE TRIGGER follow_payment;
       UPDATE payments SET shares_read_at = NULL, release_at = 'infinity', succeeded_at = succeeded_at - interval '1 day'
       WHERE id = '${lent.paymentId}';
       ALTER TABLE payments ENABLE TRIGGER follow_payment`,
    );

    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${lent.bookingId}`]: 420,
      [`available ${lent.bookingId}`]: 3780,
    });
  });

  it('is retried after bookings replied with an error', async () => {
    const lent = await transfers.lend(randomUUID());
    const shares = payments.shares.get(lent.paymentId) ?? [];
    // A reply that the contract rejects.
    payments.shares.set(lent.paymentId, [{ ...shares[0], cents: -1 } as never]);
    await transfers.releaseNow(lent);
    await waitFor('the failure', async () => {
      const { rows } = await payments.pool.query(
        `SELECT FROM graphile_worker._private_jobs WHERE key = 'release-shares:' || $1 AND attempts > 0 AND locked_at IS NULL`,
        [lent.paymentId],
      );
      return rows.length === 1;
    });

    payments.shares.set(lent.paymentId, shares);
    transfers.complete(lent);
    await payments.pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'release-shares:' || $1`,
      [lent.paymentId],
    );

    await payments.hasBalances(lent.paymentId, {
      card: -4200,
      [`commission ${lent.bookingId}`]: 420,
      [`available ${lent.bookingId}`]: 3780,
    });
  });
});
