import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { remindParties } from './remind-parties.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

/** Books a tool from 2 PM in ten days to 2 PM in twelve days. */
const lend = async () => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { toolId } = await service.tool({ ownerId: owner.userId });
  const times = { start_time: '2.00 PM', end_time: '2.00 PM' };
  return { owner, renter, toolId, ...(await service.booked(renter, toolId, times)) };
};

const at = (days: number, time: string): Date => new Date(`${inDays(days)}T${time}:00Z`);

/** Runs `remind-parties` for all bookings, the earliest reminder first. */
const remind = async (moment: Date): Promise<void> => {
  const { rows } = await service.pool.query<{ id: string }>(
    'SELECT id FROM bookings WHERE remind_at <= $1 ORDER BY remind_at',
    [moment],
  );
  for (const { id } of rows) await remindParties(service.jobDeps, id, moment);
};

/** Waits for the reminder of another booking, which is due last, then lists the reminders of this booking. */
const remindersOf = async (bookingId: string): Promise<string[]> => {
  const { id: marker } = await lend();
  await remind(at(9, '09:00'));
  await service.broker.expectEvent('BookingReminderDue', (data) => data.bookingId === marker);
  return service.broker.received.flatMap((event) =>
    event.type === 'BookingReminderDue' && event.data.bookingId === bookingId
      ? [event.data.kind]
      : [],
  );
};

describe('remind-parties', () => {
  it('publishes reminders with the booking, the parties, the dates and an expiry', async () => {
    const { id, code, owner, renter, toolId } = await lend();

    await remind(at(9, '09:00'));

    const event = await service.broker.expectEvent(
      'BookingReminderDue',
      (data) => data.bookingId === id,
    );
    expect(event).toMatchObject({ aggregateId: id });
    expect(event.data).toEqual({
      bookingId: id,
      bookingCode: code,
      kind: 'pick-up',
      toolId,
      toolName: 'Hammer drill',
      ownerId: owner.userId,
      renterId: renter.userId,
      startDate: inDays(10),
      startTime: '2.00 PM',
      endDate: inDays(12),
      endTime: '2.00 PM',
      usefulUntil: at(9, '21:00').toISOString(),
    });
  });

  it('publishes each reminder once, on concurrent replicas and in repeated runs', async () => {
    const { id } = await lend();

    for (const moment of [at(9, '09:00'), at(12, '09:00'), at(12, '14:00'), at(12, '14:30')])
      await Promise.all([1, 2, 3].map(() => remind(moment)));

    expect(await remindersOf(id)).toEqual(['pick-up', 'return-day', 'return-due']);
  });

  it('skips reminders that are no longer useful after a downtime', async () => {
    const { id } = await lend();

    await remind(at(12, '09:30'));
    await remind(at(17, '09:00'));

    expect(await remindersOf(id)).toEqual(['return-day']);
  });

  it('sends no more reminders when the booking is returned or cancelled', async () => {
    const [returned, cancelled] = [await lend(), await lend()];
    await service.pool.query(`UPDATE bookings SET starts_at = now() WHERE id = $1`, [returned.id]);
    await service.http.put(
      `/api/user/${returned.owner.userId}/rentalBookings/update-booking/${returned.id}`,
      { ...returned.owner, body: { returned_status: 'Returned' } },
    );
    await service.http.post(
      `/api/user/${cancelled.renter.userId}/rentalBookings/cancel-booking/${cancelled.id}`,
      { ...cancelled.renter, body: {} },
    );

    for (const days of [9, 12]) await remind(at(days, days === 9 ? '09:00' : '14:00'));

    expect(await remindersOf(returned.id)).toEqual([]);
    expect(await remindersOf(cancelled.id)).toEqual([]);
  });

  it('publishes no reminder for an unpaid booking', async () => {
    const held = await service.held(await service.person());

    await remind(at(9, '10:00'));

    expect(await remindersOf(held.lines[0]?.id ?? '')).toEqual([]);
  });
});
