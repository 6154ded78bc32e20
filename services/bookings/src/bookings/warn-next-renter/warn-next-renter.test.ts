import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import { warnNextRenter } from './warn-next-renter.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { requestChange, unitsOf } = changesAt(() => service);

const at = (days: number, time: string): Date => new Date(`${inDays(days)}T${time}:00Z`);

/** Books both units of a tool twice: for one renter until noon in twelve days, for another from 6 PM on that day. */
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
  return { owner, toolId, first, second, late, next };
};

/** Runs `warn-next-renter` for all bookings, the oldest first, as if the time were `moment`. */
const warn = async (moment: Date): Promise<void> => {
  const { rows } = await service.pool.query<{ id: string }>('SELECT id FROM bookings ORDER BY id');
  for (const { id } of rows) await warnNextRenter(service.jobDeps, id, moment);
};

/** When `warn-next-renter` will run for a booking; undefined if it is not scheduled. */
const scheduledAt = async (bookingId: string): Promise<Date | undefined> => {
  const { rows } = await service.pool.query<{ at: Date }>(
    `SELECT run_at AS at FROM graphile_worker.jobs WHERE key = 'warn-next-renter:' || $1`,
    [bookingId],
  );
  return rows[0]?.at;
};

/** Moves a booking in time, without running the scheduled tasks. */
const move = async (bookingId: string, startsIn: string, endsIn: string): Promise<void> => {
  await service.jobDeps.pool.query(
    `WITH moved AS (
       UPDATE bookings SET starts_at = now() + $2::interval, ends_at = now() + $3::interval WHERE id = $1)
     UPDATE booking_units SET during = tstzrange(now() + $2::interval, now() + $3::interval) WHERE booking_id = $1`,
    [bookingId, startsIn, endsIn],
  );
};

const end = (bookingId: string, status: 'returned' | 'cancelled') =>
  service.pool.query('UPDATE bookings SET status = $2 WHERE id = $1', [bookingId, status]);

/** Waits for the warning of another booking, which is sent last, then counts the warnings of this booking. */
const countWarnings = async (bookingId: string): Promise<number> => {
  const { next: marker } = await lendTwice();
  await warn(at(12, '13:00'));
  await service.broker.expectEvent('BookingReminderDue', (data) => data.bookingId === marker.id);
  return service.broker.received.filter(
    (event) =>
      event.type === 'BookingReminderDue' &&
      event.data.kind === 'tool-late' &&
      event.data.bookingId === bookingId,
  ).length;
};

describe('warn-next-renter', () => {
  it('warns once of a tool that is not back, on concurrent replicas and in repeated runs', async () => {
    const { next, second, owner } = await lendTwice();

    await warn(at(12, '12:29'));
    for (const time of ['12:30', '13:00'])
      await Promise.all([1, 2, 3].map(() => warn(at(12, time))));

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

  it('is scheduled a day before the start, then when the previous booking is overdue, then when the booking itself is overdue', async () => {
    const { late, next, second } = await lendTwice();
    const run = async (day: number, time: string): Promise<Date | undefined> => {
      await warnNextRenter(service.jobDeps, next.id, at(day, time));
      return scheduledAt(next.id);
    };

    const times = [
      ...[await scheduledAt(late.id), await scheduledAt(next.id)],
      ...[await run(11, '17:59'), await run(11, '18:00')],
      ...[await run(12, '12:10'), await run(12, '12:30')],
    ];
    const path = `/api/user/${second.userId}/rentalBookings/cancel-booking/${next.id}`;
    await service.http.post(path, { ...second, body: {} });

    expect(times).toEqual([
      ...[at(9, '12:00'), at(11, '18:00')],
      ...[at(11, '18:00'), at(13, '18:30')],
      ...[at(12, '12:30'), at(13, '18:30')],
    ]);
    expect(await scheduledAt(next.id)).toBeUndefined();
  });

  it('warns of a tool that becomes overdue only after the next booking was checked', async () => {
    const { late, next } = await lendTwice();
    await move(late.id, '-2 days', '-31 minutes');
    await move(next.id, '2 hours', '1 day');

    await warnNextRenter(service.jobDeps, late.id);

    const { data } = await service.broker.expectEvent(
      'BookingReminderDue',
      ({ bookingId, kind }) => bookingId === next.id && kind === 'tool-late',
    );
    expect(data.kind).toBe('tool-late');
  });

  it('does not warn before the tool is overdue, nor once the next booking has begun', async () => {
    const { next } = await lendTwice();

    await warn(at(12, '12:29'));
    await warn(at(12, '18:00'));
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

  it('does not warn if the previous booking only has a pending change to that unit', async () => {
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
    await requestChange(first, late.id, longer);

    const warned = [await countWarnings(sameUnit.id), await countWarnings(otherUnit.id)];

    expect(await unitsOf(late.id)).toEqual(['1: 11-13', '2: 11-13']);
    expect(warned).toEqual([1, 0]);
  });
});
