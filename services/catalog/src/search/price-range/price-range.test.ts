import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

const austin = { lat: 30.2672, lng: -97.7431 };
const dallas = { lat: 32.7767, lng: -96.797 };

let catalog: CatalogService;
let category: string;
beforeAll(async () => {
  catalog = await startCatalogForTest();
  category = await catalog.addCategory();
  const neighbor = await catalog.addOwner(austin);
  const list = (name: string, price: number, more = {}) =>
    catalog.addTool(neighbor, { name, price, categoryId: category, ...more });
  for (const price of [10, 14, 18, 22, 26]) await list('Cordless drill, 18 V', price);
  await list('Drill press', 60);
  await list('Angle grinder', 90);
  await list('Tile saw', 15, { rental_circle: 'hourly' });
  const paused = await list('Old drill', 500);
  await catalog.pool.query(`UPDATE tools SET status = 'Unavailable' WHERE id = $1`, [paused.id]);
  const far = await catalog.addOwner(dallas);
  await catalog.addTool(far, { name: 'Big drill', price: 900, categoryId: category });
});
afterAll(() => catalog.stop());

const ask = async (
  owner: { id: string; token: string },
  query: Record<string, string | number>,
) => {
  const search = new URLSearchParams({
    category,
    rental_circle: 'daily',
    ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  });
  return catalog.http.get(`/api/user/${owner.id}/price-range?${search}`, { token: owner.token });
};

describe('GET /api/user/:userId/price-range', () => {
  it('returns the quartiles of nearby tools of the same kind, by the kind that the name ends with', async () => {
    const owner = await catalog.addOwner(austin);

    const { status, body } = await ask(owner, { name: 'Bosch driver drill' });

    expect(status).toBe(200);
    expect(body.priceRange).toEqual({
      basis: 'kind',
      tools: 6,
      lowCents: 1_400,
      medianCents: 1_800,
      highCents: 2_600,
      withinMiles: 25,
    });
  });

  it('counts all of the category if fewer than three tools have the kind, or the name has none', async () => {
    const owner = await catalog.addOwner(austin);

    for (const name of ['Tile saw', 'Thing', '']) {
      const { body } = await ask(owner, { name });
      expect(body.priceRange).toMatchObject({ basis: 'category', tools: 7, highCents: 6_000 });
    }
  });

  it('searches around the pick-up place if one is sent', async () => {
    const owner = await catalog.addOwner(dallas);

    expect((await ask(owner, { name: 'drill' })).body.priceRange).toBeNull();
    const { body } = await ask(owner, { name: 'drill', ...austin });
    expect(body.priceRange).toMatchObject({ basis: 'kind', tools: 6 });
  });

  it('returns null if fewer than three tools rent by the same hour or day', async () => {
    const owner = await catalog.addOwner(austin);

    const { body } = await ask(owner, { name: 'Tile saw', rental_circle: 'hourly' });

    expect(body.priceRange).toBeNull();
  });

  it('does not count the owner’s own tools', async () => {
    const owner = await catalog.addOwner(austin);
    const mine = await catalog.addCategory();
    for (const price of [1, 2, 3])
      await catalog.addTool(owner, { name: 'My drill', price, categoryId: mine });

    const { body } = await ask(owner, { name: 'drill', category: mine });

    expect(body.priceRange).toBeNull();
  });

  it('rejects one coordinate without the other, and another user', async () => {
    const owner = await catalog.addOwner(austin);
    const other = await catalog.addOwner(austin);

    const half = await ask(owner, { lat: 30 });
    const stranger = await ask({ id: owner.id, token: other.token }, {});

    expect([half.status, stranger.status]).toEqual([400, 403]);
  });
});
