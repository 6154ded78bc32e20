import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { bookingOf, holdOf } from '../../../test/bookings.ts';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

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

/** Lists a tool that stays listed when booked. Returns it with the id of a booking whose events were lost. */
const listBooked = async (): Promise<{ tool: Tool; bookingId: string }> => {
  const tool = await catalog.addTool(await catalog.addOwner(), { terms: { staysListed: true } });
  return { tool, bookingId: randomUUID() };
};

const cancel = async (tool: Tool, bookingId: string): Promise<void> => {
  const event = await catalog.broker.sendNew('BookingCancelled', bookingOf(tool, { bookingId }));
  await catalog.handled('catalog.update-status-when-booking-changed', event);
};

const inFebruary = '2026-02-03T04:05:06.000Z';
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
  const path = `/api/rentals/${categoryId}/get-tools?from=${day}&to=${day}`;
  return (await catalog.http.get(path)).body.rentals.length === 1;
};

describe(queue, () => {
  it('records the dates of a booking whose events were lost', async () => {
    const { tool, bookingId } = await listBooked();
    expect(await isFree(tool)).toBe(true);

    await send(availabilityChanged(tool, bookingId, inFebruary));

    expect(await isFree(tool)).toBe(false);
  });

  it('records the payment of a known hold, and keeps the hold’s dates', async () => {
    const { tool, bookingId } = await listBooked();
    const hold = holdOf(tool, bookingId);
    await catalog.handled('catalog.sync-holds', await catalog.broker.sendNew('BookingHeld', hold));

    await send(availabilityChanged(tool, bookingId, inFebruary));

    const { rows } = await catalog.pool.query(
      'SELECT booked_at, starts_at FROM tool_bookings WHERE booking_id = $1',
      [bookingId],
    );
    const startsAt = new Date(String(hold.lines[0]?.startsAt));
    expect(rows).toEqual([{ booked_at: new Date(inFebruary), starts_at: startsAt }]);
  });

  it('ignores a duplicate event and an event without bookings', async () => {
    const { tool, bookingId } = await listBooked();
    const event = availabilityChanged(tool, bookingId);
    await send(event);
    await send({ ...event, id: randomUUID() });
    await send(newEvent('AvailabilityChanged', { id: tool.id, version: 2 }, { toolId: tool.id }));
    expect(await isFree(tool)).toBe(false);

    await cancel(tool, bookingId);

    expect(await isFree(tool)).toBe(true);
  });

  it('keeps a tool free when the dates of a cancelled booking arrive late', async () => {
    const { tool, bookingId } = await listBooked();
    await cancel(tool, bookingId);

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

describe('a booking whose events were lost', () => {
  const rowOf = async (bookingId: string) => {
    const { rows } = await catalog.pool.query(
      'SELECT held_at, booked_at FROM tool_bookings WHERE booking_id = $1',
      [bookingId],
    );
    return rows[0];
  };

  it.each([
    ['booked', inFebruary, 'booked_at'],
    ['held', undefined, 'held_at'],
  ])('is recorded as %s, so that its tool cannot be deleted', async (_, bookedAt, column) => {
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
  });
});

describe('the purge of past dates', () => {
  it('clears the dates of a booking once the longest buffer after them is over, and keeps the booking', async () => {
    const [past, recent] = [await listBooked(), await listBooked()];
    for (const { tool, bookingId } of [past, recent])
      await send(availabilityChanged(tool, bookingId, inFebruary));
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
