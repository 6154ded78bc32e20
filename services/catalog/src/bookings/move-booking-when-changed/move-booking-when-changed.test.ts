import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, EventData, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { newEvent } from '@lendtools/event-bus';
import { bookingChanged } from '@lendtools/testing';
import { bookingOf } from '../../../test/bookings.ts';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.move-booking-when-changed';
const other = 'catalog.update-status-when-booking-changed';
const [was, is] = [100, 110].map((days) => laterDay(localDate('UTC', Date.now()), days)) as [
  string,
  string,
];
const around = (day: string) => ({
  startsAt: `${laterDay(day, -1)}T07:00:00.000Z`,
  endsAt: `${laterDay(day, 1)}T07:00:00.000Z`,
  units: [1],
});

/** Lists a tool. Creates the events of a booking and of a change of that booking. */
const createEvents = async (overrides: Partial<EventData<'BookingChanged'>> = {}, quantity = 1) => {
  const terms = quantity === 1 ? { staysListed: true } : {};
  const tool = await catalog.addTool(await catalog.addOwner(), { quantity, terms });
  const booking = bookingOf(tool, around(was));
  const { bookingId, toolId, ownerId } = booking;
  const at = (version: number) => ({ id: bookingId, version });
  const data = bookingChanged({ bookingId, toolId, ownerId, ...around(is), ...overrides });
  return {
    tool,
    created: newEvent('BookingCreated', at(2), booking),
    changed: newEvent('BookingChanged', at(3), data),
    again: newEvent('BookingChanged', at(4), { ...data, ...around(was) }),
  };
};

const deliver = async (...events: Envelope[]): Promise<void> => {
  for (const event of events) {
    await catalog.broker.send(event);
    await catalog.handled(event.type === 'BookingChanged' ? queue : other, event);
  }
};

const isFree = async ({ categoryId }: Tool, day: string): Promise<boolean> => {
  const path = `/api/rentals/${categoryId}/get-tools?from=${day}&to=${day}`;
  return (await catalog.http.get(path)).body.rentals.length === 1;
};

describe(queue, () => {
  it('frees the old dates of a changed booking and blocks the new ones', async () => {
    const { tool, created, changed } = await createEvents();
    await deliver(created);
    expect([await isFree(tool, was), await isFree(tool, is)]).toEqual([false, true]);

    await deliver(changed);

    expect([await isFree(tool, was), await isFree(tool, is)]).toEqual([true, false]);
  });

  it('marks a tool Unavailable when a changed booking uses the last unit of the tool', async () => {
    const { tool, created, changed } = await createEvents({ quantity: 2, units: [1, 2] }, 2);
    const status = async () =>
      (await catalog.http.get(`/api/get-tool/${tool.id}`)).body.tool[0].item_status;
    await deliver(created);
    expect(await status()).toBe('Available');

    await deliver(changed);

    expect(await status()).toBe('Unavailable');
  });

  it('frees the old dates and blocks the new ones in any order of events, even with a duplicate', async () => {
    const { tool, created, changed, again } = await createEvents();

    await deliver(again, changed, created, { ...changed, id: randomUUID() }, again);

    expect([await isFree(tool, was), await isFree(tool, is)]).toEqual([false, true]);
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, (await createEvents()).changed);
  });

  it('retries after a failure', async () => {
    const { tool, created, changed } = await createEvents();
    await deliver(created);

    await expectRetry(catalog, queue, changed);

    expect(await isFree(tool, was)).toBe(true);
  });
});
