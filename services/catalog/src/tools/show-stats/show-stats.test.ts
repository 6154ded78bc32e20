import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

describe('GET /api/admin/stats/catalog', () => {
  it('counts the current tools and the listings of each day, including removed tools', async () => {
    const admin = await catalog.admin();
    const owner = await catalog.addOwner();
    const removed = await catalog.addTool(owner);
    const older = await catalog.addTool(owner);
    await catalog.addTool(owner);
    await catalog.http.delete(`/api/rentals/delete-tool/${removed.id}`, owner);
    await catalog.pool.query(
      `UPDATE tools SET created_at = created_at - interval '1 day' WHERE id = $1`,
      [older.id],
    );

    const { status, body } = await catalog.http.get('/api/admin/stats/catalog?days=3', admin);

    expect(status).toBe(200);
    expect(body.total).toBe(2);
    expect(body.listings.map((day: { count: number }) => day.count)).toEqual([0, 1, 2]);
    expect(body.listings[2].day).toBe(new Date().toISOString().slice(0, 10));
  });

  it('shows catalog’s statistics to admins only', async () => {
    const token = await catalog.accounts.sign();

    const statuses = [
      (await catalog.http.get('/api/admin/stats/catalog')).status,
      (await catalog.http.get('/api/admin/stats/catalog', { token })).status,
    ];

    expect(statuses).toEqual([401, 403]);
  });
});
