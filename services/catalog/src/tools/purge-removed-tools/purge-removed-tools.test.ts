import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingOf } from '../../../test/bookings.ts';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';
import { purgeRemovedTools } from './purge-removed-tools.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

describe('purgeRemovedTools', () => {
  it('deletes tools that were removed a month ago and never rented', async () => {
    const owner = await catalog.addOwner();
    const tools = await Promise.all([1, 2, 3, 4].map(() => catalog.addTool(owner)));
    const [gone, young, rented, listed] = tools.map(({ id }) => id);
    const booked = await catalog.broker.sendNew('BookingCreated', bookingOf(tools[2] as never));
    await catalog.handled('catalog.update-status-when-booking-changed', booked);
    await catalog.pool.query(
      `UPDATE tools SET removed_at = now() - CASE id WHEN $1 THEN 29 ELSE 31 END * interval '1 day'
       WHERE id <> $2`,
      [young, listed],
    );

    const forgotten = await purgeRemovedTools(catalog.pool);

    const { rows } = await catalog.pool.query('SELECT id FROM tools');
    expect(forgotten).toBe(1);
    expect(rows.map(({ id }) => id)).not.toContain(gone);
    expect(rows.map(({ id }) => id).sort()).toEqual([young, rented, listed].sort());
  });
});
