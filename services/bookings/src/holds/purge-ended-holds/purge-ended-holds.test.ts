import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricIn, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import { purgeEndedHolds } from './purge-ended-holds.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ PURGE_INTERVAL_MINUTES: '0.01' });
});
afterAll(() => service.stop());

const countRows = async (renter: Person): Promise<Record<string, number>> => {
  const { rows } = await service.pool.query(
    `SELECT (SELECT count(*) FROM holds WHERE user_id = $1) AS holds,
       (SELECT count(*) FROM bookings WHERE user_id = $1) AS bookings,
       (SELECT count(*) FROM booking_units u JOIN bookings b ON b.id = u.booking_id WHERE user_id = $1) AS units`,
    [renter.userId],
  );
  return rows[0];
};

const age = (renter: Person, days: number) =>
  service.pool.query(
    `UPDATE holds SET expires_at = now() - $2 * interval '1 day' WHERE user_id = $1`,
    [renter.userId, days],
  );

const holdAndRelease = async (renter: Person, toolId: string): Promise<string> => {
  const hold = await service.postHold(renter, [service.line(toolId, { quantity: 2 })]);
  const { id } = hold.body.hold;
  await service.http.delete(`/api/user/${renter.userId}/holds/${id}`, renter);
  return id;
};

const purged = async (): Promise<number> => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  // The counter is missing until the first purge.
  return metricIn(metrics, 'purged_total', { kind: 'ended_holds' }) || 0;
};

describe('the purge of ended holds', () => {
  it('deletes released holds after a week, however many there are, and counts them', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool({ units: 2 });
    for (let times = 0; times < 30; times++) await holdAndRelease(renter, toolId);
    const before = await countRows(renter);
    const purgedBefore = await purged();

    await age(renter, 8);
    await waitFor('the purge', async () => (await countRows(renter)).holds === 0);

    expect(before).toEqual({ holds: 30, bookings: 30, units: 60 });
    expect(await countRows(renter)).toEqual({ holds: 0, bookings: 0, units: 0 });
    expect(await purged()).toBe(purgedBefore + 30);
  });

  it('keeps ended holds for a week, and open and paid ones for ever', async () => {
    const [young, live, buyer] = [
      await service.person(),
      await service.person(),
      await service.person(),
    ];
    const [first, second] = [await service.tool({ units: 2 }), await service.tool({ units: 2 })];
    await holdAndRelease(young, first.toolId);
    await age(young, 6);
    const dates = { start_date: inDays(20), end_date: inDays(21) };
    await service.booked(buyer, second.toolId, dates);
    await age(buyer, 400);
    await service.postHold(live, [service.line(second.toolId)]);

    await Promise.all([purgeEndedHolds(service.pool), purgeEndedHolds(service.pool)]);

    const holds = await Promise.all(
      [young, live, buyer].map(async (p) => (await countRows(p)).holds),
    );
    expect(holds).toEqual([1, 1, 1]);
  });

  it('lets a payment that arrives after the purge be refunded', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool({ units: 2 });
    const holdId = await holdAndRelease(renter, toolId);
    await age(renter, 8);
    await waitFor('the purge', async () => (await countRows(renter)).holds === 0);

    await service.succeed(service.paymentOf(renter, 5_000, holdId));

    const { data } = await service.broker.expectEvent(
      'BookingRejected',
      (event) => event.userId === renter.userId,
    );
    expect(data).toMatchObject({ holdId, refundCents: 5_000, reason: 'slot-lost' });
  });
});

describe('change requests that were not approved', () => {
  it('are kept for 90 days, with and without a card', async () => {
    const { lendOnRequest, requestChange, answer } = changesAt(() => service);
    const [old, young] = [await lendOnRequest(), await lendOnRequest()];
    for (const { renter, id } of [old, young])
      for (const requested of [days(10, 16), days(10, 13)]) {
        const { approvalId } = await requestChange(renter, id, requested);
        await answer(renter, approvalId, 'withdraw');
      }
    const changesOf = async (id: string): Promise<number> =>
      (await service.pool.query('SELECT FROM booking_changes WHERE booking_id = $1', [id])).rows
        .length;

    await Promise.all([age(old.renter, 91), age(young.renter, 89)]);
    await service.pool.query(
      `UPDATE approvals SET answer_by = now() - CASE booking_id WHEN $1 THEN 91 ELSE 89 END * interval '1 day'`,
      [old.id],
    );
    await waitFor('the purge', async () => (await changesOf(old.id)) === 0);

    expect(await changesOf(young.id)).toBe(2);
  });
});
