import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const cancel = (user: Person, id: string, body: Record<string, unknown> = {}) =>
  service.http.post(`/api/user/${user.userId}/rentalBookings/cancel-booking/${id}`, {
    ...user,
    body,
  });

const lend = async (overrides: Record<string, unknown> = {}) => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  return { owner, renter, toolId, ...(await service.booked(renter, toolId, overrides)) };
};
const startedToday = { start_date: inDays(0), end_date: inDays(1) };

describe('POST /api/user/:userId/rentalBookings/cancel-booking/:id', () => {
  it('refunds everything and frees the dates when the renter cancels before the start', async () => {
    const { renter, owner, id, code, payment, toolId } = await lend();

    const { status, body } = await cancel(renter, id, { reason: 'It rains.' });
    const next = await service.postHold(await service.person(), [service.line(toolId)]);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      message: 'This booking is cancelled, and $25.00 goes back to the card.',
      refundCents: 2_500,
      rental: {
        id,
        booking_status: 'Cancelled',
        address: null,
        cancellation: { by: 'renter', cause: null, reason: 'It rains.', refund: 25 },
      },
    });
    expect(next.status).toBe(201);
    const { data } = await service.broker.expectEvent(
      'BookingCancelled',
      (e) => e.bookingId === id,
    );
    expect(data).toEqual({
      bookingId: id,
      toolId,
      toolName: 'Hammer drill',
      ownerId: owner.userId,
      renterId: renter.userId,
      bookingCode: code,
      quantity: 1,
      cancelledBy: 'renter',
      reason: 'It rains.',
      startsAt: expect.any(String),
      endsAt: expect.any(String),
      paymentIds: [payment.paymentId],
      refunds: [{ paymentId: payment.paymentId, refundCents: 2_500 }],
      keptCents: 0,
      changes: 0,
    });
  });

  it('refunds once for several concurrent cancellations, and sends the same reply to each', async () => {
    const { renter, owner, id } = await lend();

    const replies = await Promise.all([cancel(renter, id), cancel(owner, id), cancel(renter, id)]);
    await service.booked(await service.person(), (await service.tool()).toolId);

    for (const reply of replies)
      expect(reply).toMatchObject({ status: 200, body: { refundCents: 2_500 } });
    const events = service.broker.received.filter(
      (event) => event.type === 'BookingCancelled' && event.data.bookingId === id,
    );
    expect(events).toHaveLength(1);
  });

  it('lets only the owner and admins cancel after the start', async () => {
    const [one, two] = [await lend(startedToday), await lend(startedToday)];

    const byRenter = await cancel(one.renter, one.id);
    const byOwner = await cancel(one.owner, one.id);
    const byAdmin = await cancel(await service.person('Admin'), two.id);

    expect(byRenter).toMatchObject({ status: 409, body: { code: 'BOOKING_STARTED' } });
    expect([byOwner.status, byAdmin.status]).toEqual([200, 200]);
    const { data } = await service.broker.expectEvent(
      'BookingCancelled',
      (e) => e.bookingId === two.id,
    );
    expect(data.cancelledBy).toBe('admin');
  });

  it('lets only admins cancel a reviewed booking, and deletes its review', async () => {
    const { renter, owner, id, toolId } = await lend({ ...startedToday, start_time: '' });
    const review = { rentalBooking_id: id, rating: 5, comment: 'Drilled well.' };
    const path = `/api/user/${renter.userId}/reviews/add-review`;
    await service.http.post(path, { ...renter, body: review });
    // As a replica of 1.0 stores it: the review is visible at once.
    await service.pool.query('UPDATE reviews SET published_at = now() WHERE booking_id = $1', [id]);
    await service.pool.query(
      'INSERT INTO tool_ratings (tool_id, version, rating_count, rating_sum) VALUES ($1, 1, 1, 5)',
      [toolId],
    );

    const byOwner = await cancel(owner, id);
    const byAdmin = await cancel(await service.person('Admin'), id);

    expect(byOwner).toMatchObject({ status: 409, body: { code: 'BOOKING_REVIEWED' } });
    expect(byAdmin).toMatchObject({ status: 200, body: { rental: { rating: 0 } } });
    const event = await service.broker.expectEvent('ReviewWithdrawn', (e) => e.bookingId === id);
    expect(event).toMatchObject({
      aggregateId: toolId,
      version: 2,
      data: { toolRatingCount: 0, toolRatingSum: 0 },
    });
  });

  it('rejects cancelling a returned booking or a draft, and a cancellation by a stranger', async () => {
    const { renter, owner, id, toolId } = await lend(startedToday);
    const draft = await service.postHold(renter, [
      service.line(toolId, { start_date: inDays(20), end_date: inDays(21) }),
    ]);
    const stranger = await cancel(await service.person(), id);
    const path = `/api/user/${owner.userId}/rentalBookings/update-booking/${id}`;
    await service.http.put(path, { ...owner, body: { returned_status: 'Returned' } });

    expect(stranger).toMatchObject({ status: 404, body: { code: 'BOOKING_NOT_FOUND' } });
    expect(await cancel(owner, id)).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE' },
    });
    expect((await cancel(renter, draft.body.hold.lines[0].id)).status).toBe(404);
  });

  it('refunds to each of several payments the part that it paid', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool({ priceCents: 1_000 });
    const first = {
      ...service.paymentOf(renter, 700, null),
      succeededAt: new Date(Date.now() - 1_000).toISOString(),
    };
    const second = service.paymentOf(renter, 5_000, null);
    service.payments.push(first, second);
    const path = `/api/user/${renter.userId}/add-rental-booking`;
    const { body } = await service.http.post(path, { ...renter, body: service.line(toolId) });

    await cancel(renter, body.rental.id);

    const { data } = await service.broker.expectEvent(
      'BookingCancelled',
      (event) => event.bookingId === body.rental.id,
    );
    const expected = [
      { paymentId: first.paymentId, refundCents: 700 },
      { paymentId: second.paymentId, refundCents: 1_300 },
    ];
    expect(data.refunds).toHaveLength(2);
    expect(data.refunds).toEqual(expect.arrayContaining(expected));
  });
});
