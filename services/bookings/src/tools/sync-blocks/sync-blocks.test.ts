import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { type Reply, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import { reviewsAt } from '../../../test/reviews.ts';

const queue = 'bookings.sync-blocks';
let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const { preview, change, cancel, lend } = changesAt(() => bookings);
const { review, reviewRenter, lentAndCompleted } = reviewsAt(() => bookings);

const blocking = (
  blocker: Person,
  blocked: Person,
  { isBlocked = true, version = 1 }: { isBlocked?: boolean; version?: number } = {},
) => {
  const data = { blockerId: blocker.userId, blockedId: blocked.userId, blocked: isBlocked };
  return newEvent('PersonBlocked', { id: randomUUID(), version }, data);
};

const block = async (...block: Parameters<typeof blocking>): Promise<void> => {
  const event = blocking(...block);
  await bookings.broker.send(event);
  await waitFor('the block', async () => {
    const { rowCount } = await bookings.pool.query(
      'SELECT FROM inbox_messages WHERE queue = $1 AND event_id = $2',
      [queue, event.id],
    );
    return rowCount;
  });
};

/** Stores a block as if its event had been consumed before a hold was made. */
const storeBlockOf = (blocker: Person, blocked: Person) =>
  bookings.pool.query(
    'INSERT INTO blocks (blocker_id, blocked_id, version, blocked) VALUES ($1, $2, 1, true)',
    [blocker.userId, blocked.userId],
  );

const toolOf = async (owner: Person) => (await bookings.tool({ ownerId: owner.userId })).toolId;

/** Every call with which a person could reach another one's tool. */
const calls: Record<string, (who: Person, toolId: string) => Promise<Reply>> = {
  'POST holds': (who, toolId) => bookings.postHold(who, [bookings.line(toolId)]),
  'POST add-rental-booking': (who, toolId) =>
    bookings.http.post(`/api/user/${who.userId}/add-rental-booking`, {
      ...who,
      body: bookings.line(toolId, { booking_code: 'LT000001' }),
    }),
  'GET availability': (who, toolId) =>
    bookings.http.get(`/api/rentals/${toolId}/availability?from=${inDays(0)}&to=${inDays(9)}`, who),
  'GET owner': (who, toolId) => bookings.http.get(`/api/rentals/${toolId}/owner`, who),
};

describe(queue, () => {
  it.each(Object.keys(calls))('%s replies to both as if the tool were gone', async (name) => {
    const call = calls[name] as (who: Person, toolId: string) => Promise<Reply>;
    const [one, other] = [await bookings.neighbor(), await bookings.neighbor()];
    const [ofOne, ofOther] = [await toolOf(one), await toolOf(other)];
    const removed = await toolOf(one);
    await bookings.broker.sendNew(
      'ToolRemoved',
      { toolId: removed, ownerId: one.userId },
      { id: removed, version: 2 },
    );
    await waitFor('the removal', async () => (await call(other, removed)).status === 404);
    const before = await call(other, ofOne);

    await block(one, other);
    const [toBlocked, toBlocker] = [await call(other, ofOne), await call(one, ofOther)];
    const gone = await call(other, removed);
    await block(one, other, { isBlocked: false, version: 2 });

    expect(before.status).not.toBe(404);
    for (const { status, body } of [toBlocked, toBlocker]) {
      expect(status).toBe(404);
      expect({ ...body, requestId: '' }).toEqual({ ...gone.body, requestId: '' });
    }
    expect((await call(await bookings.person('Admin'), ofOne)).status).not.toBe(404);
    expect((await call(other, ofOne)).status).not.toBe(404);
  });

  it('frees a cart that is not paid, and keeps one whose payment has begun', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const open = await bookings.held(renter, await toolOf(owner));
    const begun = await bookings.held(renter, await toolOf(owner));
    const unrelated = await bookings.held(renter);
    await bookings.checkOut(renter, begun.id);

    await block(owner, renter);

    const statuses = [open, begun, unrelated].map(({ id }) => bookings.holdStatus(id));
    expect(await Promise.all(statuses)).toEqual(['ended', 'live', 'live']);
    await bookings.broker.expectEvent('BookingExpired', ({ holdId }) => holdId === open.id);
  });

  it('frees an unpaid change that extends a booking, and keeps one that shortens it', async () => {
    const [longer, shorter] = [await lend(), await lend()];
    const holds: string[] = [];
    for (const { renter, id } of [longer, shorter])
      holds.push((await change(renter, id, days(10, 16))).body.hold.id);
    // A shorter rental costs more if it loses a discount.
    await bookings.pool.query(
      `UPDATE booking_changes c SET ends_at = b.ends_at FROM bookings b WHERE b.id = c.booking_id AND c.hold_id = $1`,
      [holds[1]],
    );

    for (const { owner, renter } of [longer, shorter]) await block(owner, renter);
    const { renter, id } = longer;
    const again = await change(renter, id, days(10, 16));

    expect(await Promise.all(holds.map((hold) => bookings.holdStatus(hold)))).toEqual([
      'ended',
      'live',
    ]);
    expect(again).toMatchObject({ status: 409, body: { code: 'TOOL_UNAVAILABLE' } });
  });

  it('frees a cart that is held while the block is consumed', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const toolId = await toolOf(owner);
    const slow: Transaction = await bookings.pool.connect();
    await slow.query('BEGIN');
    await slow.query('SELECT FROM tools WHERE id = $1 FOR UPDATE', [toolId]);
    const held = bookings.held(renter, toolId);
    const waiting = (count: number) =>
      waitFor(`${count} sessions to wait`, async () => {
        const { rows } = await bookings.pool.query<{ count: number }>(
          `SELECT count(DISTINCT pid)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
           WHERE NOT granted AND datname = current_database()`,
        );
        return (rows[0]?.count ?? 0) >= count;
      });
    await waiting(1);

    const blocked = block(owner, renter);
    await Promise.race([waiting(2), blocked]);
    await slow.query('ROLLBACK');
    slow.release();
    await blocked;

    expect(await bookings.holdStatus((await held).id)).toBe('ended');
  });

  it('rejects the payment of a hold that an older replica made after the block', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const { id } = await bookings.held(renter, await toolOf(owner));
    await storeBlockOf(owner, renter);

    const { status, body } = await bookings.checkOut(renter, id);

    expect([status, body.code]).toEqual([409, 'HOLD_EXPIRED']);
  });

  it('requests nothing with a card that is authorized after the block', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const { toolId } = await bookings.toolOnRequest({ ownerId: owner.userId });
    const hold = await bookings.held(renter, toolId);
    await bookings.checkOut(renter, hold.id);
    await block(renter, owner);

    const authorization = { paymentId: randomUUID(), userId: renter.userId };
    const { body } = await bookings.reportAuthorization(hold, authorization);

    expect(body).toEqual({ approval: 'ended' });
    expect(await bookings.holdStatus(hold.id)).toBe('ended');
  });

  it('hides the pick-up address of a completed booking from the renter once the tool is back', async () => {
    const { owner, renter, id } = await lend();
    const complete = (isReturned: boolean) =>
      bookings.pool.query(
        `UPDATE bookings SET status = 'completed', completed_at = now(), returned_at = CASE WHEN $2 THEN now() END WHERE id = $1`,
        [id, isReturned],
      );
    await complete(true);
    const before = await bookings.seen(renter, id);
    await block(owner, renter);

    const after = await bookings.seen(renter, id);
    const forOwner = await bookings.seen(owner, id);
    await complete(false);
    const whileOut = await bookings.seen(renter, id);

    expect(before.address).toBe('1 Oak Street');
    expect([after.address, after.googleMap]).toEqual([null, '']);
    expect([forOwner.address, whileOut.address]).toEqual(['1 Oak Street', '1 Oak Street']);
  });

  it('publishes reviews between blocked people without their texts', async () => {
    const { owner, renter, id } = await lentAndCompleted();
    await block(owner, renter);

    await reviewRenter(owner, id);
    await review(renter, id);

    for (const type of ['ReviewAdded', 'RenterReviewAdded'] as const) {
      const { data } = await bookings.broker.expectEvent(type, (one) => one.bookingId === id);
      expect(data.comment).toBe('');
    }
    expect((await bookings.seen(renter, id)).renterReview.comment).toBe('Came on time.');
  });

  it('lets the parties of a booking shorten and cancel it, but not extend it', async () => {
    const { owner, renter, id, toolId } = await lend();
    const range = `from=${inDays(9)}&to=${inDays(15)}&booking_id=${id}`;

    await block(renter, owner);
    const longer = await preview(renter, id, days(10, 16));
    const longerNow = await change(renter, id, { ...days(10, 16), dueCents: 2_000 });
    const shorter = await preview(renter, id, days(10, 12));
    const calendar = await bookings.http.get(
      `/api/rentals/${toolId}/availability?${range}`,
      renter,
    );

    expect(longer).toMatchObject({ status: 409, body: { code: 'TOOL_UNAVAILABLE' } });
    expect(longerNow).toMatchObject({ status: 409, body: { code: 'TOOL_UNAVAILABLE' } });
    expect([shorter.status, calendar.status]).toEqual([200, 200]);
    expect((await cancel(owner, id)).status).toBe(200);
  });

  it('keeps a request, which its owner can decline', async () => {
    const renter = await bookings.neighbor();
    const { owner, approvalId, id } = await bookings.requested(renter);

    await block(owner, renter);

    expect((await bookings.seen(renter, id)).status).toBe(200);
    expect((await bookings.answer(owner, approvalId, 'decline')).status).toBe(200);
  });

  it('keeps the later of two events that arrive out of order, and ignores a duplicate', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const toolId = await toolOf(owner);

    await block(owner, renter, { isBlocked: false, version: 2 });
    const first = blocking(owner, renter);
    for (const _ of [1, 2]) await bookings.broker.send(first);
    await block(await bookings.person(), await bookings.person());

    expect((await bookings.postHold(renter, [bookings.line(toolId)])).status).toBe(201);
  });

  it('dead-letters an unreadable message', async () => {
    await bookings.broker.sendRaw(queue, JSON.stringify({ type: 'PersonBlocked', data: 1 }));

    await waitFor('the dead letter', async () => (await bookings.broker.countDead(queue)) === 1);
  });

  it('retries when the database fails briefly', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const toolId = await toolOf(owner);
    await failFirstWrites(bookings.pool, 'blocks', 2);

    await block(owner, renter);

    expect((await bookings.postHold(renter, [bookings.line(toolId)])).status).toBe(404);
  });
});
