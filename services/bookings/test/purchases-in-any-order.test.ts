import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData, Hold } from '@lendtools/contracts';
import { httpClient, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  type Running,
  startBookingsService,
} from './bookings-service.ts';
import { changesAt } from './changes.ts';

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

const { change, cancel, answer, requestChange, lendOnRequest } = changesAt(() => service);

/** A seeded generator (mulberry32): the same seed gives the same actions, but their interleaving varies. */
const randomOf = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

interface World {
  random: () => number;
  tools: EventData<'ToolListed'>[];
  owner: Person;
  /** The cards of all requests. */
  cards: Card[];
}

const pick = <T>(random: () => number, items: T[]): T =>
  items[Math.floor(random() * items.length)] as T;

/** The card of a request. It is authorized until it is charged or released. */
class Card {
  payment: EventData<'PaymentSucceeded'>;
  isAuthorized = true;
  #hold: Pick<Hold, 'id' | 'amountCents'>;

  constructor(renter: Person, hold: Pick<Hold, 'id' | 'amountCents'>) {
    this.#hold = hold;
    this.payment = service.paymentOf(renter, hold.amountCents, hold.id);
  }

  /** Reports the card's state and does what the reply says, as the payments service does repeatedly. */
  async follow(): Promise<void> {
    const { paymentId, userId } = this.payment;
    const status = this.isAuthorized ? 'authorized' : 'canceled';
    const reply = await waitFor('bookings to accept the call', async () => {
      const said = await service.reportAuthorization(this.#hold, { paymentId, userId, status });
      return said.status !== 503 && said;
    });
    if (reply.status !== 200) throw new Error(`authorization answered ${reply.status}`);
    if (reply.body.approval === 'accepted') await this.charge();
    if (reply.body.approval === 'ended') await this.release();
  }

  /** Charges the card, as the payments service does for an accepted request, or an operator at any time. */
  async charge(): Promise<void> {
    if (!this.isAuthorized) return;
    this.isAuthorized = false;
    await service.succeed(this.payment);
  }

  /** Releases the card, as the payments service does for an ended request, or Stripe on expiry. */
  async release(): Promise<void> {
    if (!this.isAuthorized) return;
    this.isAuthorized = false;
    await this.follow();
  }
}

/** Holds a cart of contested dates, then runs four random actions on it, concurrently or in sequence. */
const playRenter = async ({ random, tools, owner, cards }: World): Promise<void> => {
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

  const hold = body.hold as Hold;
  const [{ id }] = hold.lines as [Hold['lines'][number]];
  const payment = service.paymentOf(renter, hold.amountCents, hold.id);
  const twin = service.paymentOf(renter, hold.amountCents, hold.id);
  const giveUp = () => http.delete(`/api/user/${renter.userId}/holds/${hold.id}`, renter);
  const runOut = () => service.setExpiry(hold.id, 60);
  const cancel = () =>
    http.post(`/api/user/${renter.userId}/rentalBookings/cancel-booking/${id}`, {
      ...renter,
      body: {},
    });
  const checkOut = () => http.post(`/internal/holds/${hold.id}/checkout`, renter);
  const card = new Card(renter, hold);
  const lapse = () =>
    service.pool.query('UPDATE approvals SET answer_by = now() WHERE booking_id = $1', [id]);
  const answerAs = (who: Person, how: 'accept' | 'decline' | 'withdraw') => async () => {
    const { rows } = await service.pool.query('SELECT id FROM approvals WHERE booking_id = $1', [
      id,
    ]);
    return service.answer(who, rows[0]?.id ?? randomUUID(), how);
  };
  const requestActions = [
    ...[() => card.follow(), () => card.follow(), () => card.charge(), () => card.release()],
    ...[answerAs(owner, 'accept'), answerAs(owner, 'accept')],
    ...[answerAs(owner, 'decline'), answerAs(renter, 'withdraw')],
    ...[lapse, checkOut, giveUp, runOut, cancel],
  ];
  const holdActions = [
    () => service.succeed(payment),
    () => service.succeed(payment),
    () => service.succeed(twin),
    checkOut,
    giveUp,
    runOut,
    cancel,
  ];
  const isRequested = tools.some(
    ({ toolId, terms }) => toolId === lines[0]?.rental_id && terms?.booking,
  );
  if (isRequested) {
    await card.follow();
    cards.push(card);
  }
  const actions: (() => Promise<unknown>)[] = isRequested ? requestActions : holdActions;
  const chosen = Array.from({ length: 4 }, () => pick(random, actions));
  if (random() < 0.5) await Promise.all(chosen.map((action) => action()));
  else for (const action of chosen) await action();
};

/** Requests two more days for a booking, then runs four random actions on it, concurrently or in sequence. */
const playChange = async (
  { random, owner, cards }: Omit<World, 'tools'>,
  { renter, id }: { renter: Person; id: string },
): Promise<void> => {
  const body = { quantity: 1, start_date: inDays(10), end_date: inDays(14) };
  const requested = await change(renter, id, body);
  const card = new Card(renter, requested.body.hold);
  cards.push(card);
  if (random() < 0.8) await card.follow();
  const approvalId = (await service.seen(renter, id)).approval?.id ?? randomUUID();
  const by = (who: Person, how: 'accept' | 'decline' | 'withdraw') => () =>
    answer(who, approvalId, how);
  const lapse = () =>
    service.pool.query('UPDATE approvals SET answer_by = now() WHERE id = $1', [approvalId]);
  const actions: (() => Promise<unknown>)[] = [
    ...[() => card.follow(), () => card.follow(), () => card.charge(), () => card.release()],
    ...[by(owner, 'accept'), by(owner, 'accept'), by(owner, 'decline'), by(renter, 'withdraw')],
    ...[lapse, () => cancel(renter, id), () => cancel(owner, id), () => change(renter, id, body)],
  ];
  const chosen = Array.from({ length: 4 }, () => pick(random, actions));
  if (random() < 0.5) await Promise.all(chosen.map((action) => action()));
  else for (const action of chosen) await action();
};

/** Reaches each final state once, so that none of the counts below is 0. */
const playEachEnd = async (): Promise<void> => {
  const renter = await service.person();
  const { id, amountCents } = await service.held(renter);
  await service.succeed(service.paymentOf(renter, amountCents, id));
  await service.succeed(service.paymentOf(renter, amountCents, id));
  const accepted = await service.requested(renter);
  await service.answer(accepted.owner, accepted.approvalId, 'accept');
  await service.succeed(accepted.payment);
  const declined = await service.requested(renter);
  await service.answer(declined.owner, declined.approvalId, 'decline');
  await service.reportAuthorization(declined.hold, {
    ...declined.authorization,
    status: 'canceled',
  });

  const longer = { quantity: 1, start_date: inDays(10), end_date: inDays(16) };
  const requestLonger = async () => {
    const lent = await lendOnRequest();
    return { ...lent, ...(await requestChange(lent.renter, lent.id, longer)) };
  };
  const [made, declinedChange, overtaken] = await Promise.all([
    requestLonger(),
    requestLonger(),
    requestLonger(),
  ]);
  await answer(made.owner, made.approvalId, 'accept');
  await service.succeed(made.payment);
  await answer(declinedChange.owner, declinedChange.approvalId, 'decline');
  await declinedChange.follow('canceled');
  await cancel(overtaken.renter, overtaken.id);
  await overtaken.follow('canceled');
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

describe('sixty concurrent renters of six tools, two of them on request, on two replicas', () => {
  it('never double-book a unit, and get bookings or a refund for each payment', async () => {
    const random = randomOf(20_261);
    const owner = await service.person();
    const cards: Card[] = [];
    const listed = { priceCents: 1_000, ownerId: owner.userId };
    const tools = await Promise.all([
      ...[1, 1, 2, 3].map((units) => service.tool({ ...listed, units })),
      ...[1, 2].map((units) => service.toolOnRequest({ ...listed, units })),
    ]);

    const changing = await service.tool({ ...listed, units: 16 });
    const booked = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const renter = await service.person();
        return { renter, id: (await service.booked(renter, changing.toolId)).id };
      }),
    );
    await service.pool.query(`UPDATE tools SET terms = '{"booking": "request"}' WHERE id = $1`, [
      changing.toolId,
    ]);

    await playEachEnd();
    await Promise.all([
      ...Array.from({ length: 60 }, () => playRenter({ random, tools, owner, cards })),
      ...booked.map((one) => playChange({ random, owner, cards }, one)),
    ]);
    await waitFor('each card to be charged or released', async () => {
      // Expire the deadlines in each round: an authorization that is reported late creates a new request.
      await service.pool.query(
        `UPDATE approvals SET answer_by = now() WHERE status IN ('pending', 'accepted')`,
      );
      for (const card of cards) if (card.isAuthorized) await card.follow();
      return cards.every(({ isAuthorized }) => !isAuthorized);
    });
    await service.pool.query(
      `UPDATE holds SET expires_at = now() - interval '1 hour' WHERE status = 'live'`,
    );
    await service.pool.query(`UPDATE payments SET recorded_at = now() - interval '1 hour'`);
    await waitFor('the holds to end and the outbox to be empty', async () => {
      const known = await countOf('SELECT count(*) FROM payments');
      const open = await countOf(
        `SELECT (SELECT count(*) FROM holds WHERE status IN ('live', 'requested'))
              + (SELECT count(*) FROM payments WHERE unassigned_cents > 0 AND hold_id IS NOT NULL)
              + (SELECT count(*) FROM outbox_messages WHERE published_at IS NULL) AS count`,
      );
      return known > 0 && open === 0;
    });

    expect(
      await countOf(
        `SELECT count(*) FROM booking_units a JOIN booking_units b ON a.unit_id = b.unit_id
           AND a.booking_id < b.booking_id AND a.during && b.during
         WHERE a.status IN ('held', 'requested', 'confirmed') AND b.status IN ('held', 'requested', 'confirmed')`,
      ),
    ).toBe(0);
    expect(
      await countOf(
        `SELECT count(*) FROM payments p WHERE amount_cents <> rejected_cents + unassigned_cents
           + (SELECT coalesce(sum(amount_cents), 0) FROM allocations d WHERE d.payment_id = p.id)`,
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
           (SELECT coalesce(sum(amount_cents), 0) FROM allocations d WHERE d.booking_id = b.id))`,
      ),
    ).toBe(0);
    expect(
      await countOf(
        `SELECT count(*) FROM bookings b WHERE b.status IN ('held', 'requested', 'confirmed', 'returned') AND b.quantity <>
           (SELECT count(*) FROM booking_units u WHERE u.booking_id = b.id AND u.status = b.status)`,
      ),
    ).toBe(0);
    // A charged renter has a booking or a full refund.
    expect(
      await countOf(
        `SELECT count(*) FROM holds h WHERE h.on_request AND (h.status = 'paid') <>
           EXISTS (SELECT FROM payments p WHERE p.hold_id = h.id AND p.rejected_cents = 0)`,
      ),
    ).toBe(0);
    const countEvents = (type: string) =>
      service.broker.received.filter((event) => event.type === type).length;
    await waitFor('one event per booking and per refund', async () => {
      const booked = await countOf('SELECT count(*) FROM bookings WHERE booked_at IS NOT NULL');
      const rejected = await countOf('SELECT count(*) FROM payments WHERE rejected_cents > 0');
      const isPublished =
        countEvents('BookingCreated') === booked && countEvents('BookingRejected') === rejected;
      return isPublished && booked > 0 && rejected > 0;
    });
    await waitFor('one event per requested and ended approval, and per change', async () => {
      const { rows } = await service.pool.query<Record<'requested' | 'done' | 'ended', number>>(
        `SELECT count(*) AS requested, count(*) FILTER (WHERE status = 'done') AS done,
           count(*) FILTER (WHERE status IN ('declined', 'withdrawn', 'lapsed', 'failed')) AS ended
         FROM approvals GROUP BY change_id IS NULL`,
      );
      const sum = (of: 'requested' | 'ended') => rows.reduce((total, row) => total + row[of], 0);
      const changed = await countOf(`SELECT count(*) FROM booking_changes WHERE status = 'done'`);
      const isPublished =
        countEvents('ApprovalRequested') === sum('requested') &&
        countEvents('ApprovalEnded') === sum('ended') &&
        countEvents('BookingChanged') === changed;
      // Some requests for bookings and some for changes succeeded, and some of both ended.
      return (
        isPublished && rows.length === 2 && rows.every(({ done, ended }) => done > 0 && ended > 0)
      );
    });
  });
});
