import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { bookingOf } from '../../test/bookings.ts';
import { type CatalogService, startCatalogForTest } from '../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest({ PURGE_INTERVAL_MINUTES: '0.01' });
});
afterAll(() => catalog.stop());

const queue = 'catalog.sync-taken-dates';
const day = laterDay(localDate('UTC', Date.now()), 100);
const dates = {
  startsAt: `${laterDay(day, -1)}T07:00:00.000Z`,
  endsAt: `${laterDay(day, 1)}T07:00:00.000Z`,
  units: [1],
};

/** Lists a tool that stays listed, with a booking whose events contained no dates. */
const listBooked = async (): Promise<{ tool: Tool; bookingId: string }> => {
  const tool = await catalog.addTool(await catalog.addOwner(), { terms: { staysListed: true } });
  const bookingId = randomUUID();
  await deliver('BookingCreated', tool, bookingId);
  return { tool, bookingId };
};

const deliver = async (
  type: 'BookingCreated' | 'BookingCancelled',
  tool: Tool,
  bookingId: string,
): Promise<void> => {
  const event = await catalog.broker.sendNew(type, bookingOf(tool, { bookingId }));
  await catalog.handled('catalog.mark-unavailable-when-booking-created', event);
};

const availabilityChanged = (tool: Tool, bookingId: string, bookedAt?: string): Envelope => {
  const taken = [
    { bookingId, toolId: tool.id, quantity: 1, ...dates, ...(bookedAt && { bookedAt }) },
  ];
  return newEvent('AvailabilityChanged', { id: tool.id, version: 1 }, { toolId: tool.id, taken });
};

const send = async (event: Envelope): Promise<void> => {
  await catalog.broker.send(event);
  await catalog.handled(queue, event);
};

const isFree = async ({ categoryId }: Tool): Promise<boolean> => {
  const asked = `/api/rentals/${categoryId}/get-tools?from=${day}&to=${day}`;
  return (await catalog.http.get(asked)).body.rentals.length === 1;
};

describe(queue, () => {
  it('records the dates of bookings that are older than the dates in events', async () => {
    const { tool, bookingId } = await listBooked();
    expect(await isFree(tool)).toBe(true);

    await send(availabilityChanged(tool, bookingId));

    expect(await isFree(tool)).toBe(false);
  });

  it('ignores a duplicate event, and one without bookings', async () => {
    const { tool, bookingId } = await listBooked();
    const event = availabilityChanged(tool, bookingId);
    await send(event);
    await send({ ...event, id: randomUUID() });
    await send(newEvent('AvailabilityChanged', { id: tool.id, version: 2 }, { toolId: tool.id }));
    expect(await isFree(tool)).toBe(false);

    await deliver('BookingCancelled', tool, bookingId);

    expect(await isFree(tool)).toBe(true);
  });

  it('keeps a tool free when the dates of a cancelled booking arrive late', async () => {
    const { tool, bookingId } = await listBooked();
    await deliver('BookingCancelled', tool, bookingId);

    await send(availabilityChanged(tool, bookingId));

    expect(await isFree(tool)).toBe(true);
  });

  it('dead-letters an unreadable message', async () => {
    const { tool, bookingId } = await listBooked();

    await expectPoisonToDie(catalog, queue, availabilityChanged(tool, bookingId));
  });

  it('retries after a failure', async () => {
    const { tool, bookingId } = await listBooked();

    await expectRetry(catalog, queue, availabilityChanged(tool, bookingId));

    expect(await isFree(tool)).toBe(false);
  });
});

describe('a booking of which no other event arrived', () => {
  const rowOf = async (bookingId: string) => {
    const { rows } = await catalog.pool.query(
      'SELECT held_at, booked_at FROM tool_bookings WHERE booking_id = $1',
      [bookingId],
    );
    return rows[0];
  };

  it.each([
    ['booked', '2026-02-03T04:05:06.000Z', 'booked_at'],
    ['held', undefined, 'held_at'],
  ])(
    'records an unknown booking as %s, and prevents deleting its tool',
    async (_, bookedAt, column) => {
      const owner = await catalog.addOwner();
      const tool = await catalog.addTool(owner);
      const bookingId = randomUUID();
      const event = availabilityChanged(tool, bookingId, bookedAt);

      await send(event);

      const nothing = { held_at: null, booked_at: null };
      const at = new Date(bookedAt ?? event.occurredAt);
      expect(await rowOf(bookingId)).toEqual({ ...nothing, [column]: at });
      const deleted = await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);
      expect(deleted).toMatchObject({ status: 409, body: { code: 'TOOL_HAS_BOOKINGS' } });
    },
  );
});

describe('the dates of bookings', () => {
  it('clears dates that are past by more than the longest buffer, and keeps the booking', async () => {
    const [past, recent] = [await listBooked(), await listBooked()];
    for (const { tool, bookingId } of [past, recent])
      await send(availabilityChanged(tool, bookingId));
    const ended = (bookingId: string, days: number) =>
      catalog.pool.query(
        `UPDATE tool_bookings SET ends_at = now() - $2 * interval '1 day' WHERE booking_id = $1`,
        [bookingId, days],
      );
    await ended(recent.bookingId, 31);
    await ended(past.bookingId, 33);
    const unitsOf = async (bookingId: string) => {
      const { rows } = await catalog.pool.query(
        'SELECT starts_at, ends_at, units, booked_at FROM tool_bookings WHERE booking_id = $1',
        [bookingId],
      );
      return rows[0];
    };

    await waitFor('the purge', async () => (await unitsOf(past.bookingId)).units === null);

    const empty = { starts_at: null, ends_at: null, units: null };
    expect(await unitsOf(past.bookingId)).toEqual({ ...empty, booked_at: expect.any(Date) });
    expect(await unitsOf(recent.bookingId)).toMatchObject({ units: [1] });
  });
});
