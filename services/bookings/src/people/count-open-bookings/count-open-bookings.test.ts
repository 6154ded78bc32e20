import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  internalSecret,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const none = { rentals: 0, lendings: 0, problems: 0, purchases: 0 };

const openOf = async ({ userId }: Person) =>
  (await bookings.http.get(`/internal/users/${userId}/open-bookings`, { token: internalSecret }))
    .body;

const setStatus = async (id: string, status: string): Promise<void> => {
  await bookings.pool.query('UPDATE bookings SET status = $2 WHERE id = $1', [id, status]);
};

describe('GET /internal/users/:userId/open-bookings', () => {
  it('counts a booking of both parties until it is completed', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const { toolId } = await bookings.tool({ ownerId: owner.userId });
    const { id } = await bookings.booked(renter, toolId);

    expect(await openOf(renter)).toEqual({ ...none, rentals: 1 });
    expect(await openOf(owner)).toEqual({ ...none, lendings: 1 });
    await setStatus(id, 'returned');
    expect(await openOf(renter)).toEqual({ ...none, rentals: 1 });
    await setStatus(id, 'completed');
    expect([await openOf(renter), await openOf(owner)]).toEqual([none, none]);
  });

  it('counts a request that waits for its owner', async () => {
    const renter = await bookings.neighbor();

    const { owner } = await bookings.requested(renter);

    expect(await openOf(renter)).toMatchObject({ rentals: 1 });
    expect(await openOf(owner)).toMatchObject({ lendings: 1 });
  });

  it('counts a problem that is open after the booking, for both parties', async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const { toolId } = await bookings.tool({ ownerId: owner.userId });
    const { id } = await bookings.booked(renter, toolId);
    await setStatus(id, 'cancelled');
    await bookings.pool.query(
      `INSERT INTO booking_problems (booking_id, kind, reported_by, text) VALUES ($1, 'reported', $2, 'It broke')`,
      [id, renter.userId],
    );

    expect([await openOf(renter), await openOf(owner)]).toEqual([
      { ...none, problems: 1 },
      { ...none, problems: 1 },
    ]);
  });

  it('counts a cart once its payment has begun, and a payment that has no booking yet', async () => {
    const renter = await bookings.neighbor();
    const hold = await bookings.held(renter);
    expect(await openOf(renter)).toEqual(none);

    await bookings.checkOut(renter, hold.id);
    expect(await openOf(renter)).toEqual({ ...none, purchases: 1 });

    const payment = await bookings.succeed(bookings.paymentOf(renter, 5_000, null));
    await waitFor('the payment', async () => {
      const { rowCount } = await bookings.pool.query('SELECT FROM payments WHERE id = $1', [
        payment.paymentId,
      ]);
      return rowCount === 1;
    });
    expect(await openOf(renter)).toEqual({ ...none, purchases: 2 });
  });

  it('rejects a caller without the secret of the services', async () => {
    const renter = await bookings.person();

    const reply = await bookings.http.get(`/internal/users/${renter.userId}/open-bookings`, renter);

    expect(reply.status).toBe(401);
  });
});
