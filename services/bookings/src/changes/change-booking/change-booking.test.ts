import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { preview, change, cancel, lend, pay, changed, unitsOf, refundsOf } = changesAt(
  () => service,
);

describe('a change that costs more', () => {
  it('keeps the booking unchanged until it is paid, and blocks the added dates', async () => {
    const { renter, owner, id, payment, toolId } = await lend();

    const shown = (await preview(renter, id, days(12, 17))).body.preview;
    const { status, body } = await change(renter, id, { ...days(12, 17), dueCents: 1_000 });
    const other = await service.postHold(await service.person(), [
      service.line(toolId, days(16, 17)),
    ]);
    const between = await unitsOf(id);
    const seen = await service.seen(renter, id);
    const seenByOwner = await service.seen(owner, id);
    const checkout = await service.checkOut(renter, body.hold.id);
    const second = await pay(renter, body.hold);
    const { data, version } = await changed(id);

    expect(shown).toEqual({
      totalBeforeCents: 4_000,
      totalCents: 5_000,
      period: 5,
      discountCents: 0,
      dueCents: 1_000,
      refundCents: 0,
      keptCents: 0,
      policy: null,
      percent: 100,
      changesLeft: { today: 5_000, inAll: 30_000 },
      answerBy: null,
    });
    expect(status).toBe(200);
    expect(body.hold).toMatchObject({ amountCents: 1_000 });
    expect(checkout.body).toMatchObject({ amountCents: 1_000 });
    expect(other).toMatchObject({ status: 409, body: { code: 'TOOL_ALREADY_BOOKED' } });
    expect(between).toEqual(['1: 10-14', '1: 14-17']);
    expect(seen).toMatchObject({
      start_date: inDays(10),
      payment: 40,
      unpaidChange: { holdId: body.hold.id, dueCents: 1_000, start_date: inDays(12) },
    });
    const { holdId, ...toOwner } = seen.unpaidChange;
    expect(seenByOwner.unpaidChange).toEqual(toOwner);
    expect(await unitsOf(id)).toEqual(['1: 12-17']);
    expect(data).toMatchObject({
      startDate: inDays(12),
      endDate: inDays(17),
      period: 5,
      totalCents: 5_000,
      units: [1],
      before: { startDate: inDays(10), totalCents: 4_000 },
      dueCents: 1_000,
      refunds: [],
      changes: 1,
      mostPercent: 100,
      renterId: renter.userId,
      ownerId: owner.userId,
    });
    expect(version).toBeGreaterThan(1);
    expect(await service.seen(owner, id)).toMatchObject({
      payment: 50,
      paid: 50,
      start_date: inDays(12),
      unpaidChange: null,
      changes: [
        { paid: 10, refunded: 0, kept: 0, before: { start_date: inDays(10), payment: 40 } },
      ],
    });

    // The cancellation refunds to each of the two payments the part of the price that it paid.
    const { body: cancelled } = await cancel(owner, id);
    expect(cancelled).toMatchObject({
      refundCents: 5_000,
      rental: { cancellation: { refund: 50 } },
    });
    expect(await refundsOf(payment.paymentId)).toMatchObject([{ refundCents: 4_000 }]);
    expect(await refundsOf(second.paymentId)).toMatchObject([{ refundCents: 1_000 }]);
  });

  it('returns the same hold for the same change, and replaces it for a different change', async () => {
    const { renter, id } = await lend();

    const first = (await change(renter, id, days(10, 16))).body.hold;
    const again = (await change(renter, id, days(10, 16))).body.hold;
    const other = (await change(renter, id, days(10, 15))).body.hold;
    await waitFor('the end', async () => (await service.holdStatus(first.id)) === 'ended');

    expect(again).toEqual(first);
    expect(other.amountCents).toBe(1_000);
    expect(await unitsOf(id)).toEqual(['1: 10-14', '1: 14-15']);
    // Once the change is made, repeating the request is a no-op.
    await pay(renter, other);
    await changed(id);
    expect(await change(renter, id, days(10, 15))).toMatchObject({
      status: 200,
      body: { hold: null, rental: { payment: 50 } },
    });
  });

  it.each([
    ['expires', (_: Person, holdId: string) => service.setExpiry(holdId, 1)],
    [
      'is given up',
      (renter: Person, holdId: string) =>
        service.http.delete(`/api/user/${renter.userId}/holds/${holdId}`, renter),
    ],
  ])(
    'keeps the booking unchanged if its hold %s, and refunds a late payment',
    async (_how, end) => {
      const { renter, id, toolId } = await lend();
      const { hold } = (await change(renter, id, days(10, 16))).body;

      await end(renter, hold.id);
      await waitFor('the end', async () => (await service.holdStatus(hold.id)) === 'ended');
      const other = await service.postHold(await service.person(), [
        service.line(toolId, days(14, 16)),
      ]);
      const { paymentId } = await pay(renter, hold);

      expect(other.status).toBe(201);
      const { data } = await service.broker.expectEvent(
        'BookingRejected',
        (event) => event.paymentId === paymentId,
      );
      expect(data).toMatchObject({ refundCents: 2_000, reason: 'unassigned' });
      await service.broker.expectEvent('BookingExpired', (event) => event.holdId === hold.id);
      expect(await unitsOf(id)).toEqual(['1: 10-14']);
      expect(await service.seen(renter, id)).toMatchObject({
        end_date: inDays(14),
        payment: 40,
        unpaidChange: null,
        changes: [],
        refunded: 0,
      });
    },
  );

  it.each([
    [
      'a cancellation by the owner',
      ({ owner, id }: { owner: Person; id: string }) => cancel(owner, id),
    ],
    [
      'a confirmed return',
      async ({ owner, id }: { owner: Person; id: string }) => {
        await service.pool.query('UPDATE bookings SET starts_at = now() WHERE id = $1', [id]);
        return service.http.put(`/api/user/${owner.userId}/rentalBookings/update-booking/${id}`, {
          ...owner,
          body: { returned_status: 'Returned' },
        });
      },
    ],
    [
      'a dispute',
      ({ payment }: { payment: Parameters<BookingsService['dispute']>[0] }) =>
        service.dispute(payment, 'open', { cents: 4_000, version: 3 }),
    ],
  ])('ends with %s while it is unpaid, and refunds a later payment', async (_what, end) => {
    const lent = await lend();
    const { renter, id } = lent;
    const { hold } = (await change(renter, id, days(10, 16))).body;

    await end(lent as never);
    await waitFor('the end', async () => (await service.holdStatus(hold.id)) === 'ended');
    const { paymentId } = await pay(renter, hold);

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      (event) => event.paymentId === paymentId,
    );
    expect(data).toMatchObject({ refundCents: 2_000 });
    expect(await service.seen(renter, id)).toMatchObject({ end_date: inDays(14), changes: [] });
  });

  it('takes another unit if its own is taken, even one in an unpaid cart of the renter', async () => {
    const { renter, id, toolId } = await lend({ units: 2 });
    await service.booked(await service.person(), toolId, days(14, 16));
    const cart = await service.postHold(renter, [service.line(toolId, days(14, 15))]);

    const { status, body } = await change(renter, id, days(10, 16));
    await pay(renter, body.hold);
    await changed(id);

    expect([cart.status, status]).toEqual([201, 200]);
    expect(await service.holdStatus(cart.body.hold.id)).toBe('ended');
    expect(await unitsOf(id)).toEqual(['2: 10-16']);
  });

  it('prefers a unit that no unpaid cart of the renter holds', async () => {
    const { renter, id, toolId } = await lend({ units: 2 });
    const cart = await service.postHold(renter, [service.line(toolId, days(14, 15))]);

    await change(renter, id, days(10, 16));

    expect(await service.holdStatus(cart.body.hold.id)).toBe('live');
    expect(await unitsOf(id)).toEqual(['1: 10-14', '2: 10-16']);
  });

  it.each([
    ['the owner is disabled', 'UPDATE tools SET owner_disabled = true WHERE id = $1'],
    ['the tool is deleted', 'UPDATE tools SET removed_at = now() WHERE id = $1'],
    [
      'the first payment is in dispute',
      `UPDATE payments SET dispute = 'open' WHERE id IN (
         SELECT payment_id FROM allocations d JOIN bookings b ON b.id = d.booking_id WHERE b.tool_id = $1)`,
    ],
  ])('refunds its payment if %s', async (_why, sql) => {
    const { renter, id, toolId } = await lend();
    const { hold } = (await change(renter, id, days(10, 16))).body;

    await service.pool.query(sql, [toolId]);
    const { paymentId } = await pay(renter, hold);

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      (event) => event.paymentId === paymentId,
    );
    expect(data).toMatchObject({ refundCents: 2_000 });
    expect(await unitsOf(id)).toEqual(['1: 10-14']);
  });
});

