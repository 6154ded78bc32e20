import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../test/bookings-service.ts';
import { changesAt, days } from '../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { lendOnRequest, askChange, answer } = changesAt(() => service);

/** A time zone in which it is about this hour now. */
const zoneWithHour = (hour: number): string => {
  const behind = ((new Date().getUTCHours() - hour + 36) % 24) - 12;
  return `Etc/GMT${behind < 0 ? behind : `+${behind}`}`;
};

/** Makes the reminder due, an hour before the deadline, in a time zone where it is `hour` now. */
const makeDue = async (table: 'bookings' | 'booking_changes', id: string, hour = 12) => {
  const booking =
    table === 'bookings' ? '$1' : '(SELECT booking_id FROM booking_changes WHERE id = $1)';
  await service.pool.query(`UPDATE bookings SET time_zone = $2 WHERE id = ${booking}`, [
    id,
    zoneWithHour(hour),
  ]);
  const { rows } = await service.pool.query<{ answerBy: Date }>(
    `UPDATE ${table} SET remind_answer_at = now(), answer_by = now() + interval '1 hour' WHERE id = $1
     RETURNING answer_by AS "answerBy"`,
    [id],
  );
  return rows[0]?.answerBy;
};

const due = (bookingId: string) =>
  service.broker.expectEvent('BookingAnswerDue', (data) => data.bookingId === bookingId);

/** Counts the reminders of these bookings. A marker's reminder comes last, so all earlier ones are stored by then. */
const countReminders = async (...bookingIds: string[]): Promise<number> => {
  const marker = await service.requested(await service.person());
  await makeDue('bookings', marker.id);
  await due(marker.id);
  const { rows } = await service.pool.query(
    `SELECT FROM outbox_messages WHERE type = 'BookingAnswerDue' AND aggregate_id = ANY($1)`,
    [bookingIds],
  );
  return rows.length;
};

describe('the owner of a tool on request', () => {
  it('schedules a reminder of the owner before the deadline of a request', async () => {
    const { id } = await service.requested(await service.person());
    const { renter, id: bookingId } = await lendOnRequest();
    const { changeId } = await askChange(renter, bookingId, days(10, 13));

    const { rows } = await service.pool.query<{ hours: number }>(
      `SELECT extract(epoch FROM answer_by - remind_answer_at)::float / 3600 AS hours FROM bookings WHERE id = $1
       UNION ALL SELECT extract(epoch FROM answer_by - remind_answer_at)::float / 3600 FROM booking_changes WHERE id = $2`,
      [id, changeId],
    );

    expect(rows).toHaveLength(2);
    for (const { hours } of rows) {
      expect(hours).toBeGreaterThanOrEqual(6);
      expect(hours).toBeLessThanOrEqual(16);
    }
  });

  it('reminds the owner once of a request that lapses soon, on two replicas', async () => {
    const replica = await service.start();
    const renter = await service.person();
    const { id, owner, toolId } = await service.requested(renter);

    const answerBy = await makeDue('bookings', id);

    const { data } = await due(id);
    expect(data).toMatchObject({
      toolId,
      ownerId: owner.userId,
      renterId: renter.userId,
      changeId: null,
      timeZone: zoneWithHour(12),
      answerBy: answerBy?.toISOString(),
    });
    expect(await countReminders(id)).toBe(1);
    await replica.stop();
  });

  it('reminds the owner of a change that lapses soon', async () => {
    const { renter, id } = await lendOnRequest();
    const { changeId } = await askChange(renter, id, days(10, 13));

    await makeDue('booking_changes', changeId);

    expect((await due(id)).data.changeId).toBe(changeId);
    expect(await countReminders(id)).toBe(1);
  });

  it('does not remind the owner at night when a reminder comes late', async () => {
    const { id } = await service.requested(await service.person());

    await makeDue('bookings', id, 2);

    expect(await countReminders(id)).toBe(0);
  });

  it('does not remind the owner of a request that is answered or has lapsed', async () => {
    const accepted = await service.requested(await service.person());
    await service.answer(accepted.owner, accepted.id, 'accept');
    const declined = await service.requested(await service.person());
    await service.answer(declined.owner, declined.id, 'decline');
    const changed = await lendOnRequest();
    const { changeId } = await askChange(changed.renter, changed.id, days(10, 13));
    await answer(changed.owner, changed.id, 'decline', { changeId });
    const lapsed = await service.requested(await service.person());

    for (const { id } of [accepted, declined]) await makeDue('bookings', id);
    await makeDue('booking_changes', changeId);
    await service.pool.query(
      `UPDATE bookings SET remind_answer_at = now(), answer_by = now() - interval '1 second' WHERE id = $1`,
      [lapsed.id],
    );

    expect(await countReminders(accepted.id, declined.id, changed.id, lapsed.id)).toBe(0);
    await waitFor('nothing to look at again', async () => {
      const { rows } = await service.pool.query(
        `SELECT id FROM bookings WHERE remind_answer_at <= now()
         UNION ALL SELECT id FROM booking_changes WHERE remind_answer_at <= now()`,
      );
      return rows.length === 0;
    });
  });
});
