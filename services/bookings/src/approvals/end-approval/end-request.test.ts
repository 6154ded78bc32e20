import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const ended = async (id: string) =>
  (await bookings.broker.expectEvent('ApprovalEnded', (one) => one.bookingId === id)).data;

describe('POST …/approvals/:id/decline', () => {
  it('frees the dates of a declined request, releases the card, and publishes the owner’s note', async () => {
    const renter = await bookings.person();
    const { id, approvalId, hold, owner, toolId, authorization } = await bookings.requested(renter);
    const note = 'I need it myself that day.';

    const reply = await bookings.answer(owner, approvalId, 'decline', { note });
    const again = await bookings.answer(owner, approvalId, 'decline', { note: 'No.' });

    expect(reply).toMatchObject({
      status: 200,
      body: {
        rental: {
          booking_status: 'Declined',
          allowedActions: [],
          approval: { status: 'declined', note },
        },
      },
    });
    expect(again.body.rental.approval.note).toBe(note);
    expect(await ended(id)).toMatchObject({ outcome: 'declined', note, renterId: renter.userId });
    await bookings.broker.expectEvent('BookingExpired', (one) => one.holdId === hold.id);
    expect((await bookings.reportAuthorization(hold, authorization)).body).toEqual({
      approval: 'ended',
    });
    expect((await bookings.postHold(renter, [bookings.line(toolId)])).status).toBe(201);
  });

  it('hides contact details in the note, because nothing is paid yet', async () => {
    const { id, approvalId, owner } = await bookings.requested(await bookings.person());

    const reply = await bookings.answer(owner, approvalId, 'decline', {
      note: 'Call 503-555-0123',
    });

    expect(reply.body.rental.approval.note).toBe('Call [hidden]');
    expect(await ended(id)).toMatchObject({ note: 'Call [hidden]' });
  });

  it('shows contact details in the note if the operator has turned masking off', async () => {
    const { id, approvalId, owner } = await bookings.requested(await bookings.person());
    const replica = await bookings.start({ MASK_CONTACTS: 'false' });
    const path = `/api/user/${owner.userId}/approvals/${approvalId}/decline`;

    await httpClient(replica.url).post(path, { ...owner, body: { note: 'Call 503-555-0123' } });
    await replica.stop();

    expect(await ended(id)).toMatchObject({ note: 'Call 503-555-0123' });
  });

  it('lets an admin decline a request, but rejects the renter and a stranger', async () => {
    const renter = await bookings.person();
    const { id, approvalId } = await bookings.requested(renter);

    const statuses: number[] = [];
    for (const who of [renter, await bookings.person(), await bookings.person('Admin')])
      statuses.push((await bookings.answer(who, approvalId, 'decline')).status);

    expect(statuses).toEqual([403, 404, 200]);
    expect((await bookings.seen(renter, id)).approval.by).toBe('admin');
  });

  it('rejects declining an accepted request, as does `withdraw`', async () => {
    const renter = await bookings.person();
    const { approvalId, owner } = await bookings.requested(renter);
    await bookings.answer(owner, approvalId, 'accept');

    const replies = [
      await bookings.answer(owner, approvalId, 'decline'),
      await bookings.answer(renter, approvalId, 'withdraw'),
    ];

    for (const { status, body } of replies) {
      expect(status).toBe(409);
      expect(body.detail).toContain('accepted already');
    }
  });
});

describe('POST …/approvals/:id/withdraw', () => {
  it('lets only the renter withdraw a request', async () => {
    const renter = await bookings.person();
    const { id, approvalId, owner, hold } = await bookings.requested(renter);

    const rejected = await bookings.answer(owner, approvalId, 'withdraw');
    const reply = await bookings.answer(renter, approvalId, 'withdraw');
    const again = await bookings.answer(renter, approvalId, 'withdraw');

    expect(rejected.status).toBe(403);
    expect([reply.status, again.status]).toEqual([200, 200]);
    expect(await ended(id)).toMatchObject({ outcome: 'withdrawn', note: '' });
    expect(await bookings.holdStatus(hold.id)).toBe('ended');
    expect(await bookings.seen(owner, id)).toMatchObject({ booking_status: 'Withdrawn' });
  });
});

describe('a request by an admin', () => {
  it('can be withdrawn, but neither accepted nor declined, by that admin', async () => {
    const renter = await bookings.person('Admin');
    const { approvalId } = await bookings.requested(renter);

    const rejected = [
      await bookings.answer(renter, approvalId, 'accept'),
      await bookings.answer(renter, approvalId, 'decline'),
    ];
    const reply = await bookings.answer(renter, approvalId, 'withdraw');

    expect(rejected.map(({ status }) => status)).toEqual([403, 403]);
    expect(reply).toMatchObject({
      status: 200,
      body: { rental: { booking_status: 'Withdrawn' } },
    });
  });
});

describe('an open request', () => {
  it('can’t be cancelled, returned or reviewed, and adds nothing to earnings', async () => {
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
    expect(body.total).toMatchObject({ earnedCents: 0, toComeCents: 0 });
  });
});

describe('GET /api/all-bookings', () => {
  it('lets admins filter requests by status', async () => {
    const admin = await bookings.person('Admin');
    const renter = await bookings.person();
    const { id } = await bookings.requested(renter);
    const declined = await bookings.requested(renter);
    await bookings.answer(declined.owner, declined.approvalId, 'decline');

    const found = async (status: string) => {
      const requested = `/api/all-bookings?userId=${renter.userId}&status=${status}`;
      const { body } = await bookings.http.get(requested, admin);
      return body.bookings.map((one: { id: string }) => one.id);
    };

    expect(await found('Requested')).toEqual([id]);
    expect(await found('Declined')).toEqual([declined.id]);
    expect(await found('Booked')).toEqual([]);
  });
});
