import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, Tool } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { bookingOf, holdOf } from '../../../test/bookings.ts';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.sync-holds';
type Hold = ReturnType<typeof holdOf>;

const eventOf = (type: 'BookingHeld' | 'BookingExpired', hold: Hold): Envelope =>
  newEvent(type, { id: hold.holdId, version: 1 }, hold);

const deliver = async (...events: Envelope[]): Promise<void> => {
  for (const event of events) {
    await catalog.broker.send(event);
    await catalog.handled(queue, event);
  }
};

const listTool = async (): Promise<{ owner: Person; tool: Tool }> => {
  const owner = await catalog.addOwner();
  return { owner, tool: await catalog.addTool(owner) };
};

const statusOfDelete = async (tool: Tool, owner: Person): Promise<number> =>
  (await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner)).status;

describe(queue, () => {
  it('makes a tool with a hold undeletable, but keeps it on offer', async () => {
    const { owner, tool } = await listTool();

    await deliver(eventOf('BookingHeld', holdOf(tool)));

    expect(await statusOfDelete(tool, owner)).toBe(409);
    expect((await catalog.getTool(tool.id)).item_status).toBe('Available');
  });

  it('ignores a duplicate event', async () => {
    const { owner, tool } = await listTool();
    const hold = holdOf(tool);
    const held = eventOf('BookingHeld', hold);

    await deliver(held, held, eventOf('BookingExpired', hold), { ...held, id: randomUUID() });

    expect(await statusOfDelete(tool, owner)).toBe(200);
  });

  it('has the same result when the end of a hold arrives before its start', async () => {
    const { owner, tool } = await listTool();
    const hold = holdOf(tool);

    await deliver(eventOf('BookingExpired', hold), eventOf('BookingHeld', hold));

    expect(await statusOfDelete(tool, owner)).toBe(200);
  });

  it('makes a tool undeletable when its hold is paid late, in whatever order the events arrive', async () => {
    const { owner, tool } = await listTool();
    const booking = bookingOf(tool);
    const hold = holdOf(tool, booking.bookingId);
    const booked = await catalog.broker.sendNew('BookingCreated', booking);
    await catalog.handled('catalog.update-status-when-booking-changed', booked);

    await deliver(eventOf('BookingHeld', hold), eventOf('BookingExpired', hold));

    expect(await statusOfDelete(tool, owner)).toBe(409);
  });

  it('dead-letters an unreadable message', async () => {
    const { tool } = await listTool();

    await expectPoisonToDie(catalog, queue, eventOf('BookingHeld', holdOf(tool)));
  });

  it('retries after a failure', async () => {
    const { owner, tool } = await listTool();

    await expectRetry(catalog, queue, eventOf('BookingHeld', holdOf(tool)));

    expect(await statusOfDelete(tool, owner)).toBe(409);
  });
});
