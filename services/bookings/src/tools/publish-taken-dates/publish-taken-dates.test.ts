import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { publishTakenDates } from './publish-taken-dates.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const publishedOf = (toolId: string) =>
  service.broker.received.flatMap((event) =>
    event.type === 'AvailabilityChanged' && event.data.toolId === toolId ? [event.data] : [],
  );

const markUnpublished = (toolId: string) =>
  service.pool.query('UPDATE tools SET taken_dates_published_at = NULL WHERE id = $1', [toolId]);

const dates = {
  startsAt: `${inDays(10)}T00:00:00.000Z`,
  endsAt: `${inDays(12)}T00:00:00.000Z`,
};

describe('the taken dates of a tool', () => {
  it('are published once, also with concurrent replicas, if they were not published before', async () => {
    const renter = await service.person();
    const [tool, other] = [await service.tool({ units: 3 }), await service.tool()];
    const booked = await service.booked(renter, tool.toolId, { quantity: 2 });
    const held = (await service.held(await service.person(), tool.toolId)).lines[0];
    const over = await service.booked(renter, tool.toolId, {
      start_date: inDays(20),
      end_date: inDays(21),
    });
    await service.pool.query(
      `UPDATE bookings SET status = 'returned', returned_at = now() WHERE id = $1`,
      [over.id],
    );
    await markUnpublished(tool.toolId);

    await Promise.all([1, 2, 3].map(() => publishTakenDates(service.jobDeps)));

    await service.broker.expectEvent(
      'AvailabilityChanged',
      ({ toolId, taken }) => toolId === tool.toolId && taken !== undefined,
    );
    const { toolId } = tool;
    const [published, ...more] = publishedOf(toolId);
    expect(more).toEqual([]);
    expect(published?.taken).toHaveLength(2);
    expect(published?.taken).toEqual(
      expect.arrayContaining([
        {
          bookingId: booked.id,
          toolId,
          quantity: 2,
          units: [1, 2],
          ...dates,
          bookedAt: expect.stringMatching(/Z$/),
        },
        { bookingId: held?.id, toolId, quantity: 1, units: [3], ...dates },
      ]),
    );
    expect(publishedOf(other.toolId)).toEqual([]);
  });

  it('are published in the events of holds and bookings', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool({ units: 2 });
    await service.held(await service.person(), toolId);

    const { id } = await service.booked(renter, toolId);

    const held = await service.broker.expectEvent('BookingHeld', ({ lines }) =>
      lines.some(({ bookingId }) => bookingId === id),
    );
    expect(held.data.lines).toEqual([{ bookingId: id, toolId, quantity: 1, units: [2], ...dates }]);
    const created = await service.broker.expectEvent(
      'BookingCreated',
      ({ bookingId }) => bookingId === id,
    );
    expect(created.data).toMatchObject({ units: [2], ...dates });
  });
});
