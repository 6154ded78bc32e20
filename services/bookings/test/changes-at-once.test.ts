import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  type Running,
  startBookingsService,
} from './bookings-service.ts';
import { changesAt, retryOn503 } from './changes.ts';
import { deadlocksOf } from './deadlocks.ts';

let service: BookingsService;
let replica: Running;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
  replica = await service.start({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

// biome-ignore lint/style/noProcessEnv: a parameter of this test only.
const rounds = Number(process.env.CHANGE_ROUNDS ?? 30);

const { answer } = changesAt(() => service);

/** A seeded generator (mulberry32): the same seed gives the same actions, but their interleaving varies. */
const randomOf = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const random = randomOf(20_262);
const below = (limit: number): number => Math.floor(random() * limit);

interface Dates {
  quantity: number;
  start_date: string;
  end_date: string;
}

/** Random dates: one to four of twelve days, one or two units. */
const anyDates = (): Dates => {
  const from = 10 + below(9);
  return {
    quantity: 1 + below(2),
    start_date: inDays(from),
    end_date: inDays(from + 1 + below(4)),
  };
};

/** A renter and the expected state of their booking. */
interface Renter {
  person: Person;
  id: string;
  /** The booking's dates and quantity according to the last reply. */
  has: Dates;
  open: { hold: { id: string; amountCents: number }; wants: Dates } | undefined;
}

/** Calls one of the two replicas at random. */
const callAny = async (
  method: 'post' | 'delete',
  path: string,
  request: Person & { body?: object },
) => {
  const http = httpClient(random() < 0.5 ? service.url : replica.url);
  return retryOn503(() => http[method](path, request));
};

const change = async (renter: Renter): Promise<void> => {
  const { userId } = renter.person;
  const wants = anyDates();
  const path = `/api/user/${userId}/rentalBookings/change-booking/${renter.id}`;
  const { status, body } = await callAny('post', path, { ...renter.person, body: wants });
  if (status !== 200) {
    // If a request is rejected, the change that was open before stays open.
    expect([400, 409]).toContain(status);
    return;
  }
  if (body.hold) renter.open = { hold: body.hold, wants };
  else Object.assign(renter, { has: wants, open: undefined });
};

const pay = async (renter: Renter): Promise<void> => {
  const { hold, wants } = renter.open as NonNullable<Renter['open']>;
  const payment = service.paymentOf(renter.person, hold.amountCents, hold.id);
  await service.succeed(payment);
  await waitFor('the payment', async () => {
    const { rows } = await service.pool.query(
      'SELECT FROM payments WHERE id = $1 AND unassigned_cents = 0',
      [payment.paymentId],
    );
    return rows.length > 0;
  });
  Object.assign(renter, { has: wants, open: undefined });
};

const giveUp = async (renter: Renter): Promise<void> => {
  const path = `/api/user/${renter.person.userId}/holds/${renter.open?.hold.id}`;
  expect((await callAny('delete', path, renter.person)).status).toBe(200);
  renter.open = undefined;
};

/** Holds a cart for random dates and releases it at once. */
const holdAndLeave = async (toolId: string, person: Person): Promise<void> => {
  const path = `/api/user/${person.userId}/holds`;
  const lines = [service.line(toolId, { ...anyDates() })];
  const { status, body } = await callAny('post', path, { ...person, body: { lines } });
  if (status === 201) await callAny('delete', `${path}/${body.hold.id}`, person);
};

/** Holds a cart and leaves it unpaid. A later change or cart of the renter replaces it. */
const holdCart = async (person: Person, toolId: string): Promise<void> => {
  const lines = [service.line(toolId, { ...anyDates() })];
  const path = `/api/user/${person.userId}/holds`;
  const { status } = await callAny('post', path, { ...person, body: { lines } });
  expect([201, 409]).toContain(status);
};

/** A renter whose changes need approval, with the open change request. */
interface Requester extends Omit<Renter, 'open'> {
  owner: Person;
  requested:
    | { approvalId: string; wants: Dates; hold: { id: string; amountCents: number } | null }
    | undefined;
}

/** Requests a change. If it costs more, reports the card's authorization twice concurrently. */
const requestChange = async (requester: Requester): Promise<void> => {
  const { person, id } = requester;
  const wants = anyDates();
  const path = `/api/user/${person.userId}/rentalBookings/change-booking/${id}`;
  const { status, body } = await callAny('post', path, { ...person, body: wants });
  if (status !== 200) {
    expect([400, 409]).toContain(status);
    return;
  }
  const { hold } = body;
  const authorization = { paymentId: hold?.id, userId: person.userId };
  if (hold) await Promise.all([1, 2].map(() => service.reportAuthorization(hold, authorization)));
  const { approval } = await service.seen(person, id);
  // A change that keeps the current dates creates no request; `approval` is then the one of an earlier request.
  if (approval?.status === 'pending')
    requester.requested = { approvalId: approval.id, wants, hold };
};

/** Owner and renter answer concurrently; one answer counts. After an acceptance, two concurrent events report one charge. */
const answerAtOnce = async (requester: Requester): Promise<void> => {
  const { person, owner, requested } = requester;
  const { approvalId, wants, hold } = requested as NonNullable<Requester['requested']>;
  const [accepted, ...others] = await Promise.all([
    answer(owner, approvalId, 'accept'),
    answer(person, approvalId, 'withdraw'),
    ...(random() < 0.5 ? [answer(owner, approvalId, 'decline')] : []),
  ]);
  const statuses = [accepted, ...others].map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, ...others.map(() => 409)]);
  requester.requested = undefined;
  if (accepted.status !== 200) return;
  if (hold) {
    const payment = { ...service.paymentOf(person, hold.amountCents, hold.id), paymentId: hold.id };
    await Promise.all([service.succeed(payment), service.succeed(payment)]);
    await waitFor('the change', async () => {
      const { rows } = await service.pool.query(
        `SELECT FROM approvals WHERE id = $1 AND status = 'done'`,
        [approvalId],
      );
      return rows.length > 0;
    });
  }
  requester.has = wants;
};

