import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  internalSecret,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const preview = (user: Partial<Person>, id: string) =>
  service.http.get(`/api/rentalBookings/${id}/cancel-preview`, user);

const cancel = (user: Person, id: string, body: Record<string, unknown> = {}) =>
  service.http.post(`/api/user/${user.userId}/rentalBookings/cancel-booking/${id}`, {
    ...user,
    body,
  });

/** Books a tool for a day at $25.01, backdates the booking to yesterday, and starts the rental in `daysAhead` days. */
const lend = async (cancellation: CancellationPolicy, daysAhead: number) => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { ownerId, toolId } = await service.tool({
    ownerId: owner.userId,
    priceCents: 2_501,
    terms: { cancellation },
  });
  const dates = { start_date: inDays(daysAhead), end_date: inDays(daysAhead + 1) };
  const booking = await service.booked(renter, toolId, dates);
  await service.pool.query(
    `UPDATE bookings SET booked_at = now() - interval '1 day' WHERE id = $1`,
    [booking.id],
  );
  return { owner, renter, ownerId, toolId, ...booking };
};

const refundsOf = async (paymentId: string): Promise<{ refundCents: number }[]> =>
  (
    await service.http.get(`/internal/payments/${paymentId}/refunds`, {
      headers: { authorization: `Bearer ${internalSecret}` },
    })
  ).body.refunds;

