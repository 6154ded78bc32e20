import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Availability, Terms } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weekdayIn = (days: number) => weekdays[new Date(inDays(days)).getUTCDay()] as string;

const ask = (toolId: string, from: number, to: number, viewer?: Person) =>
  bookings.http.get(
    `/api/rentals/${toolId}/availability?from=${inDays(from)}&to=${inDays(to)}`,
    viewer,
  );
const calendar = async (...requested: Parameters<typeof ask>): Promise<Availability> =>
  (await ask(...requested)).body.availability;
const days = async (...requested: Parameters<typeof ask>) =>
  (await calendar(...requested)).days.map(({ free, why }) => [free, why]);

const hold = (toolId: string, from: number, to: number, more: object = {}, renter?: Person) =>
  (renter ? Promise.resolve(renter) : bookings.person()).then((person) =>
    bookings.postHold(person, [
      bookings.line(toolId, { start_date: inDays(from), end_date: inDays(to), ...more }),
    ]),
  );

describe('GET /api/rentals/:id/availability', () => {
  it('returns the free units of each day and why the others are not free', async () => {
    const terms: Terms = {
      blocked: [{ from: inDays(9), to: inDays(9) }],
      hours: { [weekdayIn(6)]: null },
      noticeHours: 72,
    };
    const { toolId } = await bookings.tool({ terms, units: 2 });
    await bookings.booked(await bookings.person(), toolId, {
      quantity: 2,
      start_date: inDays(7),
      end_date: inDays(8),
    });
    await hold(toolId, 8, 9);

    expect(await days(toolId, 2, 10)).toEqual([
      [2, 'too-soon'],
      [2, null],
      [2, null],
      [2, null],
      [2, 'closed'],
      [0, 'booked'],
      [1, null],
      [0, 'blocked'],
      [2, null],
    ]);
  });

  it('counts the caller’s own cart as free, because a new cart replaces it', async () => {
    const { toolId } = await bookings.tool();
    const renter = await bookings.person();
    await hold(toolId, 4, 5, {}, renter);

    expect(await days(toolId, 4, 4)).toEqual([[0, 'held']]);
    expect(await days(toolId, 4, 4, renter)).toEqual([[1, null]]);
    expect((await hold(toolId, 4, 6, {}, renter)).status).toBe(201);
  });

  it('returns the free intervals of an hourly tool', async () => {
    const terms: Terms = { hours: { [weekdayIn(5)]: { from: '08:00', to: '18:00' } }, buffer: 1 };
    const { toolId } = await bookings.tool({ terms, rentalCircle: 'hourly' });
    await hold(toolId, 5, 5, { start_time: '10.00 AM', end_time: '12.00 PM' });

    const {
      days: [day],
      taken,
    } = await calendar(toolId, 5, 5);

    const at = (time: string) => `${inDays(5)}T${time}:00.000Z`;
    expect(day?.intervals).toEqual([
      { from: at('08:00'), to: at('09:00'), free: 1 },
      { from: at('13:00'), to: at('18:00'), free: 1 },
    ]);
    expect(taken).toEqual([{ unit: 1, from: at('10:00'), to: at('12:00'), why: 'held' }]);
  });

  it.each([
    ['more than 92 days', 0, 92],
    ['days in the wrong order', 2, 1],
  ])('rejects %s', async (_name, from, to) => {
    const { toolId } = await bookings.tool();

    expect(await ask(toolId, from, to)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });

  it('returns 404 for the calendar of a removed tool', async () => {
    const { toolId, ownerId } = await bookings.tool();
    await bookings.broker.sendNew('ToolRemoved', { toolId, ownerId }, { id: toolId, version: 2 });

    const gone = await waitFor('the removal', async () => {
      const reply = await ask(toolId, 1, 2);
      return reply.status === 404 && reply;
    });
    expect(gone.body.code).toBe('TOOL_NOT_FOUND');
  });

  // One case is enough here: the tests of `packages/contracts` compare the pure rules in thousands of cases.
  it('shows as free exactly the days and quantities that can be held', async () => {
    const terms: Terms = {
      blocked: [{ from: inDays(11), to: inDays(12) }],
      hours: { [weekdayIn(5)]: null },
      noticeHours: 48,
      buffer: 1,
    };
    const { toolId } = await bookings.tool({ terms, units: 2 });
    await bookings.booked(await bookings.person(), toolId, {
      start_date: inDays(7),
      end_date: inDays(9),
    });
    await hold(toolId, 14, 15, { quantity: 2 });
    const shown = (await calendar(toolId, 1, 18)).days;

    for (const quantity of [1, 2]) {
      for (const [i, day] of shown.entries()) {
        const renter = await bookings.person();
        const { status, body } = await hold(toolId, i + 1, i + 1, { quantity }, renter);
        expect({ ...day, quantity, status }).toEqual({
          ...day,
          quantity,
          status: day.why === null && day.free >= quantity ? 201 : 409,
        });
        if (status === 201)
          await bookings.http.delete(`/api/user/${renter.userId}/holds/${body.hold.id}`, renter);
      }
    }
  });
});
