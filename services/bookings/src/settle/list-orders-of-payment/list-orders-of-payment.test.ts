import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  internalSecret,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const { lend, change, cancel, pay, changed } = changesAt(() => service);

const get = (paymentId: string, token: string | undefined = internalSecret) =>
  service.http.get(`/internal/payments/${paymentId}/orders`, { token });
const ordersOf = async (paymentId: string) => (await get(paymentId)).body;
const releaseOf = async ({ payment }: { payment: { paymentId: string } }) =>
  (await ordersOf(payment.paymentId)).shares[0].releaseAt;

const setTerms = (bookingId: string, percent: number, fixedCents: number) =>
  service.pool.query('UPDATE bookings SET commission = $2 WHERE id = $1', [
    bookingId,
    JSON.stringify({ percent, fixedCents }),
  ]);

const rowOf = async (id: string) =>
  (await service.pool.query('SELECT * FROM bookings WHERE id = $1', [id])).rows[0];

const hoursLater = (from: Date, hours: number): string =>
  new Date(from.getTime() + hours * 3_600_000).toISOString();

const report = async (who: Person, id: string): Promise<string> => {
  const path = `/api/user/${who.userId}/rentalBookings/report-problem/${id}`;
  const { body } = await service.http.post(path, { ...who, body: { text: 'It smokes.' } });
  return body.rental.problems.at(-1).id;
};

const settle = (problemId: string) =>
  service.http.post(`/api/admin/problems/${problemId}/settle`, {
    ...admin,
    body: { note: 'We talked to both of you.' },
  });

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const begun = { start_date: inDays(0), end_date: inDays(2) };