describe('a cancellation by the renter', () => {
  it.each([
    ['flexible', 2, 2_501],
    ['flexible', 1, 1_251],
    ['moderate', 6, 2_501],
    ['moderate', 5, 1_251],
    ['moderate', 1, 0],
    ['strict', 8, 1_251],
    ['strict', 7, 0],
  ] as const)(
    'refunds the amount of the preview: %s policy, %d days ahead, %d cents',
    async (policy, daysAhead, cents) => {
      const { renter, owner, id, payment } = await lend(policy, daysAhead);

      const shown = (await preview(renter, id)).body.preview;
      const seen = (await service.http.get(`/api/rentalBookings/${id}/details`, renter)).body
        .booking;
      const { status, body } = await cancel(renter, id, { refundCents: shown.refundCents });

      expect(shown).toMatchObject({ policy, refundCents: cents, keptCents: 2_501 - cents });
      expect(seen).toMatchObject({ cancellationPolicy: policy, refundable: cents / 100 });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        refundCents: cents,
        rental: { cancellation: { by: 'renter', refund: cents / 100 } },
      });
      const { data } = await service.broker.expectEvent(
        'BookingCancelled',
        (event) => event.bookingId === id,
      );
      const refunds = cents > 0 ? [{ paymentId: payment.paymentId, refundCents: cents }] : [];
      expect(data).toMatchObject({ refunds, keptCents: 2_501 - cents });
      expect(await refundsOf(payment.paymentId)).toMatchObject(
        refunds.map(({ refundCents }) => ({ refundCents })),
      );
      const { total } = (await service.http.get(`/api/user/${owner.userId}/earnings`, owner)).body;
      expect(total).toMatchObject({ earnedCents: 2_501 - cents, toComeCents: 0 });
    },
  );

  it('refunds by the policy if no amount is sent, and rejects a wrong amount with the right one in the reply', async () => {
    const { renter, id } = await lend('flexible', 1);

    const rejected = await cancel(renter, id, { refundCents: 2_501 });
    const details = await service.http.get(`/api/rentalBookings/${id}/details`, renter);
    const { body } = await cancel(renter, id);
    const repeated = await cancel(renter, id, { refundCents: 2_501 });

    expect(rejected).toMatchObject({
      status: 409,
      body: {
        code: 'REFUND_CHANGED',
        message: 'The refund has changed: it is now $12.51.',
        preview: { percent: 50, refundCents: 1_251, keptCents: 1_250, next: null },
      },
    });
    expect(details.body.booking.booking_status).toBe('Booked');
    expect(body.refundCents).toBe(1_251);
    // A repeated cancellation returns the refund already made, whatever amount the client sends.
    expect(repeated).toMatchObject({ status: 200, body: { refundCents: 1_251 } });
  });

  it('refunds everything within an hour of booking', async () => {
    const { renter, id } = await lend('strict', 7);
    await service.pool.query(
      `UPDATE bookings SET booked_at = now() - interval '59 minutes' WHERE id = $1`,
      [id],
    );

    const { body } = await preview(renter, id);

    expect(body.preview).toMatchObject({
      percent: 100,
      refundCents: 2_501,
      next: { percent: 0, refundCents: 0 },
    });
    expect(Date.parse(body.preview.until) - Date.now()).toBeLessThan(61_000);
    expect((await cancel(renter, id)).body.refundCents).toBe(2_501);
  });

  it('refunds at most what is left after an earlier refund', async () => {
    const { renter, id } = await lend('flexible', 1);
    const admin = await service.person('Admin');
    const grant = async (amountCents: number) =>
      service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
        ...admin,
        body: { amountCents, reason: 'It rattles.' },
      });
    await grant(2_001);

    const shown = (await preview(renter, id)).body.preview;
    const { body } = await cancel(renter, id, { refundCents: 500 });

    expect(shown).toMatchObject({ percent: 50, refundCents: 500, keptCents: 0 });
    expect(body).toMatchObject({ refundCents: 500, rental: { refunded: 25.01 } });
    expect((await grant(1)).status).toBe(409);
  });

  it('refunds the confirmed amount or is rejected when an admin makes a refund concurrently', async () => {
    for (let round = 0; round < 12; round++) {
      const { renter, id, payment } = await lend('flexible', 2);
      const admin = await service.person('Admin');
      const body = { amountCents: 1, reason: 'A cent.' };
      const grant = () =>
        service.http.post(`/api/rentalBookings/refund-booking/${id}`, { ...admin, body });

      const both = [() => cancel(renter, id, { refundCents: 2_501 }), grant];
      const inTurn = round % 2 === 0 ? both : both.toReversed();
      const replies = await Promise.all(inTurn.map((ask) => ask()));

      const given = (await refundsOf(payment.paymentId)).map(({ refundCents }) => refundCents);
      // If the cancellation commits first, the admin has nothing left to refund. If not, the renter gets 409.
      expect([[2_501], [1]]).toContainEqual(given);
      expect(replies.map(({ status }) => status).toSorted()).toEqual(
        given[0] === 1 ? [201, 409] : [200, 409],
      );
    }
  });

  it('leaves the unrefunded part to the owner until an admin refunds it', async () => {
    const { renter, id, payment } = await lend('strict', 8);
    const admin = await service.person('Admin');
    const statsOf = async () =>
      (await service.http.get('/api/admin/stats/bookings', admin)).body.revenueCents;
    const before = await statsOf();

    await cancel(renter, id);
    const kept = (await statsOf()) - before;
    const { body } = await service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
      ...admin,
      body: { amountCents: 1_250, reason: 'A storm.' },
    });

    expect(kept).toBe(1_250 - 2_501);
    expect(body.rental).toMatchObject({
      refunded: 25.01,
      cancellation: { refund: 12.51 },
      settlement: { refundable: 0 },
    });
    expect(await refundsOf(payment.paymentId)).toHaveLength(2);
    expect(await statsOf()).toBe(before - 2_501);
  });

  it('uses the policy that the tool had when the hold was made', async () => {
    const { renter, owner, id, toolId } = await lend('flexible', 3);
    const tool = service.toolData({
      toolId,
      ownerId: owner.userId,
      terms: { cancellation: 'strict' },
    });
    await service.broker.sendNew('ToolUpdated', tool, { id: toolId, version: 2 });
    await waitFor('the terms', async () => {
      const { rows } = await service.pool.query('SELECT terms FROM tools WHERE id = $1', [toolId]);
      return rows[0].terms.cancellation === 'strict';
    });

    const later = await service.postHold(await service.person(), [service.line(toolId)]);

    expect((await preview(renter, id)).body.preview).toMatchObject({
      policy: 'flexible',
      percent: 100,
    });
    expect(later.body.hold.lines[0].cancellationPolicy).toBe('strict');
  });
});

describe('GET /api/rentalBookings/:id/cancel-preview', () => {
  it('shows a full refund to the owner and to admins', async () => {
    const { owner, id } = await lend('strict', 1);
    const all = {
      policy: 'strict',
      percent: 100,
      refundCents: 2_501,
      keptCents: 0,
      until: null,
      next: null,
    };

    expect((await preview(owner, id)).body).toEqual({ preview: all });
    expect((await preview(await service.person('Admin'), id)).body).toEqual({ preview: all });
    expect((await cancel(owner, id, { refundCents: 2_501 })).body.refundCents).toBe(2_501);
  });

  it('rejects strangers, and returns the error that the cancellation would cause', async () => {
    const { renter, owner, id } = await lend('flexible', 1);
    const stranger = await preview(await service.person(), id);
    const visitor = await preview({}, id);
    await service.pool.query('UPDATE bookings SET starts_at = now() WHERE id = $1', [id]);
    const started = await preview(renter, id);
    await cancel(owner, id);

    expect(stranger).toMatchObject({ status: 404, body: { code: 'BOOKING_NOT_FOUND' } });
    expect(visitor.status).toBe(401);
    expect(started).toMatchObject({ status: 409, body: { code: 'BOOKING_STARTED' } });
    expect(await preview(owner, id)).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE' },
    });
  });
});
