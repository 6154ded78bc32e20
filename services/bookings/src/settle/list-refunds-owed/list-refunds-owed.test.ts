import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RefundOwed } from '@lendtools/contracts';
import {
  type BookingsService,
  internalSecret,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const ask = (path: string) => service.http.get(path, { token: internalSecret });
const ofPayment = async (paymentId: string) =>
  (await ask(`/internal/payments/${paymentId}/refunds`)).body.refunds;

const cancelled = async ({ grantedCents = 0 } = {}) => {
  const [owner, renter] = [await service.person(), await service.person()];
  const tool = await service.tool({ ownerId: owner.userId });
  const booking = await service.booked(renter, tool.toolId);
  if (grantedCents > 0)
    await service.http.post(`/api/rentalBookings/refund-booking/${booking.id}`, {
      ...(await service.person('Admin')),
      body: { amountCents: grantedCents, reason: 'The drill was broken.' },
    });
  await service.http.post(`/api/user/${owner.userId}/rentalBookings/cancel-booking/${booking.id}`, {
    ...owner,
    body: {},
  });
  const { paymentId, amountCents } = booking.payment;
  return {
    paymentId,
    bookingId: booking.id,
    grantId: null,
    refundCents: amountCents - grantedCents,
    reason: 'cancelled',
    toolNames: [tool.name],
  };
};

const rejected = async () => {
  const renter = await service.person();
  const hold = await service.held(renter);
  const { paymentId, amountCents } = await service.succeed(
    service.paymentOf(renter, hold.amountCents + 100, hold.id),
  );
  await service.broker.expectEvent('BookingRejected', (data) => data.paymentId === paymentId);
  return {
    paymentId,
    bookingId: null,
    grantId: null,
    refundCents: amountCents,
    reason: 'unassigned',
    toolNames: ['Hammer drill'],
  };
};

/** For each reason, whether a refund belongs to a booking, an admin's grant or a change. */
const refundKinds: [
  RefundOwed['reason'],
  { ofBooking: boolean; ofGrant?: boolean; ofChange?: boolean },
][] = [
  ['slot-lost', { ofBooking: false }],
  ['unassigned', { ofBooking: false }],
  ['cancelled', { ofBooking: true }],
  ['changed', { ofBooking: true, ofChange: true }],
  ['admin', { ofBooking: true, ofGrant: true }],
];

const dropForeignKeys = async () => {
  for (const column of ['payment', 'booking', 'grant', 'change'])
    await service.pool.query(
      `ALTER TABLE refund_orders DROP CONSTRAINT IF EXISTS refund_orders_${column}_id_fkey`,
    );
};

const readPages = async (since: string): Promise<RefundOwed[][]> => {
  const pages: RefundOwed[][] = [];
  let cursor: string | null = null;
  do {
    const query: URLSearchParams = new URLSearchParams({ since, ...(cursor && { cursor }) });
    const { status, body } = await ask(`/internal/refunds?${query}`);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    pages.push(body.items);
    cursor = body.nextCursor;
  } while (cursor);
  return pages;
};

describe('the list of refunds owed', () => {
  it('lists the refund of a cancelled booking and of a payment without a booking', async () => {
    const [one, other] = [await cancelled(), await rejected()];

    expect(await ofPayment(one.paymentId)).toEqual([one]);
    expect(await ofPayment(other.paymentId)).toEqual([other]);
  });

  it.each(refundKinds)(
    'lists each of 250 %s refunds of the same instant once, in pages',
    async (reason, { ofBooking, ofGrant = false, ofChange = false }) => {
      const { paymentId } = await rejected();
      await dropForeignKeys();
      await service.pool.query(
        `INSERT INTO refund_orders (payment_id, booking_id, grant_id, change_id, refund_cents, reason, tool_names, ordered_at)
         SELECT CASE WHEN $2 THEN $1 ELSE uuidv7() END, CASE WHEN $2 THEN uuidv7() END,
           CASE WHEN $3 THEN uuidv7() END, CASE WHEN $4 THEN uuidv7() END, n, $5, '{}', now() - interval '1 day'
         FROM generate_series(1, 250) n`,
        [paymentId, ofBooking, ofGrant, ofChange, reason],
      );
      const since = new Date(Date.now() - 2 * 86_400_000).toISOString();

      const pages = await readPages(since);
      await service.pool.query(
        `DELETE FROM refund_orders WHERE ordered_at < now() - interval '1 hour'`,
      );

      expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
      const cents = pages.flat().map(({ refundCents }) => refundCents);
      expect(cents.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    },
  );

  it('leaves out refunds of the last two minutes, whose events may still be in transit', async () => {
    const { paymentId } = await rejected();

    const { body } = await ask('/internal/refunds?since=2020-01-01T00:00:00Z');

    expect(JSON.stringify(body.items)).not.toContain(paymentId);
    expect(Date.parse(body.upTo)).toBeLessThan(Date.now() - 60_000);
  });

  it.each(['/internal/refunds?since=2020-01-01T00:00:00Z', '/internal/payments/:id/refunds'])(
    'accepts only the internal secret at %s',
    async (path) => {
      const url = path.replace(':id', (await rejected()).paymentId);
      const callers = [
        undefined,
        (await service.person()).token,
        (await service.person('Admin')).token,
        `${internalSecret}x`,
      ];

      const replies = await Promise.all(callers.map((token) => service.http.get(url, { token })));

      expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      expect((await ask(url)).status).toBe(200);
    },
  );
});
