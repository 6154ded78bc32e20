import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, Tool } from '@lendtools/contracts';
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

const queue = 'catalog.reopen-booking-when-return-undone';
const other = 'catalog.update-status-when-booking-changed';

/** The events of a booking that was returned, reopened and returned again. */
const createEvents = (tool: Tool) => {
  const booking = bookingOf(tool);
  const at = (version: number) => ({ id: booking.bookingId, version });
  return {
    created: newEvent('BookingCreated', at(2), booking),
    returned: newEvent('BookingReturned', at(3), booking),
    undone: newEvent('BookingReturnUndone', at(4), booking),
    again: newEvent('BookingReturned', at(5), booking),
  };
};

const deliver = async (...events: Envelope[]): Promise<void> => {
  for (const event of events) {
    await catalog.broker.send(event);
    await catalog.handled(event.type === 'BookingReturnUndone' ? queue : other, event);
  }
};

const listTool = async (): Promise<{ owner: Person; tool: Tool }> => {
  const owner = await catalog.addOwner();
  return { owner, tool: await catalog.addTool(owner) };
};

const remove = async (tool: Tool, owner: Person): Promise<number> =>
  (await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner)).status;

describe(queue, () => {
  it('makes a tool undeletable when its return is undone, until it is returned again', async () => {
    const { owner, tool } = await listTool();
    const { created, returned, undone, again } = createEvents(tool);

    await deliver(created, returned, undone);
    const out = await remove(tool, owner);
    await deliver(again);

    expect([out, await remove(tool, owner)]).toEqual([409, 200]);
  });

  it('marks a tool Unavailable when its return is undone, even if its owner has listed it again', async () => {
    const { owner, tool } = await listTool();
    const { created, returned, undone } = createEvents(tool);
    await deliver(created, returned);
    const path = `/api/update-rental/${tool.id}`;
    await catalog.http.put(path, { ...owner, body: { item_status: 'Available' } });
    const listed = await catalog.http.get(`/api/get-tool/${tool.id}`);

    await deliver({ ...undone, occurredAt: new Date().toISOString() });

    const after = await catalog.http.get(`/api/get-tool/${tool.id}`);
    expect([listed, after].map(({ body }) => body.tool[0].item_status)).toEqual([
      'Available',
      'Unavailable',
    ]);
  });

  it.each(['before the return', 'after the next return'])(
    'has the same result when the event arrives %s',
    async (when) => {
      const { owner, tool } = await listTool();
      const { created, returned, undone, again } = createEvents(tool);

      if (when === 'before the return') {
        await deliver(created, undone, returned);
        expect(await remove(tool, owner)).toBe(409);
      } else {
        await deliver(created, returned, again, undone);
        expect(await remove(tool, owner)).toBe(200);
      }
    },
  );

  it('ignores a duplicate event', async () => {
    const { owner, tool } = await listTool();
    const { created, returned, undone, again } = createEvents(tool);

    await deliver(created, returned, undone, again, undone, { ...undone, id: randomUUID() });

    expect(await remove(tool, owner)).toBe(200);
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, createEvents((await listTool()).tool).undone);
  });

  it('retries after a failure', async () => {
    const { owner, tool } = await listTool();
    const { created, returned, undone } = createEvents(tool);
    await deliver(created, returned);

    await expectRetry(catalog, queue, undone);

    expect(await remove(tool, owner)).toBe(409);
  });

  it('records an event about a removed tool, and publishes nothing', async () => {
    const { owner, tool } = await listTool();
    await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);

    await deliver(createEvents(tool).undone);

    expect(catalog.countUpdates(tool.id)).toBe(0);
  });
});
