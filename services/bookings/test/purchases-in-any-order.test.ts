import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { httpClient, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  type Running,
  startBookingsService,
} from './bookings-service.ts';

let service: BookingsService;
let replica: Running;
beforeAll(async () => {
  service = await startBookingsService();
  replica = await service.start();
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

/** The same story for the same seed (mulberry32); how its parts interleave is left to the machine. */
const randomOf = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

interface World {
  random: () => number;
  tools: EventData<'ToolListed'>[];
}

const pick = <T>(random: () => number, items: T[]): T =>
  items[Math.floor(random() * items.length)] as T;

/** One renter's afternoon: a cart over hot dates, then all that may happen to it, some of it twice or at once. */
const playRenter = async ({ random, tools }: World): Promise<void> => {
  const renter = await service.person();
  const http = httpClient(random() < 0.5 ? service.url : replica.url);
  const day = Math.floor(random() * 3);
  const dates = {
    start_date: inDays(10 + day),
    end_date: inDays(11 + day + Math.floor(random() * 2)),
  };
  const lines = [pick(random, tools), pick(random, tools)]
    .slice(0, random() < 0.5 ? 1 : 2)
    .map((tool) => service.line(tool.toolId, dates));
  const { status, body } = await http.post(`/api/user/${renter.userId}/holds`, {
    ...renter,
    body: { lines },
  });
  if (status !== 201) return payWithoutHold(renter, lines[0] as Record<string, unknown>, random);

  const hold = body.hold as { id: string; amountCents: number; lines: { id: string }[] };
  const payment = service.paymentOf(renter, hold.amountCents, hold.id);
  const twin = service.paymentOf(renter, hold.amountCents, hold.id);
  const giveUp = () => http.delete(`/api/user/${renter.userId}/holds/${hold.id}`, renter);
  const runOut = () => service.setExpiry(hold.id, 60);
  const cancel = () =>
    http.post(`/api/user/${renter.userId}/rentalBookings/cancel-booking/${hold.lines[0]?.id}`, {
      ...renter,
      body: {},
    });
  const doings = [
    () => service.succeed(payment),
    () => service.succeed(payment),
    () => service.succeed(twin),
    () => http.post(`/internal/holds/${hold.id}/checkout`, renter),
    giveUp,
    runOut,
    cancel,
  ];
  const chosen = Array.from({ length: 4 }, () => pick(random, doings));
  if (random() < 0.5) await Promise.all(chosen.map((doing) => doing()));
  else for (const doing of chosen) await doing();
};

const payWithoutHold = async (
  renter: Person,
  line: Record<string, unknown>,
  random: () => number,
): Promise<void> => {
  const payment = service.paymentOf(renter, 2_000 + Math.floor(random() * 2_000), null);
  service.payments.push(payment);
  const wish = { ...line, booking_code: `LT${100_000 + Math.floor(random() * 900_000)}` };
  const ask = () =>
    service.http.post(`/api/user/${renter.userId}/add-rental-booking`, { ...renter, body: wish });
  await Promise.all([ask(), service.succeed(payment), ask()]);
};

const countOf = async (sql: string): Promise<number> =>
  (await service.pool.query(sql)).rows[0].count;

describe('sixty renters and four tools, everything at once, on two replicas', () => {
  it('never lends a unit twice, and each payment ends in bookings or goes back', async () => {
    const random = randomOf(20_261);
    const tools = await Promise.all(
      [1, 1, 2, 3].map((units) => service.tool({ units, priceCents: 1_000 })),
    );

    await Promise.all(Array.from({ length: 60 }, () => playRenter({ random, tools })));
    await service.pool.query(
      `UPDATE holds SET expires_at = now() - interval '1 hour' WHERE status = 'live'`,
    );
    await service.pool.query(`UPDATE payments SET recorded_at = now() - interval '1 hour'`);
    await waitFor('the last of it', async () => {
      const known = await countOf('SELECT count(*) FROM payments');
      const open = await countOf(
        `SELECT (SELECT count(*) FROM holds WHERE status = 'live')
              + (SELECT count(*) FROM payments WHERE unassigned_cents > 0 AND hold_id IS NOT NULL)
              + (SELECT count(*) FROM outbox_messages WHERE published_at IS NULL) AS count`,
      );
      return known > 0 && open === 0;
    });

    expect(
      await countOf(
        `SELECT count(*) FROM booking_units a JOIN booking_units b ON a.unit_id = b.unit_id
           AND a.booking_id < b.booking_id AND a.during && b.during
         WHERE a.status IN ('held', 'confirmed') AND b.status IN ('held', 'confirmed')`,
      ),
    ).toBe(0);
    expect(
      await countOf(
        `SELECT count(*) FROM payments p WHERE amount_cents <> rejected_cents + unassigned_cents
           + (SELECT coalesce(sum(amount_cents), 0) FROM draws d WHERE d.payment_id = p.id)`,
      ),
    ).toBe(0);
    expect(
      await countOf(
        `SELECT count(*) FROM payments WHERE hold_id IS NOT NULL AND rejected_cents NOT IN (0, amount_cents)`,
      ),
    ).toBe(0);
    expect(
      await countOf(
        `SELECT count(*) FROM bookings b WHERE (booked_at IS NOT NULL) <> (total_cents =
           (SELECT coalesce(sum(amount_cents), 0) FROM draws d WHERE d.booking_id = b.id))`,
      ),
    ).toBe(0);
    expect(
      await countOf(
        `SELECT count(*) FROM bookings b WHERE b.status IN ('held', 'confirmed', 'returned') AND b.quantity <>
           (SELECT count(*) FROM booking_units u WHERE u.booking_id = b.id AND u.status = b.status)`,
      ),
    ).toBe(0);
    const told = (type: string) =>
      service.broker.heard.filter((event) => event.type === type).length;
    await waitFor('one telling of each booking and of each refund', async () => {
      const booked = await countOf('SELECT count(*) FROM bookings WHERE booked_at IS NOT NULL');
      const rejected = await countOf('SELECT count(*) FROM payments WHERE rejected_cents > 0');
      const isTold = told('BookingCreated') === booked && told('BookingRejected') === rejected;
      return isTold && booked > 0 && rejected > 0;
    });
  });
});