const begin = async () => {
  const [owner, renter] = [await service.neighbor(), await service.neighbor()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  return { owner, renter, toolId, ...(await service.booked(renter, toolId, begun)) };
};

describe('GET /internal/payments/:paymentId/orders', () => {
  it('lists a share for each line of a cart, also for one that costs nothing', async () => {
    const [one, other, renter] = [
      await service.person(),
      await service.person(),
      await service.person(),
    ];
    const tools = [
      await service.tool({ ownerId: one.userId, priceCents: 1_700 }),
      await service.tool({ ownerId: other.userId, priceCents: 999 }),
      await service.tool({ ownerId: other.userId, priceCents: 0 }),
    ];
    const { body } = await service.postHold(
      renter,
      tools.map(({ toolId }) => service.line(toolId)),
    );
    const [first, second, free] = body.hold.lines.map(({ id }: { id: string }) => id);
    await setTerms(first, 10, 30);
    const { paymentId } = await pay(renter, body.hold);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === free);

    const { status, body: found } = await get(paymentId);

    expect(status).toBe(200);
    const open = { terms: null, releaseAt: null };
    expect(found).toEqual({
      shares: [
        {
          ...open,
          bookingId: first,
          ownerId: one.userId,
          toolId: tools[0]?.toolId,
          cents: 3_400,
          terms: { percent: 10, fixedCents: 30 },
        },
        {
          ...open,
          bookingId: second,
          ownerId: other.userId,
          toolId: tools[1]?.toolId,
          cents: 1_998,
        },
        { ...open, bookingId: free, ownerId: other.userId, toolId: tools[2]?.toolId, cents: 0 },
      ],
      refunds: [],
    });
  });

  it('lists the refunds of a payment as /refunds does, and keeps the whole share', async () => {
    const { owner, id, payment } = await lend();
    await service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
      ...admin,
      body: { amountCents: 101, reason: 'It was dull.' },
    });
    await cancel(owner, id);

    const { shares, refunds } = await ordersOf(payment.paymentId);

    expect(shares).toMatchObject([{ bookingId: id, cents: 4_000 }]);
    expect(refunds).toMatchObject([
      { refundCents: 101, reason: 'admin', bookingId: id, grantId: expect.any(String) },
      { refundCents: 3_899, reason: 'cancelled', bookingId: id, grantId: null },
    ]);
    const owed = await service.http.get(`/internal/payments/${payment.paymentId}/refunds`, {
      token: internalSecret,
    });
    expect(refunds).toMatchObject(owed.body.refunds);
  });

  it('gives the fixed part of the commission to the share of a booking’s oldest payment only', async () => {
    const { renter, id, payment } = await lend();
    await setTerms(id, 10, 30);
    const { body } = await change(renter, id, days(10, 16));
    const second = await pay(renter, body.hold);
    await changed(id);

    const [first, added] = [await ordersOf(payment.paymentId), await ordersOf(second.paymentId)];

    expect(first.shares).toMatchObject([{ cents: 4_000, terms: { percent: 10, fixedCents: 30 } }]);
    expect(added.shares).toMatchObject([{ cents: 2_000, terms: { percent: 10, fixedCents: 0 } }]);
  });

  it('gives the fixed part to the first payment that paid something, after a line of 0 cents', async () => {
    const renter = await service.neighbor();
    const discounts = [{ days: 3 as const, percent: 90 }];
    const screws = await service.tool({ priceCents: 1, units: 50, terms: { discounts } });
    const { body } = await service.postHold(renter, [
      service.line(screws.toolId, days(10, 13)),
      service.line((await service.tool()).toolId),
    ]);
    const id = body.hold.lines[0].id;
    await setTerms(id, 10, 30);
    await pay(renter, body.hold);
    await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === id);
    const { body: changing } = await change(renter, id, days(10, 30, 50));
    const second = await pay(renter, changing.hold);
    await changed(id);

    const { shares } = await ordersOf(second.paymentId);

    expect(shares).toMatchObject([{ cents: 100, terms: { percent: 10, fixedCents: 30 } }]);
  });

  it('releases a completed booking at its completion, and none before', async () => {
    const { renter, owner, id, payment } = await begin();
    expect(await releaseOf({ payment })).toBeNull();

    await service.http.put(`/api/user/${owner.userId}/rentalBookings/update-booking/${id}`, {
      ...owner,
      body: { returned_status: 'Returned' },
    });
    expect(await releaseOf({ payment })).toBeNull();
    await service.pool.query(
      `UPDATE bookings SET returned_at = now() - interval '49 hours' WHERE id = $1`,
      [id],
    );

    const { completedAt } = await waitFor('the completion', async () => {
      const seen = await service.seen(renter, id);
      return seen.completedAt && seen;
    });
    expect(await releaseOf({ payment })).toBe(completedAt);
  });

  it('releases what a cancellation left to the owner 48 hours later', async () => {
    const { renter, id, payment } = await lend({ terms: { cancellation: 'strict' } });
    await cancel(renter, id);

    const { cancelled_at } = await rowOf(id);

    expect(await releaseOf({ payment })).toBe(hoursLater(cancelled_at, 48));
    await service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
      ...admin,
      body: { amountCents: 2_000, reason: 'It was dull.' },
    });
    expect(await releaseOf({ payment })).toBeNull();
  });

  it('releases nothing of a cancellation that owes the renter what was refunded in the dashboard', async () => {
    const { owner, id, payment } = await lend();
    await service.refundAtStripe(payment, { cents: 1_500 });
    await waitFor('the refund', async () => (await service.seen(owner, id)).refunded === 15);
    await cancel(owner, id);

    const { shares, refunds } = await ordersOf(payment.paymentId);

    expect(refunds).toMatchObject([{ refundCents: 4_000, orderedAt: expect.any(String) }]);
    expect(shares).toMatchObject([{ cents: 4_000, releaseAt: null }]);
  });

  it('waits while a problem is open', async () => {
    const { renter, id, payment } = await begin();
    const problemId = await report(renter, id);
    await service.pool.query(
      `UPDATE bookings SET status = 'completed', completed_at = now() WHERE id = $1`,
      [id],
    );
    expect(await releaseOf({ payment })).toBeNull();

    await settle(problemId);

    const { completed_at } = await rowOf(id);
    expect(await releaseOf({ payment })).toBe(completed_at.toISOString());
  });

  it('reads shares and refunds in one snapshot', async () => {
    const { id, payment } = await lend();
    const blocker = await service.pool.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE refund_orders');
      const reading = ordersOf(payment.paymentId);
      await waitFor('the second read', async () => {
        const { rowCount } = await blocker.query(
          `SELECT FROM pg_locks WHERE relation = 'refund_orders'::regclass AND NOT granted`,
        );
        return rowCount !== 0;
      });
      await blocker.query(
        `INSERT INTO refund_orders (payment_id, booking_id, refund_cents, reason, tool_names)
         VALUES ($1, $2, 4000, 'cancelled', '{}')`,
        [payment.paymentId, id],
      );
      await blocker.query('COMMIT');

      expect((await reading).refunds).toEqual([]);
      expect((await ordersOf(payment.paymentId)).refunds).toHaveLength(1);
    } finally {
      blocker.release();
    }
  });

  it('is empty for a payment that bookings has not recorded', async () => {
    expect(await ordersOf(randomUUID())).toEqual({ shares: [], refunds: [] });
  });

  it('accepts only the internal secret', async () => {
    const tokens = ['', (await service.person()).token, admin.token, `${internalSecret}x`];

    const replies = await Promise.all(tokens.map((token) => get(randomUUID(), token)));

    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});
