import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, Tool } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { bookingOf, holdOf } from '../../test/bookings.ts';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.keep-holds';
type Hold = ReturnType<typeof holdOf>;

const eventOf = (type: 'BookingHeld' | 'BookingExpired', hold: Hold): Envelope =>
  newEvent(type, { id: hold.holdId, version: 1 }, hold);

const hear = async (...events: Envelope[]): Promise<void> => {
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
  it('keeps the tool from being deleted, and leaves it on offer', async () => {
    const { owner, tool } = await listTool();

    await hear(eventOf('BookingHeld', holdOf(tool)));

    expect(await statusOfDelete(tool, owner)).toBe(409);
    expect((await catalog.getTool(tool.id)).item_status).toBe('Available');
  });

  it('takes a repeat for none', async () => {
    const { owner, tool } = await listTool();
    const hold = holdOf(tool);
    const held = eventOf('BookingHeld', hold);

    await hear(held, held, eventOf('BookingExpired', hold), { ...held, id: randomUUID() });

    expect(await statusOfDelete(tool, owner)).toBe(200);
  });

  it('comes to the same when the hold ends before it began', async () => {
    const { owner, tool } = await listTool();
    const hold = holdOf(tool);

    await hear(eventOf('BookingExpired', hold), eventOf('BookingHeld', hold));

    expect(await statusOfDelete(tool, owner)).toBe(200);
  });

  it('lets a booking that was paid late keep the tool, whichever is heard first', async () => {
    const { owner, tool } = await listTool();
    const booking = bookingOf(tool);
    const hold = holdOf(tool, booking.bookingId);
    const booked = await catalog.broker.sendNew('BookingCreated', booking);
    await catalog.handled('catalog.mark-unavailable-when-booking-created', booked);

    await hear(eventOf('BookingHeld', hold), eventOf('BookingExpired', hold));

    expect(await statusOfDelete(tool, owner)).toBe(409);
  });

  it('puts aside what it cannot read', async () => {
    const { tool } = await listTool();

    await expectPoisonToDie(catalog, queue, eventOf('BookingHeld', holdOf(tool)));
  });

  it('tries again after a failure', async () => {
    const { owner, tool } = await listTool();

    await expectRetry(catalog, queue, eventOf('BookingHeld', holdOf(tool)));

    expect(await statusOfDelete(tool, owner)).toBe(409);
  });
});
