import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricIn, waitFor } from '@lendtools/testing';
import { bookingOf, holdOf } from '../../../test/bookings.ts';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest({ PURGE_INTERVAL_MINUTES: '0.01' });
});
afterAll(() => catalog.stop());

const idsOf = async (toolId: string): Promise<string[]> => {
  const { rows } = await catalog.pool.query(
    'SELECT booking_id AS id FROM tool_bookings WHERE tool_id = $1 ORDER BY 1',
    [toolId],
  );
  return rows.map(({ id }) => id);
};

const age = (toolId: string, days: number) =>
  catalog.pool.query(
    `UPDATE tool_bookings SET held_at = held_at - $2 * interval '1 day',
       expired_at = expired_at - $2 * interval '1 day' WHERE tool_id = $1`,
    [toolId, days],
  );

const purged = async (): Promise<number> => {
  const metrics = await (await fetch(`${catalog.url}/metrics`)).text();
  // The metric is missing until the first purge.
  return metricIn(metrics, 'purged_total', { kind: 'unpaid_holds' }) || 0;
};

describe('the purge of unpaid holds', () => {
  it('deletes and counts unpaid holds after a week, even if the event that ends them was lost, and keeps holds that became bookings', async () => {
    const owner = await catalog.addOwner();
    const [tool, young] = [await catalog.addTool(owner), await catalog.addTool(owner)];
    const [ended, unheard, booked] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [ended, unheard, booked]) {
      const held = await catalog.broker.sendNew('BookingHeld', holdOf(tool, id));
      await catalog.handled('catalog.sync-holds', held);
    }
    const expired = await catalog.broker.sendNew('BookingExpired', holdOf(tool, ended));
    await catalog.handled('catalog.sync-holds', expired);
    const paid = await catalog.broker.sendNew(
      'BookingCreated',
      bookingOf(tool, { bookingId: booked }),
    );
    await catalog.handled('catalog.update-status-when-booking-changed', paid);
    const recent = await catalog.broker.sendNew('BookingHeld', holdOf(young));
    await catalog.handled('catalog.sync-holds', recent);

    const before = await purged();
    await age(young.id, 6);
    await age(tool.id, 8);
    await waitFor('the purge', async () => (await idsOf(tool.id)).length === 1);

    expect(await idsOf(tool.id)).toEqual([booked]);
    expect(await idsOf(young.id)).toHaveLength(1);
    expect(await purged()).toBe(before + 2);
  });
});
