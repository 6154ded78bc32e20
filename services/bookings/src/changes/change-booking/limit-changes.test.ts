import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => service.stop());

const { change, lend, lendOnRequest, requestChange, answer, preview } = changesAt(() => service);

const giveUp = (who: Person, holdId: string) =>
  service.http.delete(`/api/user/${who.userId}/holds/${holdId}`, who);

const unitDaysOf = async (holdId: string): Promise<number> =>
  (await service.pool.query('SELECT unit_days FROM holds WHERE id = $1', [holdId])).rows[0]
    .unit_days;

/** Copies a requested change `times` times, as if requested two days ago. */
const repeat = (approvalId: string, times: number, status: 'done' | 'ended') =>
  service.pool.query(
    `WITH copies AS (
       INSERT INTO booking_changes SELECT (jsonb_populate_record(c, jsonb_build_object('id', uuidv7(), 'status', $2::text,
         'done_at', CASE $2 WHEN 'done' THEN now() END))).*
       FROM booking_changes c CROSS JOIN generate_series(1, $3)
       WHERE c.id = (SELECT change_id FROM approvals WHERE id = $1) RETURNING id, booking_id)
     INSERT INTO approvals (booking_id, change_id, status, requested_at, answer_by, ended_by)
     SELECT booking_id, id, 'withdrawn', now() - interval '2 days', now(), 'renter' FROM copies`,
    [approvalId, status, times],
  );

describe('unpaid changes', () => {
  it('count towards the ten holds of a tool that a renter may make in a day', async () => {
    const { renter, id, toolId } = await lend();
    for (let times = 0; times < 10; times++) {
      const { body } = await change(renter, id, days(10, 90));
      await giveUp(renter, body.hold.id);
    }

    const again = await change(renter, id, days(10, 90));
    const cart = await service.postHold(renter, [service.line(toolId, days(50, 51))]);

    for (const { status, body } of [again, cart]) {
      expect(status).toBe(429);
      expect(body.detail).toContain('You have reserved “Hammer drill” many times today');
    }
  });

  it('are counted with the unit-days that they add to their booking, not with all of its unit-days', async () => {
    const { renter, id } = await lend({ units: 2 });
    const added = async (requested: ReturnType<typeof days>) =>
      unitDaysOf((await change(renter, id, requested)).body.hold.id);

    expect(await added(days(10, 16))).toBe(2);
    expect(await added(days(13, 18))).toBe(4);
    expect(await added(days(60, 65))).toBe(5);
    expect(await added(days(10, 15, 2))).toBe(6);
  });

  it('no longer count towards a limit once another change replaces them', async () => {
    const { renter, id } = await lend();
    await service.held(renter);
    await service.held(renter);

    const first = await change(renter, id, days(10, 16));
    const second = await change(renter, id, days(10, 17));
    const third = await service.postHold(renter, [service.line((await service.tool()).toolId)]);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(third.body.code).toBe('TOO_MANY_HOLDS');
  });
});

describe('change requests without a payment', () => {
  it('count towards the unit-days of the renter’s carts until they are answered', async () => {
    const renter = await service.neighbor();
    const tools = [1, 2, 3].map(() => service.tool({ units: 50, priceCents: 100 }));
    const [one, other, third] = (await Promise.all(tools)).map(({ toolId }) => toolId);
    const { id } = await service.booked(renter, one as string, days(10, 21, 50));
    const another = await service.booked(renter, other as string, days(10, 21, 50));
    await service.pool.query(
      `UPDATE tools SET terms = '{"booking": "request"}' WHERE id IN ($1, $2)`,
      [...[one, other]],
    );
    const moved = days(30, 41, 50);
    const cart = [service.line(third as string, moved)];

    const { approvalId } = await requestChange(renter, id, moved);
    const rejected = await change(renter, another.id, moved);
    const rejectedCart = await service.postHold(renter, cart);
    await answer(renter, approvalId, 'withdraw');
    const requested = await change(renter, another.id, moved);

    for (const { status, body } of [rejected, rejectedCart]) {
      expect([status, body.code]).toEqual([409, 'CART_TOO_LARGE']);
      expect(body.detail).toContain('asks for 550, and your other unpaid carts for 550.');
    }
    expect(requested.body.rental.approval.status).toBe('pending');
  });

  it('are limited only if they add days', async () => {
    const { renter, id } = await lendOnRequest();
    for (let times = 0; times < 3; times++) await service.held(renter);

    const takes = await change(renter, id, days(20, 24));
    const givesBack = await change(renter, id, days(11, 13));

    expect(takes.body.code).toBe('TOO_MANY_HOLDS');
    expect(givesBack.body.rental?.approval.status).toBe('pending');
  });
});

describe('the changes of a booking', () => {
  it('are limited to five in a day', async () => {
    const [{ renter, id }, other] = [await lend(), await lend()];
    const left: unknown[] = [];
    for (let day = 11; day < 16; day++) {
      const { body } = await preview(renter, id, days(day, day + 4));
      left.push(body.preview.changesLeft);
      expect((await change(renter, id, days(day, day + 4))).status).toBe(200);
    }

    expect(left).toEqual([5, 4, 3, 2, 1].map((today) => ({ today, inAll: today + 25 })));
    const looked = await preview(renter, id, days(20, 24));
    const costsNothing = await change(renter, id, days(20, 24));
    const costsMore = await change(renter, id, days(20, 30));
    const lastAgain = await change(renter, id, days(15, 19));
    await service.pool.query(
      `UPDATE booking_changes SET done_at = now() - interval '1 day' WHERE booking_id = $1`,
      [id],
    );

    for (const { status, body } of [looked, costsNothing, costsMore]) {
      expect(status).toBe(429);
      expect(body.detail).toBe(
        'You have asked to change or changed this booking many times today. Please try again in 24 hours.',
      );
    }
    expect(lastAgain.status).toBe(200);
    expect((await change(other.renter, other.id, days(20, 24))).status).toBe(200);
    expect((await change(renter, id, days(20, 24))).status).toBe(200);
  });

  it('are limited to five requests in a day, whatever the answers', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const first = await requestChange(renter, id, days(10, 15));
    await answer(owner, first.approvalId, 'decline');
    const left = [5];
    for (let times = 1; times < 5; times++) {
      left.push((await preview(renter, id, days(10, 13))).body.preview.changesLeft.today);
      const { approvalId } = await requestChange(renter, id, days(10, 13));
      await answer(renter, approvalId, 'withdraw');
    }

    expect(left).toEqual([5, 4, 3, 2, 1]);
    expect((await change(renter, id, days(10, 13))).status).toBe(429);
  });

  it('are limited to thirty in all, including requested ones, whatever the answers', async () => {
    const { renter, id } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(10, 13));
    await answer(renter, approvalId, 'withdraw');
    await change(renter, id, days(10, 20));
    const { changesLeft } = (await preview(renter, id, days(20, 24))).body.preview;
    await repeat(approvalId, 14, 'done');
    await repeat(approvalId, 15, 'ended');

    const { status, body } = await change(renter, id, days(20, 24));

    // The unpaid change does not count towards the limit.
    expect(changesLeft).toEqual({ today: 4, inAll: 29 });
    expect(status).toBe(429);
    expect(body.detail).toBe(
      'This booking has been changed too many times to be changed again. You can still cancel it.',
    );
  });
});
