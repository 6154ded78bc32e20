import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Terms } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
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

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weekdayIn = (days: number) => weekdays[new Date(inDays(days)).getUTCDay()] as string;

const from = (start: number, end: number, more: Record<string, unknown> = {}) => ({
  start_date: inDays(start),
  end_date: inDays(end),
  ...more,
});

const hold = async (toolId: string, dates: Record<string, unknown>) =>
  service.postHold(await service.person(), [service.line(toolId, dates)]);

describe("a tool's terms", () => {
  it.each<[string, Terms, Record<string, unknown>, string, string]>([
    [
      'blocked days',
      { blocked: [{ from: inDays(9), to: inDays(9) }] },
      from(8, 10),
      'DATES_BLOCKED',
      'start_date',
    ],
    [
      'a closed weekday',
      { hours: { [weekdayIn(10)]: null } },
      from(8, 10),
      'DATES_CLOSED',
      'end_date',
    ],
    ['too short notice', { noticeHours: 240 }, from(8, 10), 'DATES_TOO_SOON', 'start_date'],
    ['too short a rental', { shortest: 3 }, from(8, 10), 'PERIOD_TOO_SHORT', 'end_date'],
    ['too long a rental', { longest: 1 }, from(8, 10), 'PERIOD_TOO_LONG', 'end_date'],
  ])(
    'rejects %s with its own error code and holds nothing',
    async (_name, terms, dates, code, field) => {
      const { toolId } = await service.tool({ terms });

      const { status, body } = await hold(toolId, dates);

      expect({ status, code: body.code, path: body.errors[0].path }).toEqual({
        status: 409,
        code,
        path: `lines[0].${field}`,
      });
      expect(body.detail).toMatch(/^“Hammer drill”: /);
      const { rows } = await service.pool.query('SELECT FROM bookings WHERE tool_id = $1', [
        toolId,
      ]);
      expect(rows).toEqual([]);
    },
  );

  it('discount a line once, by the discount for the longest length that it reaches', async () => {
    const discounts = [
      { days: 3 as const, percent: 10 },
      { days: 7 as const, percent: 33 },
    ];
    const { toolId } = await service.tool({ priceCents: 999, units: 9, terms: { discounts } });
    const lineOf = async (dates: Record<string, unknown>) =>
      (await hold(toolId, dates)).body.hold.lines[0];

    expect(await lineOf(from(8, 10))).toMatchObject({ paymentDue: 19.98, discount: 0 });
    expect(await lineOf(from(8, 11))).toMatchObject({ paymentDue: 26.97, discount: 3 });
    expect(await lineOf(from(8, 15, { quantity: 2 }))).toMatchObject({
      price: 9.99,
      paymentDue: 93.71,
      discount: 46.15,
    });
  });

  it('show the discounted price and the discount on the booking', async () => {
    const { toolId } = await service.tool({ terms: { discounts: [{ days: 3, percent: 20 }] } });
    const renter = await service.neighbor();

    const { id, payment } = await service.booked(renter, toolId, from(5, 9));

    const { body } = await service.http.get(`/api/rentalBookings/${id}/details`, renter);
    expect(payment.amountCents).toBe(4_000);
    expect(body.booking).toMatchObject({ price: 12.5, period: 4, payment: 40, discount: 10 });
  });

  it('apply to a client that pays without a hold too', async () => {
    const { toolId } = await service.tool({ terms: { longest: 1 } });
    const renter = await service.person();
    await service.succeed(service.paymentOf(renter, 2_500, null));
    await waitFor('the payment', async () => {
      const { rowCount } = await service.pool.query('SELECT FROM payments WHERE user_id = $1', [
        renter.userId,
      ]);
      return rowCount === 1;
    });

    const { status, body } = await service.http.post(
      `/api/user/${renter.userId}/add-rental-booking`,
      { token: renter.token, body: service.line(toolId) },
    );

    expect([status, body.code]).toEqual([409, 'PERIOD_TOO_LONG']);
  });

  it('keep the owner’s buffer between two rentals under concurrent holds', async () => {
    const { toolId } = await service.tool({ terms: { buffer: 2 } });
    // The first days of consecutive two-day rentals. With the two-day buffer, at most every other one can be held.
    const requested = [6, 8, 10, 12, 14, 16, 18, 20];

    const replies = await Promise.all(
      [...requested, ...requested, ...requested].map((start) =>
        hold(toolId, from(start, start + 2)),
      ),
    );

    const given = replies.filter(({ status }) => status === 201);
    expect(given.length).toBeGreaterThan(0);
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { rows } = await service.pool.query<{ gap: number }>(
      `SELECT extract(day FROM starts_at - lag(ends_at) OVER (ORDER BY starts_at))::int AS gap
       FROM bookings WHERE tool_id = $1 AND status = 'held' ORDER BY starts_at OFFSET 1`,
      [toolId],
    );
    expect(rows.every(({ gap }) => gap >= 2)).toBe(true);
  });

  it('let a new cart replace the same person’s older cart if it starts in the buffer after that cart’s rental', async () => {
    const { toolId } = await service.tool({ terms: { buffer: 1 } });
    const renter = await service.person();
    const ask = (dates: Record<string, unknown>) =>
      service.postHold(renter, [service.line(toolId, dates)]);
    const { body } = await ask(from(6, 8));

    expect((await ask(from(8, 9))).status).toBe(201);
    expect(await service.holdStatus(body.hold.id)).toBe('ended');
  });

  it.each([
    ['within the buffer of each other', from(6, 8), from(8, 9)],
    ['at the same time', from(6, 8), from(7, 9)],
  ])('reject a cart with two lines of the tool %s', async (_name, first, second) => {
    const { toolId } = await service.tool({ terms: { buffer: 1 }, name: 'Ladder' });

    const { status, body } = await service.postHold(await service.person(), [
      service.line(toolId, first),
      service.line(toolId, second),
    ]);

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'TOOL_ALREADY_BOOKED',
      detail:
        '“Ladder” is in your cart twice, too close together. Please change the dates of one, or remove it.',
      errors: [{ path: 'lines[1]' }],
    });
  });

  it('prevent a late payment from booking dates that the owner blocked meanwhile', async () => {
    const tool = await service.tool();
    const renter = await service.person();
    const held = await service.held(renter, tool.toolId);
    await service.setExpiry(held.id, 1);
    await waitFor('the end', async () => (await service.holdStatus(held.id)) === 'ended');
    const terms: Terms = { blocked: [{ from: inDays(10), to: inDays(10) }] };
    await service.broker.sendNew(
      'ToolUpdated',
      { ...tool, terms },
      { id: tool.toolId, version: 2 },
    );
    await waitFor(
      'the block',
      async () => (await hold(tool.toolId, {})).body.code === 'DATES_BLOCKED',
    );

    await service.succeed(service.paymentOf(renter, held.amountCents, held.id));

    const rejected = await service.broker.expectEvent(
      'BookingRejected',
      (d) => d.holdId === held.id,
    );
    expect(rejected.data).toMatchObject({ reason: 'slot-lost', refundCents: held.amountCents });
  });
});
