import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  startBookingsService,
} from '../../../test/bookings-service.ts';

const queue = 'bookings.sync-tools';
let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const update = (data: ReturnType<typeof service.toolData>, version: number) =>
  service.broker.sendNew('ToolUpdated', data, { id: data.toolId, version });

const versionOf = async (toolId: string): Promise<number | undefined> =>
  (await service.pool.query('SELECT version FROM tools WHERE id = $1', [toolId])).rows[0]?.version;

const atVersion = (toolId: string, version: number) =>
  waitFor(`version ${version}`, async () => (await versionOf(toolId)) === version);

/** Sends a later event to the same queue and waits for it: the earlier ones are consumed by then. */
const drainQueue = () => service.tool();

const priceOf = async (toolId: string, quantity = 1): Promise<[number, unknown]> => {
  const line = service.line(toolId, { quantity });
  const { status, body } = await service.postHold(await service.person(), [line]);
  return [status, body.hold?.amountCents ?? body.code];
};

describe('sync-tools', () => {
  it('copies a tool’s price, status, owner and units from the catalog service', async () => {
    const tool = await service.tool({ priceCents: 700, units: 1 });
    const more = { ...tool, priceCents: 900, units: 3 };

    expect(await priceOf(tool.toolId, 2)).toEqual([409, 'TOOL_ALREADY_BOOKED']);
    await update(more, 2);
    await atVersion(tool.toolId, 2);
    expect(await priceOf(tool.toolId, 2)).toEqual([201, 3_600]);

    await update({ ...more, status: 'Unavailable' }, 3);
    await atVersion(tool.toolId, 3);
    expect(await priceOf(tool.toolId)).toEqual([409, 'TOOL_UNAVAILABLE']);
  });

  it('copies changed terms and publishes that the calendar changed', async () => {
    const tool = await service.tool({ terms: { longest: 1 } });
    expect(await priceOf(tool.toolId)).toEqual([409, 'PERIOD_TOO_LONG']);

    await update({ ...tool, terms: null }, 2);
    await atVersion(tool.toolId, 2);

    const changed = await service.broker.expectEvent(
      'AvailabilityChanged',
      (d) => d.toolId === tool.toolId,
    );
    expect(changed.version).toBe(2);
    expect(await priceOf(tool.toolId)).toEqual([201, 2_500]);
  });

  it('keeps bookings when the owner reduces the units, and rents out at most the remaining units', async () => {
    const tool = await service.tool({ units: 3 });
    await service.booked(await service.person(), tool.toolId);
    await service.booked(await service.person(), tool.toolId, { quantity: 2 });

    await update({ ...tool, units: 2 }, 2);
    await atVersion(tool.toolId, 2);
    // Unit 1 is returned. Units 2 and 3 are still out, and the owner now has two units.
    const { rows } = await service.pool.query(
      `SELECT b.id FROM bookings b WHERE tool_id = $1 AND quantity = 1`,
      [tool.toolId],
    );
    await service.pool.query(`UPDATE bookings SET status = 'returned' WHERE id = $1`, [rows[0].id]);

    expect(await priceOf(tool.toolId)).toEqual([409, 'TOOL_ALREADY_BOOKED']);
  });

  it('ignores a duplicate event about a tool', async () => {
    const data = service.toolData();
    const event = newEvent('ToolListed', { id: data.toolId, version: 1 }, data);

    await service.broker.send(event);
    await service.broker.send(event);
    await drainQueue();

    const { rows } = await service.pool.query('SELECT * FROM units WHERE tool_id = $1', [
      data.toolId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('never replaces a newer version of a tool, even if its removal comes first', async () => {
    const tool = await service.tool();
    const removed = service.toolData();
    await update({ ...tool, priceCents: 500 }, 5);
    await atVersion(tool.toolId, 5);

    await update({ ...tool, priceCents: 400 }, 4);
    const { toolId, ownerId } = removed;
    await service.broker.sendNew('ToolRemoved', { toolId, ownerId }, { id: toolId, version: 2 });
    await service.broker.sendNew('ToolListed', removed, { id: toolId, version: 1 });
    await drainQueue();

    expect(await priceOf(tool.toolId)).toEqual([201, 1_000]);
    expect(await priceOf(toolId)).toEqual([404, 'TOOL_NOT_FOUND']);
  });

  it('keeps nothing that the owner wrote about a removed tool', async () => {
    const { toolId, ownerId } = await service.tool({ terms: { longest: 1 } });

    await service.broker.sendNew('ToolRemoved', { toolId, ownerId }, { id: toolId, version: 2 });
    await atVersion(toolId, 2);

    const { rows } = await service.pool.query('SELECT * FROM tools WHERE id = $1', [toolId]);
    expect(rows[0]).toMatchObject({ description: '', cover_image: 'null', terms: null });
  });

  it('dead-letters an unreadable message and continues with the next', async () => {
    await service.broker.sendRaw(queue, 'not an event');

    await service.tool();

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });

  it('retries when the database fails briefly', async () => {
    await failFirstWrites(service.pool, 'units', 2);

    const tool = await service.tool();

    await waitFor('the unit', async () => (await priceOf(tool.toolId))[0] === 201);
  });
});
