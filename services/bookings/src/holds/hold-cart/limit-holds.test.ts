import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => service.stop());

/** Inserts unpaid ended holds with the given unit-days. The oldest is `minutesAgo` minutes old. */
const addEndedHolds = (
  renter: Person,
  { holds, unitDays, minutesAgo }: { holds: number; unitDays: number; minutesAgo: number },
) =>
  service.pool.query(
    `INSERT INTO holds (user_id, status, amount_cents, unit_days, expires_at, created_at)
     SELECT $1, 'ended', 100, $3, now(), now() - $4 * interval '1 minute' + n * interval '1 second'
     FROM generate_series(0, $2 - 1) n`,
    [renter.userId, holds, unitDays, minutesAgo],
  );

const release = (renter: Person, holdId: string) =>
  service.http.delete(`/api/user/${renter.userId}/holds/${holdId}`, renter);

describe('the limit on unpaid holds', () => {
  it('allows a large cart, but not three carts of everything for three months', async () => {
    const [planner, other] = [await service.person(), await service.person()];
    const blocker = await service.person();
    const tools = await Promise.all(
      Array.from({ length: 20 }, () => service.tool({ units: 50, priceCents: 100 })),
    );
    const whole = (days: number, quantity: number) =>
      tools.map(({ toolId }) =>
        service.line(toolId, { quantity, start_date: inDays(1), end_date: inDays(1 + days) }),
      );

    const blocked = await Promise.all(
      [1, 2, 3].map(() => service.postHold(blocker, whole(90, 50))),
    );
    const party = await service.postHold(planner, whole(3, 15));
    const neighbor = await service.postHold(other, whole(7, 1));

    expect(blocked.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(blocked[0]?.body).toMatchObject({
      code: 'CART_TOO_LARGE',
      detail:
        'Before paying you can hold 1,000 tool-days (tools times days) at most. This cart asks for 90,000. Please take fewer tools or days, and rent the rest in a second purchase.',
      errors: [{ path: 'lines' }],
    });
    expect([party.status, neighbor.status]).toEqual([201, 201]);
  });

  it('adds up the unit-days of all unpaid carts, but not those of paid carts', async () => {
    const renter = await service.person();
    const tool = await service.tool({ units: 50, priceCents: 100 });
    const month = { start_date: inDays(1), end_date: inDays(31), quantity: 20 };
    const next = { ...month, start_date: inDays(31), end_date: inDays(61) };
    const first = await service.postHold(renter, [service.line(tool.toolId, month)]);

    const second = await service.postHold(renter, [service.line(tool.toolId, next)]);
    const { id, amountCents } = first.body.hold;
    await service.succeed(service.paymentOf(renter, amountCents, id));
    await service.broker.expectEvent('BookingCreated', (data) => data.renterId === renter.userId);
    const third = await service.postHold(renter, [service.line(tool.toolId, next)]);

    expect(second.status).toBe(409);
    expect(second.body.detail).toContain('and your other unpaid carts for 600.');
    expect(third.status).toBe(201);
  });

  it('limits unpaid carts to 3,000 unit-days in a day, including carts that were given up', async () => {
    const renter = await service.person();
    const lines = [service.line((await service.tool()).toolId)];
    await addEndedHolds(renter, { holds: 2, unitDays: 1_000, minutesAgo: 1_380 });
    await addEndedHolds(renter, { holds: 1, unitDays: 999, minutesAgo: 720 });

    const { status, body, headers } = await service.postHold(renter, lines);
    const another = await service.postHold(await service.person(), lines);

    expect(status).toBe(429);
    expect(body).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      detail:
        'You have reserved a lot today without paying for it. Please pay for a cart first. Please try again in 1 hour.',
    });
    expect(Math.round(Number(headers.get('retry-after')) / 60)).toBe(60);
    expect(another.status).toBe(201);
  });

  it('limits a person to ten unpaid holds of the same tool in a day, and still lets other people hold it', async () => {
    const renter = await service.person();
    const lines = [service.line((await service.tool({ name: 'Ladder' })).toolId)];
    for (let times = 0; times < 10; times++) {
      const { body } = await service.postHold(renter, lines);
      await release(renter, body.hold.id);
    }

    const again = await service.postHold(renter, lines);
    const another = await service.postHold(await service.person(), lines);

    expect(again.status).toBe(429);
    expect(again.body.detail).toBe(
      'You have reserved “Ladder” many times today without paying for it. Please try again in 24 hours.',
    );
    expect(another.status).toBe(201);
  });

  it('limits a person to sixty unpaid carts in an hour, even under concurrent requests', async () => {
    const renter = await service.person();
    await addEndedHolds(renter, { holds: 58, unitDays: 1, minutesAgo: 50 });
    await addEndedHolds(renter, { holds: 500, unitDays: 1, minutesAgo: 90 });
    const tools = await Promise.all([1, 2, 3].map(() => service.tool()));

    const replies = await Promise.all(
      tools.map(({ toolId }) => service.postHold(renter, [service.line(toolId)])),
    );

    const rejected = replies.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(1);
    expect(rejected[0]?.body.detail).toMatch(
      /^You have started many carts .*again in 1[01] minutes\.$/,
    );
  });

  it('counts a cart once when its Idempotency-Key is repeated', async () => {
    const renter = await service.person();
    await addEndedHolds(renter, { holds: 59, unitDays: 1, minutesAgo: 50 });
    const lines = [service.line((await service.tool()).toolId)];
    const key = { 'idempotency-key': randomUUID() };

    const replies = [];
    for (let times = 0; times < 5; times++)
      replies.push(await service.postHold(renter, lines, key));

    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });
});
