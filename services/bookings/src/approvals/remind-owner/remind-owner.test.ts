import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import { remindOwner } from './remind-owner.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { lendOnRequest, requestChange, answer } = changesAt(() => service);

/** Returns a time zone in which it is now about `hour` o'clock. */
const zoneWithHour = (hour: number): string => {
  const behind = ((new Date().getUTCHours() - hour + 36) % 24) - 12;
  return `Etc/GMT${behind < 0 ? behind : `+${behind}`}`;
};

/** Makes the owner's reminder due now, an hour before the deadline, in a time zone where it is `hour` o'clock. */
const makeDue = async (bookingId: string, hour = 12) => {
  await service.pool.query('UPDATE bookings SET time_zone = $2 WHERE id = $1', [
    bookingId,
    zoneWithHour(hour),
  ]);
  const { rows } = await service.pool.query<{ answerBy: Date }>(
    `UPDATE approvals SET remind_at = now(), answer_by = now() + interval '1 hour' WHERE booking_id = $1
     RETURNING answer_by AS "answerBy"`,
    [bookingId],
  );
  return rows[0]?.answerBy;
};

const due = (bookingId: string) =>
  service.broker.expectEvent('ApprovalDue', (data) => data.bookingId === bookingId);

const scheduledReminders = async (): Promise<string[]> => {
  const { rows } = await service.pool.query<{ key: string }>(
    `SELECT key FROM graphile_worker.jobs WHERE task_identifier = 'remind-owner'`,
  );
  return rows.map(({ key }) => key);
};

/** Waits for the reminder of another booking, which is due last, then counts the reminders of the given bookings. */
const countReminders = async (...bookingIds: string[]): Promise<number> => {
  const marker = await service.requested(await service.person());
  await makeDue(marker.id);
  await due(marker.id);
  const { rows } = await service.pool.query(
    `SELECT FROM outbox_messages WHERE type = 'ApprovalDue' AND aggregate_id = ANY($1)`,
    [bookingIds],
  );
  return rows.length;
};

describe('remind-owner', () => {
  it('schedules a reminder for the owner before the deadline of a request', async () => {
    const request = await service.requested(await service.person());
    const { renter, id } = await lendOnRequest();
    const change = await requestChange(renter, id, days(10, 13));

    const { rows } = await service.pool.query<{ hours: number }>(
      `SELECT extract(epoch FROM answer_by - run_at)::float / 3600 AS hours
       FROM approvals a JOIN graphile_worker.jobs ON key = 'remind-owner:' || a.id WHERE a.id = ANY($1)`,
      [[request.approvalId, change.approvalId]],
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
    const { id, approvalId, owner, toolId } = await service.requested(renter);

    const answerBy = await makeDue(id);

    const { data } = await due(id);
    expect(data).toMatchObject({
      toolId,
      ownerId: owner.userId,
      renterId: renter.userId,
      approvalId,
      changeId: null,
      timeZone: zoneWithHour(12),
      answerBy: answerBy?.toISOString(),
    });
    expect(await countReminders(id)).toBe(1);
    await replica.stop();
  });

  it('reminds the owner of a change that lapses soon', async () => {
    const { renter, id } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(10, 13));

    await makeDue(id);

    expect((await due(id)).data).toMatchObject({ approvalId, changeId: expect.any(String) });
    expect(await countReminders(id)).toBe(1);
  });

  it('does not send a delayed reminder at night', async () => {
    const { id } = await service.requested(await service.person());

    await makeDue(id, 2);

    expect(await countReminders(id)).toBe(0);
  });

  it('does not remind the owner of a request that is answered or has lapsed', async () => {
    const accepted = await service.requested(await service.person());
    await service.answer(accepted.owner, accepted.approvalId, 'accept');
    const declined = await service.requested(await service.person());
    await service.answer(declined.owner, declined.approvalId, 'decline');
    const changed = await lendOnRequest();
    const { approvalId } = await requestChange(changed.renter, changed.id, days(10, 13));
    await answer(changed.owner, approvalId, 'decline');
    const lapsed = await service.requested(await service.person());

    const scheduled = await scheduledReminders();
    for (const { id } of [accepted, declined, changed]) await makeDue(id);
    await service.pool.query(
      `UPDATE approvals SET remind_at = now(), answer_by = now() - interval '1 second' WHERE id = $1`,
      [lapsed.approvalId],
    );

    // Run the reminders although the answers cancelled them: a reminder may have started before its answer.
    const answered = [accepted.approvalId, declined.approvalId, approvalId];
    for (const id of [...answered, lapsed.approvalId]) await remindOwner(service.jobDeps, id);

    expect(await countReminders(accepted.id, declined.id, changed.id, lapsed.id)).toBe(0);
    expect(scheduled).toContain(`remind-owner:${lapsed.approvalId}`);
    for (const id of answered) expect(scheduled).not.toContain(`remind-owner:${id}`);
  });
});
