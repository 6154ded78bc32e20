import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { roundPlace } from '@lendtools/contracts';
import { type CatalogService, profileOf, startCatalogForTest } from '../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

/** Counts the tools whose stored JSON is outdated. */
const countStale = async (): Promise<number> => {
  const { rows } = await catalog.pool.query(
    `SELECT count(*) FROM tools t JOIN owners o ON o.id = t.owner_id
     WHERE t.removed_at IS NULL AND t.public_json IS DISTINCT FROM tool_json(t, o, false)`,
  );
  return rows[0].count;
};

describe("a tool's public JSON", () => {
  // Change each row with plain SQL: the triggers must not depend on which statement changes the row.
  it.each([
    ['its price', 'UPDATE tools SET price_cents = 999', { price: 9.99 }],
    ['its rating', 'UPDATE tools SET rating_count = 3, rating_sum = 14', { rating: 4.67 }],
    ['its status', `UPDATE tools SET status = 'Unavailable'`, { item_status: 'Unavailable' }],
    [
      'its picture',
      `UPDATE tools SET cover_image = '/api/images/tools-x.webp'`,
      { image1: 'null' },
    ],
    ['its place', 'UPDATE tools SET pickup_lat = 45, pickup_lng = -122', { placeAccuracy: 'area' }],
    ["its owner's name", `UPDATE owners SET first_name = 'A "quoted" é'`, {}],
    ["its owner's zone", `UPDATE owners SET time_zone = 'UTC'`, { timeZone: 'UTC' }],
    ["its category's name", `UPDATE categories SET name = 'Saws, "new"'`, {}],
  ])('is updated when %s changes', async (_what, sql, expected) => {
    const { id } = await catalog.addTool(await catalog.addOwner());
    const of = sql.includes('categories') ? 'category_id' : 'owner_id';
    const where = sql.includes('tools') ? '$1' : `(SELECT ${of} FROM tools WHERE id = $1)`;

    await catalog.pool.query(`${sql} WHERE id = ${where}`, [id]);

    const tool = await catalog.getTool(id);
    expect(tool).toMatchObject(expected);
    const { rows } = await catalog.pool.query(
      `SELECT c.name, o.first_name FROM tools t JOIN categories c ON c.id = t.category_id
       JOIN owners o ON o.id = t.owner_id WHERE t.id = $1`,
      [id],
    );
    expect(tool.category).toEqual({ id: tool.categoryId, name: rows[0].name });
    expect(tool.user.first_name).toBe(rows[0].first_name);
    expect(await countStale()).toBe(0);
  });

  it('contains the place rounded to half a mile, even if the stored place is exact', async () => {
    const exact = { lat: 45.523456, lng: -122.676543 };
    const owner = await catalog.addOwner(exact);
    const { id } = await catalog.addTool(owner);
    const { body } = await catalog.http.get('/api/all-rentals');

    for (const tool of [await catalog.getTool(id), body.rentals.at(0)]) {
      expect(tool).toMatchObject({ id, position: roundPlace(exact) });
      expect(JSON.stringify(tool)).not.toMatch(/45\.5234|122\.6765/);
    }
  });

  it.each([90, -90, 0, 45.52, -33.87])('contains the right latitude at %s', async (lat) => {
    const { id } = await catalog.addTool(await catalog.addOwner({ lat, lng: 151.21 }));

    const { lat: shown } = roundPlace({ lat, lng: 151.21 });
    expect(await catalog.getTool(id)).toMatchObject({ position: { lat: shown } });
  });

  it.each(['the owner', 'the tool'])(
    'contains both changes when a tool and its owner are changed concurrently, %s first',
    async (first) => {
      const owner = await catalog.addOwner();
      const { id } = await catalog.addTool(owner);
      const changes = [
        { sql: `UPDATE owners SET city = 'Salem' WHERE id = $1`, of: owner.id },
        { sql: 'UPDATE tools SET units = 7 WHERE id = $1', of: id },
      ];
      const [one, other] = first === 'the owner' ? changes : changes.reverse();
      const held = await catalog.pool.connect();
      await held.query('BEGIN');
      await held.query(one?.sql as string, [one?.of]);

      const waiting = catalog.pool.query(other?.sql as string, [other?.of]);
      await held.query('SELECT pg_sleep(0.2)');
      await held.query('COMMIT');
      held.release();
      await waiting;

      expect(await catalog.getTool(id)).toMatchObject({ quantity: 7, user: { city: 'Salem' } });
      expect(await countStale()).toBe(0);
    },
  );

  it('contains no private fields, unlike the JSON for the owner and admins', async () => {
    const owner = await catalog.addOwner();
    const place = { pickup_lat: 45.55, pickup_lng: -122.6, pickup_zip: '97210' };
    const { id } = await catalog.addTool(owner, place);
    const { rows } = await catalog.pool.query('SELECT public_json FROM tools WHERE id = $1', [id]);

    expect(rows[0].public_json).not.toMatch(/Alder Street|97210/);
    expect(await catalog.getTool(id)).toMatchObject({ pickup: null, user: { address: null } });
    for (const person of [owner, await catalog.admin()])
      expect(await catalog.getTool(id, person)).toMatchObject({
        pickup: { zip: '97210' },
        user: { address: profileOf().address },
      });
  });
});
