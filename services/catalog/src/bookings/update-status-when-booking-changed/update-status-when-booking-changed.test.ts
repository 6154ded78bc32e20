import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, EventType, Tool } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { bookingOf } from '../../../test/bookings.ts';
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

const queue = 'catalog.update-status-when-booking-changed';
type Booking = ReturnType<typeof bookingOf>;
type BookingEvent = Extract<EventType, 'BookingCreated' | 'BookingReturned' | 'BookingCancelled'>;

const eventOf = (type: BookingEvent, booking: Booking): Envelope =>
  newEvent(type, { id: booking.bookingId, version: 1 }, booking);

const deliver = async (...events: Envelope[]): Promise<void> => {
  for (const event of events) {
    await catalog.broker.send(event);
    await catalog.handled(queue, event);
  }
};

const listTool = async (fields = {}): Promise<{ owner: Person; tool: Tool }> => {
  const owner = await catalog.addOwner();
  return { owner, tool: await catalog.addTool(owner, fields) };
};

const statusOf = async (tool: Tool): Promise<string> =>
  (await catalog.getTool(tool.id)).item_status;

describe(queue, () => {
  it('marks a booked tool Unavailable and publishes the tool', async () => {
    const { tool } = await listTool();

    await deliver(eventOf('BookingCreated', bookingOf(tool)));

    expect(await statusOf(tool)).toBe('Unavailable');
    const updated = await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);
    expect(updated).toMatchObject({ version: 2, data: { status: 'Unavailable' } });
  });

  it('keeps a booked tool on offer if its terms say so, until its owner pauses it', async () => {
    const { owner, tool } = await listTool({ terms: { staysListed: true } });

    await deliver(eventOf('BookingCreated', bookingOf(tool)));
    const booked = await statusOf(tool);
    const body = { item_status: 'Unavailable' };
    await catalog.http.put(`/api/update-rental/${tool.id}`, { token: owner.token, body });
    await deliver(eventOf('BookingCreated', bookingOf(tool)));

    expect([booked, await statusOf(tool)]).toEqual(['Available', 'Unavailable']);
  });

  it('keeps the tool Available until its last unit is booked', async () => {
    const { tool } = await listTool({ quantity: 3 });

    await deliver(eventOf('BookingCreated', bookingOf(tool, { quantity: 2 })));
    const before = await statusOf(tool);
    await deliver(eventOf('BookingCreated', bookingOf(tool)));

    expect([before, await statusOf(tool)]).toEqual(['Available', 'Unavailable']);
  });

  it('counts both bookings when the last units are booked concurrently', async () => {
    const { tool } = await listTool({ quantity: 6 });
    const events = Array.from({ length: 6 }, () => eventOf('BookingCreated', bookingOf(tool)));

    await Promise.all(events.map((event) => deliver(event)));

    expect(await statusOf(tool)).toBe('Unavailable');
    expect(catalog.countUpdates(tool.id)).toBeLessThanOrEqual(1);
  });

  it('keeps the tool Unavailable after the return until the owner lists it again', async () => {
    const { owner, tool } = await listTool();
    const booking = bookingOf(tool);

    await deliver(eventOf('BookingCreated', booking), eventOf('BookingReturned', booking));
    const returned = await statusOf(tool);
    await catalog.http.put(`/api/update-rental/${tool.id}`, { token: owner.token, body: {} });
    const relisted = await statusOf(tool);
    await deliver(eventOf('BookingCreated', bookingOf(tool)));

    expect([returned, relisted, await statusOf(tool)]).toEqual([
      'Unavailable',
      'Available',
      'Unavailable',
    ]);
  });

  it('counts the units of a completed booking as returned, in whatever order the events arrive', async () => {
    const { tool } = await listTool({ quantity: 2 });
    const booking = bookingOf(tool);
    const completed = newEvent(
      'BookingCompleted',
      { id: booking.bookingId, version: 3 },
      { ...booking, returnedAt: null },
    );

    await deliver(completed, eventOf('BookingCreated', booking));
    await deliver(eventOf('BookingCreated', bookingOf(tool)));

    expect(await statusOf(tool)).toBe('Available');
  });

  it('makes the tool Available again when the booking is cancelled', async () => {
    const { tool } = await listTool();
    const booking = bookingOf(tool);

    await deliver(eventOf('BookingCreated', booking), eventOf('BookingCancelled', booking));

    expect(await statusOf(tool)).toBe('Available');
  });

  it('keeps a booked tool Unavailable when a booking from before its last listing is cancelled', async () => {
    const { owner, tool } = await listTool();
    const earlier = bookingOf(tool);
    await deliver(eventOf('BookingCreated', earlier));
    await catalog.http.put(`/api/update-rental/${tool.id}`, { token: owner.token, body: {} });

    await deliver(eventOf('BookingCreated', bookingOf(tool)), eventOf('BookingCancelled', earlier));

    expect(await statusOf(tool)).toBe('Unavailable');
  });

  it('keeps a paused tool Unavailable, whatever happens to its bookings', async () => {
    const { owner, tool } = await listTool({ quantity: 2 });
    const [early, late] = [bookingOf(tool), bookingOf(tool)];
    await deliver(eventOf('BookingCreated', early));
    const body = { item_status: 'Unavailable' };
    await catalog.http.put(`/api/update-rental/${tool.id}`, { token: owner.token, body });

    await deliver(
      eventOf('BookingReturned', early),
      eventOf('BookingCreated', late),
      eventOf('BookingCancelled', late),
    );

    expect(await statusOf(tool)).toBe('Unavailable');
  });

  it('ignores a duplicate event', async () => {
    const { tool } = await listTool({ quantity: 2 });
    const event = eventOf('BookingCreated', bookingOf(tool));

    // Redeliver the event, then send another one about the same booking.
    await deliver(event, event, { ...event, id: randomUUID() });

    expect(await statusOf(tool)).toBe('Available');
  });

  it('dead-letters an unreadable message', async () => {
    const { tool } = await listTool();

    await expectPoisonToDie(catalog, queue, eventOf('BookingCreated', bookingOf(tool)));
  });

  it('retries after a failure', async () => {
    const { tool } = await listTool();

    await expectRetry(catalog, queue, eventOf('BookingCreated', bookingOf(tool)));

    expect(await statusOf(tool)).toBe('Unavailable');
  });

  it('has the same result when the end of a booking arrives before its start', async () => {
    const { tool } = await listTool();
    const cancelled = bookingOf(tool);
    const returned = bookingOf(tool);
    const created = [cancelled, returned].map((booking) => eventOf('BookingCreated', booking));
    const ended = [eventOf('BookingCancelled', cancelled), eventOf('BookingReturned', returned)];

    await deliver(ended[0] as Envelope, created[0] as Envelope);
    const afterCancelled = await statusOf(tool);
    await deliver(ended[1] as Envelope, created[1] as Envelope);

    expect([afterCancelled, await statusOf(tool)]).toEqual(['Available', 'Unavailable']);
  });

  it('records events about a removed tool, and publishes nothing', async () => {
    const { owner, tool } = await listTool();
    await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);

    await deliver(eventOf('BookingCreated', bookingOf(tool)));

    expect(catalog.countUpdates(tool.id)).toBe(0);
  });
});