const rowsOf = async (sql: string): Promise<unknown[]> => (await service.pool.query(sql)).rows;

describe('concurrent changes, payments and holds of twelve renters on two replicas', () => {
  it(`never share a unit or lose a booking’s dates in ${rounds} rounds`, async () => {
    const { toolId } = await service.tool({ units: 5, priceCents: 1_000 });
    const renters: Renter[] = [];
    for (let i = 0; i < 8; i++) {
      const person = await service.person();
      const from = 10 + 3 * (i % 4);
      const has = { quantity: 1, start_date: inDays(from), end_date: inDays(from + 2) };
      const { id } = await service.booked(person, toolId, { ...has });
      renters.push({ person, id, has, open: undefined });
    }
    const owner = await service.person();
    const requested = await service.tool({ ownerId: owner.userId, units: 4, priceCents: 1_000 });
    const requesters: Requester[] = [];
    for (let i = 0; i < 4; i++) {
      const person = await service.person();
      const has = { quantity: 1, start_date: inDays(10 + 3 * i), end_date: inDays(12 + 3 * i) };
      const { id } = await service.booked(person, requested.toolId, { ...has });
      requesters.push({ person, owner, id, has, requested: undefined });
    }
    await service.pool.query(`UPDATE tools SET terms = '{"booking": "request"}' WHERE id = $1`, [
      requested.toolId,
    ]);
    const counts = { changed: 0, paid: 0, answered: 0 };

    for (let round = 0; round < rounds; round++) {
      const actions = renters.map((renter) => {
        const dice = random();
        if (renter.open && dice < 0.4) {
          counts.paid++;
          return () => pay(renter);
        }
        if (renter.open && dice < 0.5) return () => giveUp(renter);
        if (dice > 0.9) return () => holdCart(renter.person, toolId);
        if (dice > 0.8) return async () => holdAndLeave(toolId, await service.person());
        counts.changed++;
        return () => change(renter);
      });
      const requests = requesters.map((requester) => {
        if (!requester.requested) return () => requestChange(requester);
        counts.answered++;
        return () => answerAtOnce(requester);
      });
      await Promise.all([...actions, ...requests].map((action) => action()));

      const overlaps = await rowsOf(
        `SELECT a.unit_id FROM booking_units a JOIN booking_units b ON a.unit_id = b.unit_id
           AND (a.booking_id, a.during) < (b.booking_id, b.during) AND a.during && b.during
         WHERE a.status IN ('held', 'confirmed') AND b.status IN ('held', 'confirmed')`,
      );
      const without = await rowsOf(
        `SELECT b.id FROM bookings b WHERE b.status = 'confirmed' AND b.quantity <> (
           SELECT count(*) FROM booking_units u WHERE u.booking_id = b.id AND u.status = 'confirmed'
             AND u.change_id IS NULL AND u.during = tstzrange(b.starts_at, b.ends_at))`,
      );
      const { rows } = await service.pool.query<Dates & { id: string }>(
        `SELECT id, quantity, start_date, end_date FROM bookings WHERE status = 'confirmed'`,
      );
      const booked = new Map(rows.map(({ id, ...dates }) => [id, dates]));
      expect({ overlaps, without }).toEqual({ overlaps: [], without: [] });
      for (const { id, has } of [...renters, ...requesters]) expect(booked.get(id)).toEqual(has);
    }

    expect(await deadlocksOf(service.pool)).toBe(0);
    expect(counts.changed).toBeGreaterThan(rounds);
    expect(counts.paid).toBeGreaterThan(rounds / 4);
    expect(counts.answered).toBeGreaterThan(rounds / 2);
    expect(
      await rowsOf(
        `SELECT u.booking_id FROM booking_units u JOIN booking_changes c ON c.id = u.change_id WHERE c.status <> 'open'`,
      ),
    ).toEqual([]);
    // The payments equal, to the cent, the price plus the amounts that the changes refunded and kept.
    expect(
      await rowsOf(
        `SELECT b.id FROM bookings b WHERE b.status = 'confirmed' AND (
           (SELECT sum(amount_cents) FROM allocations WHERE booking_id = b.id),
           (SELECT sum(refunded_cents) FROM allocations WHERE booking_id = b.id)) IS DISTINCT FROM (
           b.total_cents + (SELECT coalesce(sum(refund_cents + kept_cents), 0) FROM booking_changes WHERE booking_id = b.id AND status = 'done'),
           (SELECT coalesce(sum(refund_cents), 0) FROM booking_changes WHERE booking_id = b.id AND status = 'done'))`,
      ),
    ).toEqual([]);
  });
});
