import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hold } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, inDays, startBookingsService } from './bookings-service.ts';
import { changesAt, days } from './changes.ts';
import { deadlocksOf } from './deadlocks.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => service.stop());

const { change, requestChange, lend } = changesAt(() => service);

/** Locks rows as a slow transaction would, until `release` is called. */
const blockRows = async (table: 'bookings' | 'holds', ids: string[]) => {
  const blocker: Transaction = await service.pool.connect();
  await blocker.query('BEGIN');
  await blocker.query(`SELECT FROM ${table} WHERE id = ANY($1) FOR UPDATE`, [ids]);
  return async () => {
    await blocker.query('ROLLBACK');
    blocker.release();
  };
};

/** Resolves once `count` sessions of this database wait for a lock, or once `unless` has settled. */
const untilWaiting = async (count: number, unless?: Promise<unknown>): Promise<void> => {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  unless?.then(settle, settle);
  await waitFor(`${count} sessions to wait`, async () => {
    const { rows } = await service.pool.query<{ count: number }>(
      `SELECT count(DISTINCT pid)::int AS count FROM pg_locks JOIN pg_database d ON d.oid = database OR database IS NULL
       JOIN pg_stat_activity a USING (pid)
       WHERE NOT granted AND a.datname = current_database() AND d.datname = current_database()`,
    );
    return isSettled || (rows[0]?.count ?? 0) >= count;
  });
};

/** Expires the holds in the given order and in one statement, so that one run of the job finds them all. */
const expire = (holdIds: string[]) =>
  service.pool.query(
    `UPDATE holds SET expires_at = now() - interval '1 hour' + array_position($1::uuid[], id) * interval '1 second'
     WHERE id = ANY($1)`,
    [holdIds],
  );

/** Creates a booking, an unpaid change of the booking, and a cart of the same renter that blocks another change. */
const lendWithChangeAndCart = async () => {
  const lent = await lend();
  const { hold } = (await change(lent.renter, lent.id, days(10, 15))).body;
  const cart = await service.postHold(lent.renter, [service.line(lent.toolId, days(20, 22))]);
  return { ...lent, changeHoldId: hold.id as string, cart: cart.body.hold };
};

const longer = { quantity: 1, start_date: inDays(10), end_date: inDays(14) };

/** Books two tools with one payment. The older booking comes first. */
const lendTwo = async () => {
  const renter = await service.neighbor();
  const toolIds = [(await service.tool()).toolId, (await service.tool()).toolId];
  const lines = toolIds.map((toolId) => service.line(toolId));
  const hold: Hold = (await service.postHold(renter, lines)).body.hold;
  const payment = await service.succeed(service.paymentOf(renter, hold.amountCents, hold.id));
  const ids = hold.lines.map(({ id }) => id).toSorted();
  for (const id of ids)
    await service.broker.expectEvent('BookingCreated', ({ bookingId }) => bookingId === id);
  return { renter, ids, payment, toolIds };
};

const disputed = (id: string) =>
  service.broker.expectEvent('BookingPaymentChanged', ({ paymentId }) => paymentId === id);

const allEnded = async (holdIds: string[]): Promise<void> => {
  for (const id of holdIds)
    await waitFor('the hold to end', async () => (await service.holdStatus(id)) === 'ended');
};

let counted = 0;
const newDeadlocks = async (): Promise<number> => {
  const before = counted;
  counted = await deadlocksOf(service.pool);
  return counted - before;
};

describe('the lock order of transactions', () => {
  it('prevents a deadlock when holds expire while a renter changes a booking', async () => {
    const { renter, id, changeHoldId, cart } = await lendWithChangeAndCart();
    const first = await service.held(await service.person());
    const release = await blockRows('bookings', [first.lines[0]?.id as string]);

    await expire([first.id, cart.id, changeHoldId]);
    await untilWaiting(1);
    const changing = change(renter, id, days(19, 24));
    await untilWaiting(2, changing);
    await release();

    expect((await changing).status).toBe(200);
    await allEnded([first.id, cart.id, changeHoldId]);
    expect(await newDeadlocks()).toBe(0);
  });

  it('prevents a deadlock when changes of a cart’s bookings expire while its payment is disputed', async () => {
    const { renter, ids, payment } = await lendTwo();
    const changeHolds: string[] = [];
    for (const id of ids) changeHolds.push((await change(renter, id, longer)).body.hold.id);
    const release = await blockRows('bookings', [ids[0] as string]);

    // The dispute locks the older of two bookings first, the job the newer one.
    await service.dispute(payment, 'open', { cents: 1_000, version: 3, withShares: false });
    await untilWaiting(1);
    await expire(changeHolds.toReversed());
    await untilWaiting(2);
    await release();

    await disputed(payment.paymentId);
    await allEnded(changeHolds);
    expect(await newDeadlocks()).toBe(0);
  });

  it('prevents a deadlock when a renter with two change requests is disabled while the payment is disputed', async () => {
    const { renter, ids, payment, toolIds } = await lendTwo();
    await service.pool.query(
      `UPDATE tools SET terms = '{"booking": "request"}' WHERE id = ANY($1)`,
      [toolIds],
    );
    const changeHolds: string[] = [];
    for (const id of ids.toReversed())
      changeHolds.push((await requestChange(renter, id, longer)).hold.id);
    const release = await blockRows('bookings', [ids[0] as string]);

    await service.dispute(payment, 'open', { cents: 1_000, version: 3, withShares: false });
    await untilWaiting(1);
    const disabled = { userId: renter.userId, disabled: true };
    await service.broker.sendNew('AccountDisabled', disabled, { id: renter.userId, version: 2 });
    await untilWaiting(2);
    await release();

    await disputed(payment.paymentId);
    await allEnded(changeHolds);
    expect(await newDeadlocks()).toBe(0);
  });
});
