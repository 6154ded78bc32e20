import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Terms } from '@lendtools/contracts';
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

const of = (user: Person) => `/api/user/${user.userId}/rentalBookings`;
const confirm = (user: Person, id: string) =>
  service.http.put(`${of(user)}/update-booking/${id}`, {
    ...user,
    body: { returned_status: 'Returned' },
  });
const undo = (user: Person, id: string) =>
  service.http.post(`${of(user)}/undo-return/${id}`, { ...user, body: {} });

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const begun = { start_date: inDays(0), end_date: inDays(2) };

const returned = async (terms: Terms = {}) => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { toolId } = await service.tool({ ownerId: owner.userId, terms });
  const { id } = await service.booked(renter, toolId, begun);
  await confirm(owner, id);
  return { owner, renter, toolId, id };
};

const eventsOf = (type: string, bookingId: string) =>
  service.broker.received.filter(
    (event) =>
      event.type === type && (event.data as { bookingId?: string }).bookingId === bookingId,
  );

describe('POST /api/user/:userId/rentalBookings/undo-return/:id', () => {
  it('undoes a return within a minute and reserves its dates again', async () => {
    const { owner, toolId, id } = await returned();
    const bookedAt = async () =>
      (await service.pool.query('SELECT booked_at FROM bookings WHERE id = $1', [id])).rows[0];
    const before = await bookedAt();

    const { status, body } = await undo(owner, id);

    expect(status).toBe(200);
    expect(body.rental).toMatchObject({
      id,
      booking_status: 'Booked',
      returned_status: 'null',
      returnedAt: null,
    });
    expect(await bookedAt()).toEqual(before);
    const taken = await service.postHold(await service.person(), [service.line(toolId, begun)]);
    expect(taken.body.code).toBe('TOOL_ALREADY_BOOKED');
    const event = await service.broker.expectEvent(
      'BookingReturnUndone',
      (data) => data.bookingId === id,
    );
    expect(event).toMatchObject({ aggregateId: id, version: 4, data: { toolId, quantity: 1 } });
  });

  it('allows the owner to undo a return until the rental is reviewed', async () => {
    const { owner, renter, id } = await returned();
    const admin = await service.person('Admin');
    const allowed = async (user: Person) => {
      const { body } = await service.http.get(`/api/rentalBookings/${id}/details`, user);
      return body.booking.allowedActions;
    };

    expect([await allowed(owner), await allowed(renter)]).toEqual([
      ['undoReturn', 'reportProblem'],
      ['review', 'reportProblem'],
    ]);
    expect(await allowed(admin)).toEqual(['undoReturn', 'refund']);
    await service.http.post(`/api/user/${renter.userId}/reviews/add-review`, {
      ...renter,
      body: { rentalBooking_id: id, rating: 5, comment: 'As new.' },
    });

    expect([await allowed(owner), await allowed(admin)]).toEqual([['reportProblem'], ['refund']]);
  });

  it('rejects an admin who is the renter, as accepting the return does', async () => {
    const [owner, renter] = [await service.person(), await service.person('Admin')];
    const { toolId } = await service.tool({ ownerId: owner.userId });
    const { id } = await service.booked(renter, toolId, begun);

    const confirmed = await confirm(renter, id);
    await confirm(owner, id);
    const undone = await undo(renter, id);

    expect([confirmed.status, undone.status]).toEqual([403, 403]);
  });

  it('undoes a return once for concurrent requests, and lets the owner confirm the return again', async () => {
    const { owner, id } = await returned();

    const replies = await Promise.all([1, 2, 3].map(() => undo(owner, id)));
    const again = await confirm(owner, id);
    await service.booked(await service.person(), (await service.tool()).toolId);

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(again.body.rental).toMatchObject({ booking_status: 'Returned' });
    expect(eventsOf('BookingReturnUndone', id)).toHaveLength(1);
    expect(eventsOf('BookingReturned', id)).toHaveLength(2);
  });

  it('rejects undoing a return after a minute', async () => {
    const { owner, id } = await returned();
    await service.pool.query(
      `UPDATE bookings SET returned_at = now() - interval '71 seconds' WHERE id = $1`,
      [id],
    );

    expect(await undo(owner, id)).toMatchObject({
      status: 409,
      body: { code: 'RETURN_NOT_UNDONE', message: expect.stringMatching(/a minute/) },
    });
  });

  it('rejects undoing a return once the dates are taken or the renter has reviewed the rental', async () => {
    const [taken, reviewed] = [await returned(), await returned()];
    await service.postHold(await service.person(), [service.line(taken.toolId, begun)]);
    const { renter } = reviewed;
    await service.http.post(`/api/user/${renter.userId}/reviews/add-review`, {
      ...renter,
      body: { rentalBooking_id: reviewed.id, rating: 5, comment: 'Strong.' },
    });

    const replies = [await undo(taken.owner, taken.id), await undo(reviewed.owner, reviewed.id)];

    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([409, 'RETURN_NOT_UNDONE']),
    );
    expect(eventsOf('BookingReturnUndone', taken.id)).toEqual([]);
  });

  it('gives the booking another code if the owner’s next booking uses the old one by now', async () => {
    const { owner, id } = await returned();
    const { rows } = await service.pool.query('SELECT code FROM bookings WHERE id = $1', [id]);
    const { code } = rows[0];
    const { toolId } = await service.tool({ ownerId: owner.userId });
    const next = await service.booked(await service.person(), toolId, { booking_code: code });

    const { status, body } = await undo(owner, id);

    expect(next.code).toBe(code);
    expect(status).toBe(200);
    expect(body.rental.booking_code).toMatch(/^LT[1-9]\d{5}$/);
    expect(body.rental.booking_code).not.toBe(code);
  });

  it('undoes a return even if another booking now lies within the buffer', async () => {
    const { owner, id, toolId } = await returned({ buffer: 2 });
    const next = { start_date: inDays(2), end_date: inDays(3) };
    const held = await service.postHold(await service.person(), [service.line(toolId, next)]);

    const { status } = await undo(owner, id);

    expect([held.status, status]).toEqual([201, 200]);
  });

  it('undoes a return if the renter reviewed the rental before the return', async () => {
    const { owner, renter, id } = await returned();
    expect((await undo(owner, id)).status).toBe(200);
    await service.http.post(`/api/user/${renter.userId}/reviews/add-review`, {
      ...renter,
      body: { rentalBooking_id: id, rating: 5, comment: 'Strong.' },
    });
    await confirm(owner, id);

    const { status, body } = await undo(owner, id);

    expect([status, body.rental?.returned_status]).toEqual([200, 'null']);
  });

  it('lets only the owner and admins undo a return, and only of a returned booking', async () => {
    const { owner, renter, id } = await returned();
    const booked = await service.booked(
      renter,
      (await service.tool({ ownerId: owner.userId })).toolId,
    );

    expect((await undo(renter, id)).status).toBe(403);
    expect((await undo(await service.person(), id)).body.code).toBe('BOOKING_NOT_FOUND');
    expect((await undo(owner, randomUUID())).status).toBe(404);
    expect((await undo(await service.person('Admin'), id)).status).toBe(200);
    await service.http.post(`${of(renter)}/cancel-booking/${booked.id}`, { ...renter, body: {} });
    const cancelled = await undo(await service.person('Admin'), booked.id);
    expect(cancelled.body.code).toBe('BOOKING_NOT_ACTIVE');
  });
});
