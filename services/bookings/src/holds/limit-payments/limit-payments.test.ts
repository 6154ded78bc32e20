import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => service.stop());

const { cancel, change, lend, lendOnRequest, preview } = changesAt(() => service);

const words = 'Many of your payments were refunded today, so you can’t start another one yet.';

const postHold = async (renter: Person) =>
  service.postHold(renter, [service.line((await service.tool()).toolId)]);

const checkLimit = (renter: Person, caller = renter) =>
  service.http.get(`/internal/users/${renter.userId}/payment-limit`, caller);

/** Inserts refunds of the given number of payments; for a reason like `cancelled`, pass `bookingId`. */
const addRefunds = (
  renter: Person,
  refunds: {
    payments: number;
    reason: string;
    minutesAgo?: number;
    bookingId?: string;
    holdId?: string;
  },
) => {
  const { payments, reason, minutesAgo = 60, bookingId = null, holdId = null } = refunds;
  return service.pool.query(
    `WITH paid AS (
       INSERT INTO payments (id, user_id, hold_id, amount_cents, unassigned_cents, succeeded_at)
       SELECT uuidv7(), $1, $6, 1000, 0, now() FROM generate_series(1, $2) RETURNING id)
     INSERT INTO refund_orders (payment_id, booking_id, refund_cents, reason, tool_names, ordered_at)
     SELECT id, $5, 1000, $3, '{}', now() - $4 * interval '1 minute' FROM paid`,
    [renter.userId, payments, reason, minutesAgo, bookingId, holdId],
  );
};

const cancelledBy = async (by: 'renter' | 'owner' | 'admin', renter: Person): Promise<string> => {
  const owner = await service.person();
  const { toolId } = await service.tool({ ownerId: owner.userId });
  const { id } = await service.booked(renter, toolId);
  const callers = { renter, owner, admin: await service.person('Admin') };
  const { status } = await cancel(callers[by], id);
  if (status !== 200) throw new Error(`The cancellation was refused: ${status}`);
  return id;
};

const payAndCancel = async (renter: Person): Promise<void> => {
  await cancelledBy('renter', renter);
};

