import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  startBookingsService,
} from '../../test/bookings-service.ts';

const queue = 'bookings.keep-tools';
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

/** Once a later event of the same queue has had its effect, so has an earlier one. */
const afterAllBefore = () => service.tool();

const priceOf = async (toolId: string, quantity = 1): Promise<[number, unknown]> => {
  const line = service.line(toolId, { quantity });
  const { status, body } = await service.askHold(await service.person(), [line]);
  return [status, body.hold?.amountCents ?? body.code];
};

describe('sync-tools', () => {
  it('takes price, status, owner and units from the catalog', async () => {
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

  it('keeps the terms that it knows where a replica of before says nothing of them', async () => {
    const tool = await service.tool({ terms: { longest: 1 } });
    const { terms: _, ...silent } = tool;

    await update({ ...silent, priceCents: 900 }, 2);
    await atVersion(tool.toolId, 2);
    expect(await priceOf(tool.toolId)).toEqual([409, 'PERIOD_TOO_LONG']);
    const told = await service.broker.expectEvent(
      'AvailabilityChanged',
      (d) => d.toolId === tool.toolId,
    );
    expect(told.version).toBe(2);

    await update({ ...silent, terms: null, priceCents: 900 }, 3);
    await atVersion(tool.toolId, 3);
    expect(await priceOf(tool.toolId)).toEqual([201, 1_800]);
  });

  it('keeps what is booked when an owner has fewer units, and lends no more than are there', async () => {
    const tool = await service.tool({ units: 3 });
    await service.booked(await service.person(), tool.toolId);
    await service.booked(await service.person(), tool.toolId, { quantity: 2 });

    await update({ ...tool, units: 2 }, 2);
    await atVersion(tool.toolId, 2);
    // Unit 1 comes back; units 2 and 3 are still out, and the owner has two.
    const { rows } = await service.pool.query(
      `SELECT b.id FROM bookings b WHERE tool_id = $1 AND quantity = 1`,
      [tool.toolId],
    );
    await service.pool.query(`UPDATE bookings SET status = 'returned' WHERE id = $1`, [rows[0].id]);

    expect(await priceOf(tool.toolId)).toEqual([409, 'TOOL_ALREADY_BOOKED']);
  });

  it('does nothing the second time', async () => {
    const data = service.toolData();
    const event = newEvent('ToolListed', { id: data.toolId, version: 1 }, data);

    await service.broker.send(event);
    await service.broker.send(event);
    await afterAllBefore();

    const { rows } = await service.pool.query('SELECT * FROM units WHERE tool_id = $1', [
      data.toolId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('never goes back to an older version, also when the removal comes first', async () => {
    const tool = await service.tool();
    const removed = service.toolData();
    await update({ ...tool, priceCents: 500 }, 5);
    await atVersion(tool.toolId, 5);

    await update({ ...tool, priceCents: 400 }, 4);
    const { toolId, ownerId } = removed;
    await service.broker.sendNew('ToolRemoved', { toolId, ownerId }, { id: toolId, version: 2 });
    await service.broker.sendNew('ToolListed', removed, { id: toolId, version: 1 });
    await afterAllBefore();

    expect(await priceOf(tool.toolId)).toEqual([201, 1_000]);
    expect(await priceOf(toolId)).toEqual([404, 'TOOL_NOT_FOUND']);
  });

  it('puts aside what it can not read, while others flow', async () => {
    await service.broker.sendRaw(queue, 'not an event');

    await service.tool();

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });

  it('tries again when the database fails for a moment', async () => {
    await failFirstWrites(service.pool, 'units', 2);

    const tool = await service.tool();

    await waitFor('the unit', async () => (await priceOf(tool.toolId))[0] === 201);
  });
});
