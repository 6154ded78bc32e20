import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { purgeRemovedTools } from './purge-removed-tools.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

describe('purgeRemovedTools', () => {
  it('deletes tools that were removed a month ago and never rented, with their units', async () => {
    const addTool = () => service.tool({ units: 3 });
    const [gone, young] = [await addTool(), await addTool()];
    const [rented, offered] = [await addTool(), await addTool()];
    await service.booked(await service.person(), rented.toolId);
    const remove = (toolId: string, days: number) =>
      service.pool.query(
        `UPDATE tools SET removed_at = now() - $2 * interval '1 day' WHERE id = $1`,
        [toolId, days],
      );
    await Promise.all([
      remove(gone.toolId, 31),
      remove(young.toolId, 29),
      remove(rented.toolId, 31),
    ]);

    const forgotten = await purgeRemovedTools(service.pool);

    const tools = await service.pool.query('SELECT id FROM tools');
    const units = await service.pool.query('SELECT DISTINCT tool_id AS id FROM units');
    const left = [young, rented, offered].map(({ toolId }) => toolId).sort();
    expect(forgotten).toBe(1);
    expect(tools.rows.map(({ id }) => id).sort()).toEqual(left);
    expect(units.rows.map(({ id }) => id).sort()).toEqual(left);
  });
});
