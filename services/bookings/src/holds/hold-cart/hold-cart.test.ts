import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const countRows = async (): Promise<Record<string, number>> => {
  const { rows } = await service.pool.query(
    `SELECT (SELECT count(*) FROM holds) AS holds, (SELECT count(*) FROM bookings) AS bookings,
            (SELECT count(*) FROM booking_units) AS units`,
  );
  return rows[0];
};

describe('POST /api/user/:userId/holds', () => {
  it('prices each line itself and holds its dates for 15 minutes', async () => {
    const renter = await service.person();
    const drill = await service.tool({ name: 'Drill', priceCents: 1_250, units: 3 });
    const sander = await service.tool({ name: 'Sander', priceCents: 599, rentalCircle: 'hourly' });
    const hours = {
      start_date: inDays(3),
      start_time: '7.00 AM',
      end_date: inDays(3),
      end_time: '09:30',
    };
    const requestedAtMs = Date.now();

    const { status, body } = await service.postHold(renter, [
      service.line(drill.toolId, { quantity: 2, price: 0.01, paymentDue: 0.01 }),
      service.line(sander.toolId, hours),
    ]);

    expect(status).toBe(201);
    expect(body).toEqual({
      hold: {
        id: expect.any(String),
        onRequest: false,
        amountCents: 1_250 * 2 * 2 + 599 * 3,
        currency: 'usd',
        expiresAt: expect.any(String),
        lines: [
          expect.objectContaining({
            rental_id: drill.toolId,
            name: 'Drill',
            booking_code: expect.stringMatching(/^LT[1-9]\d{5}$/),
            price: 12.5,
            period: 2,
            quantity: 2,
            paymentDue: 50,
            start_time: '',
          }),
          expect.objectContaining({
            price: 5.99,
            period: 3,
            paymentDue: 17.97,
            end_time: '9.30 AM',
          }),
        ],
      },
    });
    const heldAtMs = Date.parse(body.hold.expiresAt) - 15 * 60_000;
    expect(heldAtMs).toBeGreaterThan(requestedAtMs - 1_000);
    expect(heldAtMs).toBeLessThan(Date.now() + 1_000);
    const event = await service.broker.expectEvent(
      'BookingHeld',
      (d) => d.userId === renter.userId,
    );
    expect(event.data).toMatchObject({ holdId: body.hold.id, amountCents: body.hold.amountCents });
  });

  it('rejects taken dates with 409, names the line and holds nothing', async () => {
    const [first, second] = [await service.person(), await service.person()];
    const [free, taken] = [await service.tool(), await service.tool({ name: 'Ladder' })];
    await service.postHold(first, [service.line(taken.toolId)]);
    const before = await countRows();

    const lines = [
      service.line(free.toolId),
      service.line(taken.toolId, { start_date: inDays(11) }),
    ];
    const { status, body } = await service.postHold(second, lines);

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'TOOL_ALREADY_BOOKED',
      detail: '“Ladder”: Somebody else has it on some of these dates. Please choose others.',
      errors: [{ path: 'lines[1]' }],
    });
    expect(await countRows()).toEqual(before);
  });

  it('lets the next rental of a unit start at the minute in which the last one ends', async () => {
    const tool = await service.tool();
    await service.postHold(await service.person(), [service.line(tool.toolId)]);

    const next = { start_date: inDays(12), end_date: inDays(13) };
    const { status } = await service.postHold(await service.person(), [
      service.line(tool.toolId, next),
    ]);

    expect(status).toBe(201);
  });

  it('counts the units of all lines of a cart and of all carts', async () => {
    const tool = await service.tool({ units: 3, name: 'Chair' });
    const line = service.line(tool.toolId, { quantity: 2 });

    const both = await service.postHold(await service.person(), [line, line]);
    const two = await service.postHold(await service.person(), [line]);
    const twoMore = await service.postHold(await service.person(), [line]);

    expect(both).toMatchObject({
      status: 409,
      body: {
        detail: '“Chair”: Only 1 is free for these dates.',
        errors: [{ path: 'lines[1]' }],
      },
    });
    expect(two.status).toBe(201);
    expect(twoMore.status).toBe(409);
  });

  it('accepts exactly one of 200 concurrent holds of overlapping dates and rejects the rest with the reason', async () => {
    const tool = await service.tool();
    const renters = await Promise.all(Array.from({ length: 200 }, () => service.person()));

    const replies = await Promise.all(
      renters.map(async (renter, i) => {
        const dates = { start_date: inDays(10 + (i % 3)), end_date: inDays(14) };
        const ask = () => service.postHold(renter, [service.line(tool.toolId, dates)]);
        let reply = await ask();
        // A busy machine may return 503, so retry.
        while (reply.status === 503) reply = await ask();
        return reply;
      }),
    );

    const lost = replies.filter((reply) => reply.status === 409);
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(lost).toHaveLength(199);
    expect(new Set(lost.map((reply) => reply.body.code))).toEqual(new Set(['TOOL_ALREADY_BOOKED']));
    const { rows } = await service.pool.query(
      `SELECT count(*) FROM booking_units a JOIN booking_units b ON a.unit_id = b.unit_id
         AND a.booking_id < b.booking_id AND a.during && b.during
       WHERE a.status IN ('held', 'confirmed') AND b.status IN ('held', 'confirmed')`,
    );
    expect(rows[0].count).toBe(0);
  });

  it('accepts exactly one of many carts that list the same two tools in opposite orders', async () => {
    const [a, b] = [await service.tool(), await service.tool()];
    const there = [service.line(a.toolId), service.line(b.toolId)];

    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        service.postHold(await service.person(), i % 2 ? there : there.toReversed()),
      ),
    );

    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
  });

  it('returns the first hold for a repeated Idempotency-Key, even to concurrent requests', async () => {
    const renter = await service.person();
    const lines = [service.line((await service.tool()).toolId)];
    const key = { 'idempotency-key': randomUUID() };

    const replies = await Promise.all([1, 2, 3].map(() => service.postHold(renter, lines, key)));
    const other = await service.postHold(renter, [...lines, ...lines], key);

    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.body.hold.id)).size).toBe(1);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('returns an unpaid hold of the same lines, from any device and at its original price', async () => {
    const renter = await service.person();
    const [drill, saw] = [await service.tool({ units: 2 }), await service.tool()];
    const times = { start_time: '9.00 AM', end_time: '9.00 AM' };
    const lines = [service.line(drill.toolId, times), service.line(saw.toolId)];
    const first = await service.postHold(renter, lines, { 'idempotency-key': randomUUID() });
    const before = await countRows();

    const clock = { start_time: '09:00', end_time: '09:00', booking_code: 'LT111111' };
    const again = await service.postHold(
      renter,
      [service.line(saw.toolId), service.line(drill.toolId, clock)],
      { 'idempotency-key': randomUUID() },
    );

    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(await countRows()).toEqual(before);
  });

  it('replaces an older cart of the same person that has the dates, but no other cart', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const [drill, saw] = [await service.tool(), await service.tool()];
    const old = await service.held(renter, drill.toolId);
    const elsewhere = await service.held(renter);

    const lines = [service.line(saw.toolId), service.line(drill.toolId, { end_date: inDays(14) })];
    const foreign = await service.postHold(other, lines);
    const own = await service.postHold(renter, lines);

    expect([foreign.status, own.status]).toEqual([409, 201]);
    expect(await service.holdStatus(old.id)).toBe('ended');
    expect(await service.holdStatus(elsewhere.id)).toBe('live');
    await service.broker.expectEvent('BookingExpired', ({ holdId }) => holdId === old.id);
  });

  it('keeps an older cart if there are enough units for both', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool({ units: 3 });
    const old = await service.held(renter, toolId);

    const { status } = await service.postHold(renter, [service.line(toolId, { quantity: 2 })]);

    expect(status).toBe(201);
    expect(await service.holdStatus(old.id)).toBe('live');
  });

  it('makes a new hold if the old hold expired while it was being paid', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool();
    const old = await service.held(renter, toolId);
    await service.checkOut(renter, old.id);
    await service.setExpiry(old.id, 1);

    const { status, body } = await service.postHold(renter, [service.line(toolId)]);

    expect(status).toBe(201);
    expect(body.hold.id).not.toBe(old.id);
    expect(await service.holdStatus(old.id)).toBe('ended');
  });

  it('names the person’s own booking in the error if that booking takes the dates', async () => {
    const renter = await service.person();
    const { toolId } = await service.tool({ name: 'Ladder' });
    await service.booked(renter, toolId);

    const { status, body } = await service.postHold(renter, [service.line(toolId)]);

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'TOOL_ALREADY_BOOKED',
      detail:
        'You have already booked or requested “Ladder” for these dates. You’ll find it in My Rental History.',
    });
  });

  it('uses the client’s booking code if that code is free, otherwise another code', async () => {
    const tool = await service.tool({ units: 2 });
    const line = service.line(tool.toolId, { booking_code: 'LT987654' });

    const first = await service.postHold(await service.person(), [line]);
    const second = await service.postHold(await service.person(), [line]);
    const odd = service.line((await service.tool()).toolId, { booking_code: 'LT\u0000' });
    const third = await service.postHold(await service.person(), [odd]);

    expect(third.body.hold.lines[0].booking_code).toMatch(/^LT[1-9]\d{5}$/);
    expect(first.body.hold.lines[0].booking_code).toBe('LT987654');
    expect(second.body.hold.lines[0].booking_code).toMatch(/^LT(?!987654)[1-9]\d{5}$/);
  });

  it('allows three unpaid carts per person, even under concurrent requests', async () => {
    const renter = await service.person();
    const tools = await Promise.all([1, 2, 3, 4, 5].map(() => service.tool()));

    const replies = await Promise.all(
      tools.map((tool) => service.postHold(renter, [service.line(tool.toolId)])),
    );

    const rejected = replies.filter((reply) => reply.status !== 201);
    expect(rejected).toHaveLength(2);
    expect(rejected[0]).toMatchObject({ status: 409, body: { code: 'TOO_MANY_HOLDS' } });
  });

  it('waits briefly for a tool that was just listed', async () => {
    const data = service.toolData();
    const requested = service.postHold(await service.person(), [service.line(data.toolId)]);

    await service.broker.sendNew('ToolListed', data, { id: data.toolId, version: 1 });

    expect((await requested).status).toBe(201);
  });

  it('rejects a line that can’t be rented and names it', async () => {
    const renter = await service.person();
    const tool = await service.tool();
    const rejection = async (line: Record<string, unknown>) => {
      const { status, body } = await service.postHold(renter, [service.line(tool.toolId, line)]);
      return [status, body.code, body.errors[0].path];
    };
    const own = await service.tool({ ownerId: renter.userId });
    const off = await service.tool({ status: 'Unavailable' });

    expect(await rejection({ rental_id: randomUUID() })).toEqual([
      404,
      'TOOL_NOT_FOUND',
      'lines[0]',
    ]);
    expect(await rejection({ rental_id: own.toolId })).toEqual([409, 'TOOL_IS_YOURS', 'lines[0]']);
    expect(await rejection({ rental_id: off.toolId })).toEqual([
      409,
      'TOOL_UNAVAILABLE',
      'lines[0]',
    ]);
    expect(await rejection({ end_date: inDays(9) })).toEqual([
      400,
      'PERIOD_INVALID',
      'lines[0].end_date',
    ]);
    expect(await rejection({ start_date: '' })).toEqual([
      400,
      'VALIDATION_FAILED',
      'lines[0].start_date',
    ]);
    for (const quantity of [0, -1, 1.5, 1e9, 'NaN', '; DROP TABLE holds'])
      expect(await rejection({ quantity })).toEqual([
        400,
        'VALIDATION_FAILED',
        'lines[0].quantity',
      ]);
    expect(await rejection({ quantity: 2 })).toEqual([409, 'TOOL_ALREADY_BOOKED', 'lines[0]']);
  });

  it('rejects a total above the largest charge', async () => {
    const tool = await service.tool({ priceCents: 10_000_000, units: 50 });

    const { status, body } = await service.postHold(await service.person(), [
      service.line(tool.toolId, { quantity: 50 }),
    ]);

    expect([status, body.code]).toEqual([400, 'AMOUNT_INVALID']);
  });

  it('rejects a total below the smallest charge and holds nothing', async () => {
    const tool = await service.tool({ priceCents: 24 });
    const cheap = await service.postHold(await service.person(), [service.line(tool.toolId)]);
    const enough = await service.postHold(await service.person(), [
      service.line(tool.toolId, { end_date: inDays(13) }),
    ]);

    expect(cheap).toMatchObject({
      status: 400,
      body: { code: 'AMOUNT_INVALID', errors: [{ path: 'lines' }] },
    });
    expect(cheap.body.message).toBe(
      'A purchase must come to at least $0.50. Please rent for longer, or add another tool.',
    );
    expect(enough).toMatchObject({ status: 201, body: { hold: { amountCents: 72 } } });
  });

  it('rejects a hold for another user with 403', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const { toolId } = await service.tool();

    const foreign = await service.postHold({ ...renter, token: other.token }, [
      service.line(toolId),
    ]);

    expect(foreign.status).toBe(403);
  });
});

