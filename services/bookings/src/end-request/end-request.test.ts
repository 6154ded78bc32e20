import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const ended = async (id: string) =>
  (await bookings.broker.expectEvent('BookingRequestEnded', (one) => one.bookingId === id)).data;

describe('POST …/decline-request/:id', () => {
  it('frees the dates of a declined request, releases the card, and publishes the owner’s note', async () => {
    const renter = await bookings.person();
    const { id, hold, owner, toolId, authorization } = await bookings.requested(renter);
    const note = 'I need it myself that day.';

    const reply = await bookings.answer(owner, id, 'decline', { note });
    const again = await bookings.answer(owner, id, 'decline', { note: 'No.' });

    expect(reply).toMatchObject({
      status: 200,
      body: { rental: { booking_status: 'Declined', allowedActions: [], request: { note } } },
    });
    expect(again.body.rental.request.note).toBe(note);
    expect(await ended(id)).toMatchObject({ outcome: 'declined', note, renterId: renter.userId });
    await bookings.broker.expectEvent('BookingExpired', (one) => one.holdId === hold.id);
    expect((await bookings.reportAuthorization(hold, authorization)).body).toEqual({
      request: 'ended',
    });
    expect((await bookings.askHold(renter, [bookings.line(toolId)])).status).toBe(201);
  });

  it('lets an admin decline a request, but neither the renter nor a stranger', async () => {
    const renter = await bookings.person();
    const { id } = await bookings.requested(renter);

    const statuses: number[] = [];
    for (const who of [renter, await bookings.person(), await bookings.person('Admin')])
      statuses.push((await bookings.answer(who, id, 'decline')).status);

    expect(statuses).toEqual([403, 404, 200]);
    expect((await bookings.seen(renter, id)).request.by).toBe('admin');
  });

  it('rejects declining or withdrawing an accepted request', async () => {
    const renter = await bookings.person();
    const { id, owner } = await bookings.requested(renter);
    await bookings.answer(owner, id, 'accept');

    const replies = [
      await bookings.answer(owner, id, 'decline'),
      await bookings.answer(renter, id, 'withdraw'),
    ];

    for (const { status, body } of replies) {
      expect(status).toBe(409);
      expect(body.detail).toContain('accepted already');
    }
  });
});

describe('POST …/withdraw-request/:id', () => {
  it('lets only the renter withdraw a request', async () => {
    const renter = await bookings.person();
    const { id, owner, hold } = await bookings.requested(renter);

    const refused = await bookings.answer(owner, id, 'withdraw');
    const reply = await bookings.answer(renter, id, 'withdraw');
    const again = await bookings.answer(renter, id, 'withdraw');

    expect(refused.status).toBe(403);
    expect([reply.status, again.status]).toEqual([200, 200]);
    expect(await ended(id)).toMatchObject({ outcome: 'withdrawn', note: '' });
    expect(await bookings.holdStatus(hold.id)).toBe('ended');
    expect(await bookings.seen(owner, id)).toMatchObject({ booking_status: 'Withdrawn' });
  });
});

describe('an admin who rents', () => {
  it('lets an admin who rents withdraw their own request, but neither accept nor decline it', async () => {
    const renter = await bookings.person('Admin');
    const { id } = await bookings.requested(renter);

    const refused = [
      await bookings.answer(renter, id, 'accept'),
      await bookings.answer(renter, id, 'decline'),
    ];
    const reply = await bookings.answer(renter, id, 'withdraw');

    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect(reply).toMatchObject({
      status: 200,
      body: { rental: { booking_status: 'Withdrawn' } },
    });
  });
});

describe('an open request', () => {
  it('rejects a cancellation, return or review of an open request, and counts no earnings for it', async () => {
    const renter = await bookings.person();
    const { id, owner } = await bookings.requested(renter);
    const at = (who: string) => `/api/user/${who}`;

    const replies = [
      await bookings.http.post(`${at(renter.userId)}/rentalBookings/cancel-booking/${id}`, {
        token: renter.token,
        body: {},
      }),
      await bookings.http.put(`${at(owner.userId)}/rentalBookings/update-booking/${id}`, {
        token: owner.token,
        body: { returned_status: 'Returned' },
      }),
      await bookings.http.post(`${at(renter.userId)}/reviews/add-review`, {
        token: renter.token,
        body: { rentalBooking_id: id, rating: 1, comment: 'Never answers.' },
      }),
    ];

    for (const { status, body } of replies)
      expect([status, body.code]).toEqual([409, 'BOOKING_NOT_ACTIVE']);
    const { body } = await bookings.http.get(`${at(owner.userId)}/earnings`, owner);
    expect(body.total).toEqual({ earnedCents: 0, toComeCents: 0 });
  });
});

describe('GET /api/all-bookings', () => {
  it('lets admins filter requests by status', async () => {
    const admin = await bookings.person('Admin');
    const renter = await bookings.person();
    const { id } = await bookings.requested(renter);
    const declined = await bookings.requested(renter);
    await bookings.answer(declined.owner, declined.id, 'decline');

    const found = async (status: string) => {
      const asked = `/api/all-bookings?userId=${renter.userId}&status=${status}`;
      const { body } = await bookings.http.get(asked, admin);
      return body.bookings.map((one: { id: string }) => one.id);
    };

    expect(await found('Requested')).toEqual([id]);
    expect(await found('Declined')).toEqual([declined.id]);
    expect(await found('Booked')).toEqual([]);
  });
});
