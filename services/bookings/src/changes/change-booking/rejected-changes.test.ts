import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Terms } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, type Dates, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { preview, change, cancel, lend } = changesAt(() => service);

describe('change-booking', () => {
  it('rejects a change that runs into the next booking, as do the preview and the calendar', async () => {
    const { renter, id, toolId } = await lend({ terms: { buffer: 1 } });
    await service.booked(await service.person(), toolId, days(16, 18));
    const rejected = {
      status: 409,
      body: {
        code: 'TOOL_ALREADY_BOOKED',
        detail:
          '“Hammer drill”: Somebody else has it on some of these dates. Please choose others.',
      },
    };
    const calendar = async (who: Person, query = '') =>
      (
        await service.http.get(
          `/api/rentals/${toolId}/availability?from=${inDays(13)}&to=${inDays(15)}${query}`,
          who,
        )
      ).body.availability.days.map(({ free }: { free: number }) => free);

    expect(await preview(renter, id, days(10, 16))).toMatchObject(rejected);
    expect(await change(renter, id, days(10, 16))).toMatchObject(rejected);
    expect((await preview(renter, id, days(10, 15))).status).toBe(200);
    expect(await calendar(renter)).toEqual([0, 0, 0]);
    expect(await calendar(renter, `&booking_id=${id}`)).toEqual([1, 1, 0]);
    // A stranger cannot exclude another renter's booking from the calendar.
    expect(await calendar(await service.person(), `&booking_id=${id}`)).toEqual([0, 0, 0]);
  });

  it('rejects a change against the owner’s terms, but not for dates that the booking already has', async () => {
    const { renter, owner, id, toolId } = await lend();
    const terms: Terms = {
      blocked: [
        { from: inDays(11), to: inDays(12) },
        { from: inDays(20), to: inDays(20) },
      ],
      shortest: 5,
      noticeHours: 24 * 15,
    };
    const tool = service.toolData({ toolId, ownerId: owner.userId, terms });
    await service.broker.sendNew('ToolUpdated', tool, { id: toolId, version: 2 });
    await waitFor('the terms', async () => {
      const { rows } = await service.pool.query('SELECT terms FROM tools WHERE id = $1', [toolId]);
      return rows[0].terms?.shortest === 5;
    });
    const codeOf = async (requested: Dates) => (await preview(renter, id, requested)).body.code;

    expect((await preview(renter, id, days(10, 15))).status).toBe(200);
    expect(await codeOf(days(10, 13))).toBe('PERIOD_TOO_SHORT');
    expect(await codeOf(days(10, 22))).toBe('DATES_BLOCKED');
    expect(await codeOf(days(11, 17))).toBe('DATES_TOO_SOON');
  });

  it('rejects changes by anyone but the renter, and changes to more units than the tool has', async () => {
    const { renter, owner, id } = await lend();
    const requested = days(10, 15);
    const codeOf = async (who: Person, what = requested) => (await change(who, id, what)).body.code;

    expect(await codeOf(owner)).toBe('FORBIDDEN');
    expect(await codeOf(await service.person('Admin'))).toBe('FORBIDDEN');
    expect(await codeOf(await service.person())).toBe('BOOKING_NOT_FOUND');
    expect((await preview(owner, id, requested)).body.code).toBe('FORBIDDEN');
    expect((await preview(await service.person(), id, requested)).body.code).toBe(
      'BOOKING_NOT_FOUND',
    );
    expect(await codeOf(renter, days(10, 14))).toBe('PERIOD_INVALID');
    expect(await codeOf(renter, days(10, 14, 2))).toBe('TOOL_ALREADY_BOOKED');
    await cancel(owner, id);
    expect(await codeOf(renter)).toBe('BOOKING_NOT_ACTIVE');
  });
});

describe('change-booking in a conflict', () => {
  it('rejects a change while a payment of the booking is disputed, until the dispute is won', async () => {
    const { renter, id, payment } = await lend();
    const requested = days(10, 15);
    const rejected = {
      status: 409,
      body: {
        code: 'BOOKING_NOT_ACTIVE',
        detail:
          'A bank is looking into a payment of this booking, so it can’t be changed at the moment.',
      },
    };

    await service.dispute(payment, 'open', { cents: 4_000, version: 3 });
    await waitFor('the dispute', async () => (await preview(renter, id, requested)).status === 409);

    expect(await preview(renter, id, requested)).toMatchObject(rejected);
    expect(await change(renter, id, requested)).toMatchObject(rejected);
    await service.dispute(payment, 'won', { cents: 4_000, version: 4 });
    await waitFor('the change', async () => (await change(renter, id, requested)).status === 200);
  });

  it('rejects with a specific message a change that overlaps the renter’s own next booking', async () => {
    const { renter, id, toolId } = await lend();
    await service.booked(renter, toolId, days(15, 17));

    const { status, body } = await preview(renter, id, days(10, 16));

    expect([status, body.code]).toEqual([409, 'TOOL_ALREADY_BOOKED']);
    expect(body.detail).toBe(
      'You have already booked or requested “Hammer drill” for these dates. You’ll find it in My Rental History.',
    );
  });
});

describe('the largest charge', () => {
  it('limits the whole price of a change, also in the preview', async () => {
    const { renter, id } = await lend({ units: 5, priceCents: 10_000_000 });
    const tooLarge = (path: string) => ({
      status: 400,
      body: { code: 'AMOUNT_INVALID', errors: [{ path }] },
    });

    expect(await preview(renter, id, days(10, 20))).toMatchObject(tooLarge('end_date'));
    expect(await change(renter, id, days(10, 20))).toMatchObject(tooLarge('end_date'));
    expect(await change(renter, id, days(10, 14, 5))).toMatchObject(tooLarge('quantity'));
    expect(await preview(renter, id, days(10, 90, 5))).toMatchObject(tooLarge('quantity'));
    expect(await change(renter, id, days(10, 90, 5))).toMatchObject(tooLarge('quantity'));
    expect((await change(renter, id, days(10, 19))).body.hold.amountCents).toBe(50_000_000);
  });
});