describe('the limit on refunded payments', () => {
  it('rejects a cart of a renter who has paid and cancelled ten bookings in a day', async () => {
    const renter = await service.neighbor();
    for (let times = 0; times < 10; times += 1) await payAndCancel(renter);

    const { status, body, headers } = await postHold(renter);
    const another = await postHold(await service.neighbor());

    expect(status).toBe(429);
    expect(body).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      detail: `${words} Please try again in 24 hours.`,
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(another.status).toBe(201);
  });

  it('allows a renter another cart once the first of ten refunds is a day old', async () => {
    const renter = await service.neighbor();
    await addRefunds(renter, { payments: 1, reason: 'slot-lost', minutesAgo: 23 * 60 });
    await addRefunds(renter, { payments: 9, reason: 'unassigned' });
    const { status, body, headers } = await postHold(renter);

    await service.pool.query(
      `UPDATE refund_orders SET ordered_at = ordered_at - interval '1 hour'
       WHERE payment_id IN (SELECT id FROM payments WHERE user_id = $1)`,
      [renter.userId],
    );
    const anHourLater = await postHold(renter);

    expect([status, body.detail]).toEqual([429, `${words} Please try again in 1 hour.`]);
    expect(Math.round(Number(headers.get('retry-after')) / 60)).toBe(60);
    expect(anHourLater.status).toBe(201);
  });

  it('rejects a cart of a renter with eleven bookings cancelled by one owner', async () => {
    const [renter, owner] = [await service.neighbor(), await service.person()];
    const bookAndCancel = async (): Promise<void> => {
      const { toolId } = await service.tool({ ownerId: owner.userId });
      const { id } = await service.booked(renter, toolId);
      expect(await cancel(owner, id)).toMatchObject({ status: 200 });
    };
    for (let times = 0; times < 10; times += 1) await bookAndCancel();
    const afterTen = await checkLimit(renter);

    await bookAndCancel();

    expect(afterTen.status).toBe(200);
    expect(await postHold(renter)).toMatchObject({ status: 429 });
  });

  it('rejects, for a renter at the limit, a cart that needs the owner’s approval', async () => {
    const renter = await service.neighbor();
    await addRefunds(renter, { payments: 10, reason: 'unassigned' });
    const { toolId } = await service.toolOnRequest();

    const { status, body } = await service.postHold(renter, [service.line(toolId)]);

    expect(status).toBe(429);
    expect(body.detail).toContain(words);
  });

  it.each([
    ['of a tool that is booked at once', () => lend()],
    ['of a tool on request', () => lendOnRequest()],
  ])(
    'rejects, for a renter at the limit, a change %s that costs more, but not one that costs less',
    async (_, start) => {
      const { renter, id } = await start();
      await addRefunds(renter, { payments: 10, reason: 'unassigned' });

      const looked = await preview(renter, id, days(10, 20));
      const costsMore = await change(renter, id, days(10, 20));
      const lookedAtLess = await preview(renter, id, days(10, 12));
      const costsLess = await change(renter, id, days(10, 12));

      for (const { status, body, headers } of [looked, costsMore]) {
        expect(status).toBe(429);
        expect(body.detail).toContain(words);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect([lookedAtLess.status, costsLess.status]).toEqual([200, 200]);
    },
  );

  it('returns the cart that a renter started before reaching the limit, and lets them pay it', async () => {
    const renter = await service.neighbor();
    const { toolId } = await service.tool();
    const first = await service.postHold(renter, [service.line(toolId)]);
    await addRefunds(renter, { payments: 10, reason: 'unassigned' });

    const again = await service.postHold(renter, [service.line(toolId)]);
    const checkout = await service.checkOut(renter, first.body.hold.id);

    expect([again.status, again.body.hold.id]).toEqual([201, first.body.hold.id]);
    expect(checkout.status).toBe(200);
  });

  it('can be exceeded by at most three unpaid carts', async () => {
    const renter = await service.neighbor();
    const owner = await service.person();
    await addRefunds(renter, { payments: 9, reason: 'unassigned' });
    const tools = [1, 2, 3, 4].map(() => service.tool({ ownerId: owner.userId }));
    const lines = (await Promise.all(tools)).map(({ toolId }) => [service.line(toolId)]);
    const requested = await Promise.all(lines.map((one) => service.postHold(renter, one)));
    const holds = requested.flatMap(({ status, body }) => (status === 201 ? [body.hold] : []));
    for (const { id, amountCents, lines } of holds) {
      await service.succeed(service.paymentOf(renter, amountCents, id));
      const bookingId = lines[0].id;
      await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === bookingId);
      await cancel(renter, bookingId);
    }

    expect(holds).toHaveLength(3);
    expect((await postHold(renter)).status).toBe(429);
  });
});

