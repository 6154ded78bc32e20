import { randomUUID } from 'node:crypto';
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

const update = (user: Person, id: string, body: Record<string, unknown>) =>
  service.http.put(`/api/user/${user.userId}/rentalBookings/update-booking/${id}`, {
    ...user,
    body,
  });
const returned = {
  authorization: 'Authorized',
  returned_status: 'Returned',
  price: 0,
  quantity: 99,
};

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const begun = { start_date: inDays(0), end_date: inDays(2) };

const lend = async () => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  return { owner, renter, toolId, ...(await service.booked(renter, toolId, begun)) };
};

const countReturnEvents = (bookingId: string): number =>
  service.broker.received.filter(
    (event) => event.type === 'BookingReturned' && event.data.bookingId === bookingId,
  ).length;

describe('PUT /api/user/:userId/rentalBookings/update-booking/:id', () => {
  it('rejects a return before the start, and leaves the booking cancellable', async () => {
    const { owner, toolId, renter } = await lend();
    const { id } = await service.booked(renter, toolId, {
      start_date: inDays(20),
      end_date: inDays(22),
    });

    const early = await update(owner, id, returned);

    expect(early).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_STARTED' } });
    const cancelled = await service.http.post(
      `/api/user/${renter.userId}/rentalBookings/cancel-booking/${id}`,
      { ...renter, body: {} },
    );
    expect(cancelled.status).toBe(200);
  });

  it('lets the owner confirm the return, frees the remaining dates and changes nothing else', async () => {
    const { owner, id, toolId } = await lend();

    const { status, body } = await update(owner, id, returned);
    const next = await service.postHold(await service.person(), [service.line(toolId, begun)]);

    expect(status).toBe(200);
    expect(body.rental).toMatchObject({
      id,
      returned_status: 'Returned',
      booking_status: 'Returned',
      price: 12.5,
      quantity: 1,
    });
    expect(next.status).toBe(201);
    const event = await service.broker.expectEvent(
      'BookingReturned',
      (data) => data.bookingId === id,
    );
    expect(event).toMatchObject({ aggregateId: id, version: 3, data: { quantity: 1 } });
  });

  it('confirms a return once, even if it is sent several times at once', async () => {
    const { owner, id } = await lend();

    const replies = await Promise.all([1, 2, 3].map(() => update(owner, id, returned)));
    await service.booked(await service.person(), (await service.tool()).toolId);

    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    expect(countReturnEvents(id)).toBe(1);
  });

  it('keeps the booking unchanged for returned_status "null"', async () => {
    const { owner, id } = await lend();

    const { body } = await update(owner, id, { returned_status: 'null' });

    expect(body.rental).toMatchObject({ returned_status: 'null', booking_status: 'Booked' });
  });

  it('lets an admin confirm the return', async () => {
    const { id } = await lend();

    const { status, body } = await update(await service.person('Admin'), id, returned);

    expect(status).toBe(200);
    expect(body.rental).toMatchObject({ id, booking_status: 'Returned' });
    await service.broker.expectEvent('BookingReturned', (data) => data.bookingId === id);
  });

  it('rejects a return by the renter or a stranger, and the return of a draft', async () => {
    const { renter, id } = await lend();
    const owner = await service.person();
    const { toolId } = await service.tool({ ownerId: owner.userId });
    const { body } = await service.postHold(renter, [service.line(toolId, begun)]);

    expect((await update(renter, id, returned)).status).toBe(403);
    expect((await update(await service.person(), id, returned)).body.code).toBe(
      'BOOKING_NOT_FOUND',
    );
    expect((await update(owner, body.hold.lines[0].id, returned)).status).toBe(404);
    expect((await update(owner, randomUUID(), returned)).status).toBe(404);
  });
});
