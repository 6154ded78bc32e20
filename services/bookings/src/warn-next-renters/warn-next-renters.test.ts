import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../test/bookings-service.ts';
import { changesAt, days } from '../../test/changes.ts';
import { remindParties } from '../remind-parties/remind-parties.ts';
import { warnNextRenters } from './warn-next-renters.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { askChange, unitsOf } = changesAt(() => service);

const at = (days: number, time: string): Date => new Date(`${inDays(days)}T${time}:00Z`);

/** Books both units of a tool until noon in twelve days, and for another renter from 6 PM of that day. */
const lendTwice = async (renters?: { first: Person; second: Person }) => {
  const owner = await service.person();
  const { toolId } = await service.tool({ ownerId: owner.userId, units: 2 });
  const first = renters?.first ?? (await service.person());
  const second = renters?.second ?? (await service.person());
  const times = { quantity: 2, start_time: '12.00 PM', end_time: '12.00 PM' };
  const late = await service.booked(first, toolId, times);
  const next = await service.booked(second, toolId, {
    quantity: 2,
    start_date: inDays(12),
    start_time: '6.00 PM',
    end_date: inDays(13),
    end_time: '6.00 PM',
  });
  // Wait for the service's own reminder job, which locks new bookings: `SKIP LOCKED` would skip them.
  await remindParties(service.jobDeps);
  await service.pool.query('SELECT FROM bookings FOR UPDATE');
  return { owner, toolId, first, second, late, next };
};

const end = (bookingId: string, status: 'returned' | 'cancelled') =>
  service.pool.query('UPDATE bookings SET status = $2 WHERE id = $1', [bookingId, status]);

/** Counts the warnings of a booking. A marker's warning comes last, so all earlier ones are published by then. */
const countWarnings = async (bookingId: string): Promise<number> => {
  const { next: marker } = await lendTwice();
  await warnNextRenters(service.jobDeps, at(12, '13:00'));
  await service.broker.expectEvent('BookingReminderDue', (data) => data.bookingId === marker.id);
  return service.broker.heard.filter(
    (event) =>
      event.type === 'BookingReminderDue' &&
      event.data.kind === 'tool-late' &&
      event.data.bookingId === bookingId,
  ).length;
};

describe('a booking whose tool the previous renter has not returned', () => {
  it('warns once of a tool that is not back, on concurrent replicas and in repeated runs', async () => {
    const { next, second, owner } = await lendTwice();

    await warnNextRenters(service.jobDeps, at(12, '12:29'));
    for (const time of ['12:30', '13:00'])
      await Promise.all([1, 2, 3].map(() => warnNextRenters(service.jobDeps, at(12, time))));

    const { data } = await service.broker.expectEvent(
      'BookingReminderDue',
      ({ bookingId }) => bookingId === next.id,
    );
    expect(data).toMatchObject({
      kind: 'tool-late',
      renterId: second.userId,
      ownerId: owner.userId,
      usefulUntil: at(12, '18:00').toISOString(),
    });
    expect(await countWarnings(next.id)).toBe(1);
  });

  it('does not warn before the tool is overdue, nor once the next booking has begun', async () => {
    const { next } = await lendTwice();

    await warnNextRenters(service.jobDeps, at(12, '12:29'));
    await warnNextRenters(service.jobDeps, at(12, '18:00'));
    await end(next.id, 'cancelled');

    expect(await countWarnings(next.id)).toBe(0);
  });

  it.each(['returned', 'cancelled'] as const)(
    'does not warn the next renter if the previous booking is %s',
    async (status) => {
      const { late, next } = await lendTwice();

      await end(late.id, status);

      expect(await countWarnings(next.id)).toBe(0);
    },
  );

  it('does not warn a renter who has the tool already', async () => {
    const renter = await service.person();
    const { late, next } = await lendTwice({ first: renter, second: renter });

    expect(await countWarnings(next.id)).toBe(0);
    expect(await countWarnings(late.id)).toBe(0);
  });

  it('does not warn of a late unit that the next booking does not use', async () => {
    const { toolId } = await service.tool({ units: 2 });
    const times = { start_time: '12.00 PM', end_time: '12.00 PM' };
    await service.booked(await service.person(), toolId, times);
    const next = await service.booked(await service.person(), toolId, {
      start_date: inDays(11),
      start_time: '12.00 PM',
      end_date: inDays(13),
      end_time: '6.00 PM',
    });
    await service.pool.query('UPDATE bookings SET starts_at = $2 WHERE id = $1', [
      next.id,
      at(12, '18:00'),
    ]);

    expect(await countWarnings(next.id)).toBe(0);
  });

  it('does not warn of a unit that the previous booking has only requested by a change', async () => {
    const { toolId } = await service.tool({ units: 2 });
    const first = await service.person();
    const noon = { start_time: '12.00 PM', end_time: '12.00 PM' };
    const late = await service.booked(first, toolId, noon);
    const on = (start_time: string) =>
      service.person().then((renter) =>
        service.booked(renter, toolId, {
          start_date: inDays(12),
          start_time,
          end_date: inDays(13),
          end_time: '6.00 PM',
        }),
      );
    const [sameUnit, otherUnit] = [await on('2.00 PM'), await on('6.00 PM')];
    await service.pool.query(`UPDATE tools SET terms = '{"booking": "request"}' WHERE id = $1`, [
      toolId,
    ]);
    const longer = { ...days(10, 12), start_time: '12.00 PM', end_time: '4.00 PM' };
    await askChange(first, late.id, longer);

    const warned = [await countWarnings(sameUnit.id), await countWarnings(otherUnit.id)];

    expect(await unitsOf(late.id)).toEqual(['1: 11-13', '2: 11-13']);
    expect(warned).toEqual([1, 0]);
  });
});