describe('the count of refunded payments', () => {
  const isRejected = async (renter: Person): Promise<boolean> => {
    const { status } = await postHold(renter);
    if (status !== 201 && status !== 429) throw new Error(`Unexpected: ${status}`);
    return status === 429;
  };

  it.each(['slot-lost', 'unassigned'])('includes a payment refunded as %s', async (reason) => {
    const renter = await service.neighbor();
    await addRefunds(renter, { payments: 10, reason });

    expect(await isRejected(renter)).toBe(true);
  });

  it('includes a payment that a renter’s change has refunded', async () => {
    const { renter, id } = await lend();
    await addRefunds(renter, { payments: 9, reason: 'unassigned' });
    const before = await isRejected(renter);

    await change(renter, id, days(10, 12));

    expect([before, await isRejected(renter)]).toEqual([false, true]);
  });

  it('includes a refunded payment once, however many of its bookings are cancelled', async () => {
    const renter = await service.neighbor();
    await addRefunds(renter, { payments: 8, reason: 'unassigned' });
    const tools = [await service.tool(), await service.tool(), await service.tool()];
    const cart = tools.map(({ toolId }) => service.line(toolId));
    const { body } = await service.postHold(renter, cart);
    await service.succeed(service.paymentOf(renter, body.hold.amountCents, body.hold.id));
    for (const { id } of body.hold.lines) {
      await service.broker.expectEvent('BookingCreated', (data) => data.bookingId === id);
      await cancel(renter, id);
    }

    expect(await isRejected(renter)).toBe(false);
  });

  it('includes refunds of bookings that the renter cancelled, but not of those that the owner or an admin cancelled', async () => {
    const [byRenter, byOwner, byAdmin] = [
      await service.neighbor(),
      await service.neighbor(),
      await service.neighbor(),
    ];
    const cases = [
      [byRenter, 'renter'],
      [byOwner, 'owner'],
      [byAdmin, 'admin'],
    ] as const;
    for (const [renter, by] of cases) {
      const bookingId = await cancelledBy(by, renter);
      await addRefunds(renter, { payments: 10, reason: 'cancelled', bookingId });
    }

    expect(await isRejected(byRenter)).toBe(true);
    expect([await isRejected(byOwner), await isRejected(byAdmin)]).toEqual([false, false]);
  });

  it.each(['unsettled', 'admin'])('omits a payment refunded as %s', async (reason) => {
    const renter = await service.neighbor();
    await addRefunds(renter, { payments: 10, reason });

    expect(await isRejected(renter)).toBe(false);
  });

  it.each([
    ['was removed', 'removed_at = now()'],
    ['belongs to a disabled owner', 'owner_disabled = true'],
  ])('omits the refunded payment of a cart whose tool %s', async (_, change) => {
    const renter = await service.neighbor();
    const { toolId } = await service.tool();
    const { id } = await service.held(renter, toolId);
    await addRefunds(renter, { payments: 10, reason: 'slot-lost', holdId: id });
    await service.http.delete(`/api/user/${renter.userId}/holds/${id}`, renter);
    const before = await isRejected(renter);

    await service.pool.query(`UPDATE tools SET ${change} WHERE id = $1`, [toolId]);

    expect([before, await isRejected(renter)]).toEqual([true, false]);
  });

  it('omits the refunded payment of a change whose booking the owner cancelled', async () => {
    const { renter, owner, id } = await lend();
    const { body } = await change(renter, id, days(10, 20));
    await cancel(owner, id);
    await addRefunds(renter, { payments: 10, reason: 'unassigned', holdId: body.hold.id });

    expect(await isRejected(renter)).toBe(false);
  });
});

describe('GET /internal/users/:userId/payment-limit', () => {
  it('rejects a payment of a renter at the limit on refunded payments, and allows others', async () => {
    const renter = await service.neighbor();
    const before = await checkLimit(renter);
    await addRefunds(renter, { payments: 10, reason: 'unassigned' });

    const { status, body, headers } = await checkLimit(renter);

    expect(before.status).toBe(200);
    expect([status, body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(body.detail).toContain(words);
    expect(Math.round(Number(headers.get('retry-after')) / 60)).toBe(23 * 60);
  });

  it('counts payments that pay for no booking, because they may all be refunded', async () => {
    const renter = await service.neighbor();
    for (let times = 0; times < 10; times += 1)
      await service.succeed(service.paymentOf(renter, 2_500, null));

    const rejected = await waitFor('the refusal', async () => {
      const reply = await checkLimit(renter);
      return reply.status === 429 && reply;
    });
    const { toolId } = await service.tool();
    const booked = await service.http.post(`/api/user/${renter.userId}/add-rental-booking`, {
      ...renter,
      body: service.line(toolId, { start_date: inDays(1), end_date: inDays(3) }),
    });

    // The payments count until a day after their grace period ends.
    expect(Math.round(Number(rejected.headers.get('retry-after')) / 60)).toBe(24 * 60 + 15);
    expect(booked.status).toBe(201);
    expect((await checkLimit(renter)).status).toBe(200);
  });

  it('rejects a check of the payment limit with another user’s token', async () => {
    const [renter, other] = [await service.neighbor(), await service.neighbor()];

    expect((await checkLimit(renter, other)).status).toBe(403);
  });
});