describe('a change that costs less or the same', () => {
  it('is applied immediately and refunds the policy’s share, as does a later cancellation', async () => {
    const { renter, owner, id, payment } = await lend({ terms: { cancellation: 'strict' } });
    const admin = await service.person('Admin');
    const revenue = async () =>
      (await service.http.get('/api/admin/stats/bookings', admin)).body.revenueCents;
    const before = await revenue();

    const { changesLeft, ...shown } = (await preview(renter, id, days(10, 12))).body.preview;
    const wrong = await change(renter, id, { ...days(10, 12), refundCents: 2_000 });
    const { status, body } = await change(renter, id, { ...days(10, 12), refundCents: 1_000 });
    const { data } = await changed(id);

    expect(shown).toMatchObject({ totalCents: 2_000, refundCents: 1_000, keptCents: 1_000 });
    expect(wrong).toMatchObject({
      status: 409,
      body: { code: 'CHANGE_PRICE_CHANGED', preview: shown },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ hold: null, rental: { payment: 20, paid: 40, refunded: 10 } });
    expect(await service.seen(owner, id)).toMatchObject({
      changes: [{ paid: 0, refunded: 10, kept: 10 }],
    });
    const refunds = [{ paymentId: payment.paymentId, refundCents: 1_000 }];
    expect(data).toMatchObject({ refunds, keptCents: 1_000, dueCents: 0, mostPercent: 50 });
    expect(await refundsOf(payment.paymentId)).toMatchObject([
      { refundCents: 1_000, reason: 'changed', grantId: data.changeId },
    ]);
    expect(await unitsOf(id)).toEqual(['1: 10-12']);
    expect((await revenue()) - before).toBe(-1_000);
    const { total } = (await service.http.get(`/api/user/${owner.userId}/earnings`, owner)).body;
    expect(total).toMatchObject({ earnedCents: 0, toComeCents: 3_000 });

    const { body: cancelled } = await cancel(renter, id);
    expect(cancelled).toMatchObject({
      refundCents: 1_000,
      rental: { cancellation: { refund: 10 }, refunded: 20 },
    });
  });

  it('refunds nothing for a shorter rental once it has started, and still shows the whole amount as paid', async () => {
    const { renter, owner, id } = await lend();
    const admin = await service.person('Admin');
    await service.pool.query(
      `UPDATE bookings SET starts_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );

    const { status } = await change(renter, id, days(10, 12));

    expect(status).toBe(200);
    for (const viewer of [renter, owner, admin]) {
      expect(await service.seen(viewer, id)).toMatchObject({
        payment: 20,
        paid: 40,
        refunded: 0,
        changes: [{ paid: 0, refunded: 0, kept: 20, before: { payment: 40 } }],
      });
    }
    const { body } = await service.http.get('/api/all-bookings', admin);
    expect(body.bookings[0]).toMatchObject({ id, payment: 20, paid: 40 });
  });

  it('is applied immediately at the same price, without raising the refund of a later cancellation', async () => {
    const { renter, id } = await lend({ terms: { cancellation: 'moderate' } });
    await service.pool.query(
      `UPDATE bookings SET starts_at = $2, ends_at = $3, start_date = $4, end_date = $5 WHERE id = $1`,
      [id, inDays(3), inDays(7), inDays(3), inDays(7)],
    );

    const { body } = await change(renter, id, days(30, 34));

    expect(body).toMatchObject({
      hold: null,
      rental: { payment: 40, refundPercentMost: 50, refundable: 20 },
    });
    expect(await unitsOf(id)).toEqual(['1: 30-34']);
  });

  it('splits its refund over both payments of the booking', async () => {
    const { renter, id, payment } = await lend();
    const second = await pay(renter, (await change(renter, id, days(10, 15))).body.hold);
    await changed(id);

    const { body } = await change(renter, id, { ...days(10, 11), refundCents: 4_000 });

    expect(body.rental).toMatchObject({ payment: 10, paid: 50, refunded: 40 });
    const cents = [...(await refundsOf(payment.paymentId)), ...(await refundsOf(second.paymentId))];
    expect(cents.reduce((sum, { refundCents }) => sum + refundCents, 0)).toBe(4_000);
    expect((await cancel(renter, id)).body).toMatchObject({ refundCents: 1_000 });
  });

  it('ends, when it is repeated, an unpaid change that was made in between', async () => {
    const { renter, id } = await lend();
    await change(renter, id, days(10, 12));
    const { hold } = (await change(renter, id, days(10, 16))).body;

    const { body } = await change(renter, id, days(10, 12));
    await waitFor('the end', async () => (await service.holdStatus(hold.id)) === 'ended');

    expect(body).toMatchObject({ hold: null, rental: { payment: 20, unpaidChange: null } });
    expect(await unitsOf(id)).toEqual(['1: 10-12']);
  });
});

/** Runs `start` while a transaction holds the locks of `sql`, and commits that transaction once `start` waits. */
const whileOpen = async <T>(
  sql: string,
  values: unknown[],
  start: () => Promise<T>,
): Promise<T> => {
  const client = await service.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(sql, values);
    const started = start();
    await waitFor('the wait', async () => {
      const { rows } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await client.query('COMMIT');
    return await started;
  } finally {
    client.release();
  }
};

describe('change-booking with concurrent requests', () => {
  const openRows = async (id: string) =>
    (
      await service.pool.query(
        `SELECT count(*) FROM booking_changes WHERE booking_id = $1 AND status = 'open'`,
        [id],
      )
    ).rows[0].count;

  it('leaves only one of two changes open', async () => {
    for (let round = 0; round < 8; round++) {
      const { renter, id } = await lend();

      const replies = await Promise.all([
        change(renter, id, days(10, 16)),
        change(renter, id, days(8, 14)),
      ]);

      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await openRows(id)).toBe(1);
      expect(await unitsOf(id)).toHaveLength(2);
    }
  });

  it('gives the added days either to the change or to another renter’s hold', async () => {
    for (let round = 0; round < 8; round++) {
      const { renter, id, toolId } = await lend();
      const other = await service.person();

      const calls = [
        () => change(renter, id, days(10, 16)),
        () => service.postHold(other, [service.line(toolId, days(14, 16))]),
      ];
      const replies = await Promise.all(
        (round % 2 ? calls : calls.toReversed()).map((call) => call()),
      );

      expect(replies.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(
        1,
      );
      expect((await unitsOf(id))[0]).toBe('1: 10-14');
    }
  });

  it('refunds both payments if a change is paid while its booking is cancelled', async () => {
    for (let round = 0; round < 8; round++) {
      const { renter, owner, id, payment } = await lend();
      const { hold } = (await change(renter, id, days(10, 16))).body;

      const [{ paymentId }, { status }] = await Promise.all([pay(renter, hold), cancel(owner, id)]);
      await waitFor('the money', async () => (await refundsOf(paymentId)).length === 1);

      expect(status).toBe(200);
      expect(await refundsOf(payment.paymentId)).toMatchObject([{ refundCents: 4_000 }]);
      expect(await refundsOf(paymentId)).toMatchObject([{ refundCents: 2_000 }]);
      expect(await unitsOf(id)).toEqual([]);
    }
  });

  it('refunds exactly what was paid if the booking is cancelled during a cheaper change', async () => {
    for (let round = 0; round < 8; round++) {
      const { renter, owner, id, payment } = await lend();

      await Promise.all([change(renter, id, days(10, 12)), cancel(owner, id)]);

      const refunds = await refundsOf(payment.paymentId);
      expect(refunds.reduce((sum, { refundCents }) => sum + refundCents, 0)).toBe(4_000);
    }
  });

  it('rejects a cheaper change with 409 if a concurrent refund at Stripe reduces its refund', async () => {
    const { renter, id, payment } = await lend();

    const { status, body } = await whileOpen(
      `WITH payment AS (UPDATE payments SET shares_version = 3 WHERE id = $1)
       UPDATE allocations SET outside_cents = 3500 WHERE payment_id = $1`,
      [payment.paymentId],
      () => change(renter, id, { ...days(10, 12), refundCents: 2_000 }),
    );

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'CHANGE_PRICE_CHANGED', preview: { refundCents: 500 } });
  });

  it('rejects a change with TOOL_ALREADY_BOOKED if its unit is taken after the calendar was read', async () => {
    const { renter, id, toolId } = await lend();
    const other = await service.booked(await service.person(), toolId, days(20, 21));

    const { status, body } = await whileOpen(
      `INSERT INTO booking_units (booking_id, unit_id, during, status)
       SELECT booking_id, unit_id, tstzrange($2, $3), status FROM booking_units WHERE booking_id = $1`,
      [other.id, inDays(15), inDays(16)],
      () => change(renter, id, days(10, 16)),
    );

    expect([status, body.code]).toEqual([409, 'TOOL_ALREADY_BOOKED']);
  });
});
