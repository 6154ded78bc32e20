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

const todayOf = async (owner: Person, by = owner) =>
  service.http.get(`/api/user/${owner.userId}/today`, by);

const none = { count: 0, first: null };

describe('GET /api/user/:userId/today', () => {
  it('shows an owner what starts and ends today, who waits for an answer, and the month’s earnings', async () => {
    const owner = await service.person();
    const renter = await service.neighbor({ firstName: 'Ray' });
    const { toolId } = await service.tool({ ownerId: owner.userId, units: 5, priceCents: 1_000 });
    const starts = await service.booked(renter, toolId, {
      start_date: inDays(0),
      end_date: inDays(3),
    });
    await service.booked(renter, toolId, { start_date: inDays(1), end_date: inDays(2) });
    const late = await service.booked(renter, toolId, {
      start_date: inDays(1),
      end_date: inDays(4),
    });
    await service.pool.query(
      `UPDATE bookings SET start_date = $2::text, starts_at = $2::timestamptz, end_date = $3::text,
         end_time = '9.00 AM', ends_at = $3::timestamptz WHERE id = $1`,
      [late.id, '2026-01-02', inDays(-1)],
    );
    const request = await service.requested(renter, { ownerId: owner.userId });
    const delayed = await service.requested(renter, { ownerId: owner.userId });
    await service.answer(owner, delayed.approvalId, 'accept', { undoable: true });

    const { status, body } = await todayOf(owner);

    expect(status).toBe(200);
    expect(body.today).toEqual({
      handOvers: {
        count: 1,
        first: {
          bookingId: starts.id,
          overdueSince: null,
          name: 'Hammer drill',
          renter: 'Ray',
          time: '',
        },
      },
      returns: {
        count: 1,
        first: {
          bookingId: late.id,
          overdueSince: inDays(-1),
          name: 'Hammer drill',
          renter: 'Ray',
          time: '9.00 AM',
        },
      },
      answers: {
        count: 1,
        first: {
          bookingId: request.id,
          overdueSince: null,
          name: 'Hammer drill',
          renter: 'Ray',
          time: '',
        },
      },
      earnedCents: 3_000,
    });
  });

  it('is empty for a user without bookings, and private', async () => {
    const owner = await service.person();

    const { body } = await todayOf(owner);

    expect(body.today).toEqual({ handOvers: none, returns: none, answers: none, earnedCents: 0 });
    expect((await todayOf(owner, await service.person())).status).toBe(403);
  });
});