describe('a hold made while the broker is down', () => {
  it('is published once the broker is back, even if the process has restarted', async () => {
    const [renter, tool] = [await service.person(), await service.tool()];
    const cutOff = await service.start({ AMQP_URL: 'amqp://127.0.0.1:1' });

    const reply = await fetch(`${cutOff.url}/api/user/${renter.userId}/holds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${renter.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ lines: [service.line(tool.toolId)] }),
    });
    await cutOff.stop();

    expect(reply.status).toBe(201);
    await service.broker.expectEvent('BookingHeld', (data) => data.userId === renter.userId);
  });
});

describe('REQUIRE_VERIFIED_EMAIL', () => {
  it('limits holds and bookings to people with a verified email', async () => {
    const strict = await startBookingsService({ REQUIRE_VERIFIED_EMAIL: 'true' });
    const drill = await strict.tool();
    const [renter, verified] = [
      await strict.neighbor(),
      await strict.neighbor({ emailVerified: true }),
    ];
    const ask = (person: typeof renter) => strict.postHold(person, [strict.line(drill.toolId)]);

    const withoutHold = (person: typeof renter) =>
      strict.http.post(`/api/user/${person.userId}/add-rental-booking`, {
        ...person,
        body: strict.line(drill.toolId),
      });

    const replies = [await ask(renter), await withoutHold(renter), await ask(verified)];
    await strict.stop();

    const rejected = expect.objectContaining({
      status: 403,
      body: expect.objectContaining({ code: 'EMAIL_NOT_VERIFIED' }),
    });
    expect(replies).toEqual([rejected, rejected, expect.objectContaining({ status: 201 })]);
  });
});
