import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hold } from '@lendtools/contracts';
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

const postCart = (renter: Person, lines: Record<string, unknown>[], key?: string) =>
  service.http.post(`/api/user/${renter.userId}/holds`, {
    token: renter.token,
    body: { lines, splitRequests: true },
    headers: key ? { 'idempotency-key': key } : {},
  });

/** A cart with two instant tools and two on request, in mixed order. */
const mixedCart = async () => {
  const [drill, saw, ladder, mixer] = [
    await service.tool(),
    await service.toolOnRequest(),
    await service.tool(),
    await service.toolOnRequest(),
  ];
  const lines = [drill, saw, ladder, mixer].map(({ toolId }) => service.line(toolId));
  return { lines, toolIds: { drill, saw, ladder, mixer } };
};

const toolsOf = (holds: Hold[]) => holds.map(({ lines }) => lines.map((line) => line.rental_id));

const authorize = async (renter: Person, hold: Hold) => {
  await service.checkOut(renter, hold.id);
  const authorization = { paymentId: randomUUID(), userId: renter.userId };
  const reply = await service.reportAuthorization(hold, authorization);
  expect(reply.body).toEqual({ approval: 'pending' });
};

describe('POST /api/user/:userId/holds with splitRequests', () => {
  it('holds the instant tools together and each tool on request alone, and publishes each hold', async () => {
    const renter = await service.person();
    const { lines, toolIds } = await mixedCart();
    const { drill, saw, ladder, mixer } = toolIds;

    const { status, body } = await postCart(renter, lines);

    expect(status).toBe(201);
    expect(toolsOf(body.holds)).toEqual([
      [drill.toolId, ladder.toolId],
      [saw.toolId],
      [mixer.toolId],
    ]);
    expect(body.holds.map(({ onRequest }: Hold) => onRequest)).toEqual([false, true, true]);
    expect(body.holds.map(({ amountCents }: Hold) => amountCents)).toEqual([5_000, 2_500, 2_500]);
    expect(body.hold).toEqual(body.holds[0]);
    for (const { id, amountCents } of body.holds as Hold[]) {
      const held = await service.broker.expectEvent('BookingHeld', ({ holdId }) => holdId === id);
      expect(held.data).toMatchObject({ userId: renter.userId, amountCents });
    }
  });

  it.each(['with', 'without'])(
    'returns the same holds to a repeated request %s a key',
    async (how) => {
      const renter = await service.person();
      const { lines } = await mixedCart();
      const key = how === 'with' ? randomUUID() : undefined;

      const [first, second] = await Promise.all([1, 2].map(() => postCart(renter, lines, key)));

      expect(second?.body).toEqual(first?.body);
      const { rowCount } = await service.pool.query('SELECT FROM holds WHERE user_id = $1', [
        renter.userId,
      ]);
      expect(rowCount).toBe(3);
    },
  );

  it('returns the unpaid holds of a cart that is paid in part', async () => {
    const renter = await service.person();
    const { lines } = await mixedCart();
    const { body } = await postCart(renter, lines);
    const [instant, saw, mixer] = body.holds;
    await service.succeed(service.paymentOf(renter, instant.amountCents, instant.id));
    await service.broker.expectEvent('BookingCreated', (one) => one.renterId === renter.userId);
    await authorize(renter, saw);

    const again = await postCart(renter, [lines[3] as Record<string, unknown>]);

    expect(again.body.holds.map(({ id }: Hold) => id)).toEqual([mixer.id]);
  });

  it('holds nothing if one line cannot be held, and names that line', async () => {
    const renter = await service.person();
    const { lines, toolIds } = await mixedCart();
    await service.held(await service.person(), toolIds.mixer.toolId);

    const { status, body } = await postCart(renter, lines);

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'TOOL_ALREADY_BOOKED', errors: [{ path: 'lines[3]' }] });
    const { rowCount } = await service.pool.query('SELECT FROM holds WHERE user_id = $1', [
      renter.userId,
    ]);
    expect(rowCount).toBe(0);
  });

  it('names the line whose request costs too little for a card', async () => {
    const renter = await service.person();
    const { toolId } = await service.toolOnRequest({ priceCents: 10 });
    const lines = [service.line((await service.tool()).toolId), service.line(toolId)];

    const { body } = await postCart(renter, lines);

    expect(body).toMatchObject({ code: 'AMOUNT_INVALID', errors: [{ path: 'lines[1]' }] });
  });

  it('rejects two requests of one cart for the same unit, instead of giving up the first', async () => {
    const renter = await service.person();
    const { toolId } = await service.toolOnRequest();
    const lines = [
      service.line(toolId),
      service.line(toolId, { start_date: inDays(11), end_date: inDays(13) }),
    ];

    const { status, body } = await postCart(renter, lines);

    expect(status).toBe(409);
    expect(body.detail).toContain('is in your cart twice');
    expect(body.errors).toMatchObject([{ path: 'lines[1]' }]);
  });

  it('gives up only the hold of an older cart that is in the way', async () => {
    const renter = await service.person();
    const { lines } = await mixedCart();
    const { body } = await postCart(renter, lines);

    const newer = await postCart(renter, [lines[1] as Record<string, unknown>]);

    expect(newer.status).toBe(201);
    const [instant, saw, mixer] = body.holds;
    expect(await service.holdStatus(saw.id)).toBe('ended');
    expect(await service.holdStatus(instant.id)).toBe('live');
    expect(await service.holdStatus(mixer.id)).toBe('live');
  });

  it('counts a cart as one of three unpaid carts, and as one of sixty an hour', async () => {
    const renter = await service.person();
    await service.pool.query(
      `INSERT INTO holds (user_id, status, amount_cents, unit_days, expires_at, created_at)
       SELECT $1, 'ended', 100, 1, now(), now() - interval '50 minutes' FROM generate_series(1, 57)`,
      [renter.userId],
    );
    const carts = await Promise.all([1, 2, 3].map(mixedCart));
    const replies: number[] = [];
    for (const { lines } of carts) replies.push((await postCart(renter, lines)).status);

    const fourth = await postCart(renter, (await mixedCart()).lines);
    await service.pool.query(`UPDATE holds SET status = 'ended' WHERE user_id = $1`, [
      renter.userId,
    ]);
    const later = await postCart(renter, (await mixedCart()).lines);

    expect(replies).toEqual([201, 201, 201]);
    expect(fourth.body.code).toBe('TOO_MANY_HOLDS');
    expect(later.status).toBe(429);
    expect(Math.round(Number(later.headers.get('retry-after')) / 60)).toBe(10);
  });

  it('lets one owner accept and another decline', async () => {
    const renter = await service.person();
    const owners = [await service.person(), await service.person()];
    const tools = await Promise.all(
      owners.map(({ userId }) => service.toolOnRequest({ ownerId: userId })),
    );
    const { body } = await postCart(
      renter,
      tools.map(({ toolId }) => service.line(toolId)),
    );
    for (const hold of body.holds) await authorize(renter, hold);
    const approvals = await Promise.all(
      body.holds.map(async ({ id }: Hold) => {
        const { rows } = await service.pool.query('SELECT id FROM approvals WHERE hold_id = $1', [
          id,
        ]);
        return rows[0].id as string;
      }),
    );

    const accepted = await service.answer(owners[0] as Person, approvals[0], 'accept');
    const declined = await service.answer(owners[1] as Person, approvals[1], 'decline');

    expect([accepted.status, declined.status]).toEqual([200, 200]);
    const [first, second] = body.holds.map(({ lines }: Hold) => lines[0]?.id);
    expect(await service.seen(renter, first)).toMatchObject({ approval: { status: 'accepted' } });
    expect(await service.seen(renter, second)).toMatchObject({ booking_status: 'Declined' });
  });
});

describe('the checkout of a cart with several payments', () => {
  it('names the cart’s other holds until they are paid or ended', async () => {
    const renter = await service.person();
    const { body } = await postCart(renter, (await mixedCart()).lines);
    const [instant, saw, mixer] = body.holds;
    const others = async (hold: Hold) =>
      (await service.checkOut(renter, hold.id)).body.otherHoldIds;
    await service.held(renter);

    expect(await others(instant)).toEqual([saw.id, mixer.id]);
    await authorize(renter, saw);
    expect(await others(mixer)).toEqual([instant.id]);
    await service.http.delete(`/api/user/${renter.userId}/holds/${instant.id}`, renter);
    expect(await others(mixer)).toEqual([]);
  });
});
