import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  internalSecret,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { cancel, lend } = changesAt(() => service);

const ask = (body: object, token: string | undefined = internalSecret) =>
  service.http.post('/internal/earned-bookings', { token, body });

const setTerms = (id: string) =>
  service.pool.query('UPDATE bookings SET commission = $2 WHERE id = $1', [
    id,
    JSON.stringify({ percent: 10, fixedCents: 30 }),
  ]);

const timeOf = async (id: string, column: string): Promise<number> => {
  const { rows } = await service.pool.query('SELECT * FROM bookings WHERE id = $1', [id]);
  return rows[0][column].getTime();
};

const hoursMs = 3_600_000;

describe('POST /internal/earned-bookings', () => {
  it('names a booking with its terms, the parties, and when the owner may be paid', async () => {
    const { owner, id } = await lend();
    await setTerms(id);

    const { status, body } = await ask({
      bookings: [id, randomUUID()],
      owners: [owner.userId, randomUUID()],
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      bookings: [
        {
          id,
          bookingCode: expect.stringMatching(/^LT/),
          toolName: 'Hammer drill',
          renterName: 'Rita Renter',
          startDate: inDays(10),
          endDate: inDays(14),
          terms: { percent: 10, fixedCents: 30 },
          waitsFor: 'rental',
          releaseAt: new Date((await timeOf(id, 'ends_at')) + 48 * hoursMs).toISOString(),
        },
      ],
      owners: [{ id: owner.userId, name: 'Rita Renter' }],
    });
  });

  it('says that a canceled booking waits for its release', async () => {
    const { owner, id } = await lend();
    await cancel(owner, id);

    const { body } = await ask({ bookings: [id], owners: [] });

    expect(body.bookings).toMatchObject([
      {
        terms: null,
        waitsFor: 'release',
        releaseAt: new Date((await timeOf(id, 'cancelled_at')) + 48 * hoursMs).toISOString(),
      },
    ]);
  });

  it('says that an open problem must be settled first', async () => {
    const { renter, id } = await lend();
    await service.pool.query(
      `UPDATE bookings SET starts_at = now() - interval '1 day' WHERE id = $1`,
      [id],
    );
    await service.http.post(`/api/user/${renter.userId}/rentalBookings/report-problem/${id}`, {
      ...renter,
      body: { text: 'It smokes.' },
    });

    const { body } = await ask({ bookings: [id], owners: [] });

    expect(body.bookings).toMatchObject([{ waitsFor: 'problem', releaseAt: null }]);
  });

  it('is for services only', async () => {
    const { owner } = await lend();

    expect((await ask({ bookings: [], owners: [] }, owner.token)).status).toBe(401);
  });
});
