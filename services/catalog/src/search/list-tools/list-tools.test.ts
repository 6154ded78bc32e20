import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import type { Reply } from '@lendtools/testing';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
let portland: Person;
let categoryId: string;
const at = { portland: 'lat=45.52&lng=-122.68', salem: 'lat=44.94&lng=-123.03' };

beforeAll(async () => {
  catalog = await startCatalogForTest();
  portland = await catalog.addOwner();
  categoryId = await catalog.addCategory('Drills');
});
afterAll(() => catalog.stop());

const names = (tools: Tool[]): string[] => tools.map((tool) => tool.name);
const search = async (query: string): Promise<Tool[]> => {
  const { status, body } = await catalog.http.get(`/api/all-rentals?${query}`);
  expect(status).toBe(200);
  return body.rentals;
};

const readAll = async (path: string, envelope = 'rentals'): Promise<Tool[][]> => {
  const pages: Tool[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const reply: Reply = await catalog.http.get(path + (cursor && `&cursor=${cursor}`));
    pages.push(reply.body[envelope]);
    cursor = reply.body.nextCursor;
  }
  return pages;
};

describe('GET /api/all-rentals', () => {
  it('lists the tools on offer, newest first, without street addresses', async () => {
    const category = await catalog.addCategory();
    const older = await catalog.addTool(portland, { name: 'Older', categoryId: category });
    const newer = await catalog.addTool(portland, { name: 'Newer', categoryId: category });

    const { status, body } = await catalog.http.get('/api/all-rentals');

    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.rentals.slice(0, 2).map((tool: Tool) => tool.id)).toEqual([newer.id, older.id]);
    expect(body.rentals[0].user).toMatchObject({ first_name: 'Sam', city: 'Portland' });
    expect(JSON.stringify(body)).not.toContain('Alder Street');
  });

  it.each([
    ['the name', 'cordless drill'],
    ['a typing error in each word', 'cordles dril'],
    ['a missing letter', 'cordlss drill'],
    ['a letter too many', 'cordlesss drrill'],
    ['swapped letters', 'crodless drlil'],
    ['the beginning', 'CORD'],
    ['one word', 'drill'],
  ])('finds a tool by %s', async (_what, q) => {
    const category = await catalog.addCategory();
    await catalog.addTool(portland, { name: 'Cordless drill', categoryId: category });
    await catalog.addTool(portland, { name: 'Wheelbarrow', categoryId: category });

    const found = await search(`q=${encodeURIComponent(q)}&category=${category}`);

    expect(names(found)).toEqual(['Cordless drill']);
  });

  it('finds nothing for an unknown word, and treats pattern characters literally', async () => {
    const category = await catalog.addCategory();
    await catalog.addTool(portland, { name: 'Cordless drill', categoryId: category });

    const found = await Promise.all(
      ['xylophone', '%', '_', '\\', "';--"].map((q) =>
        search(`q=${encodeURIComponent(q)}&category=${category}`),
      ),
    );

    expect(found.flat()).toEqual([]);
  });

  it('does not find a laser or a lawn mower for "ladder"', async () => {
    const category = await catalog.addCategory();
    for (const name of ['Laser Measure and Level Kit', 'Self-Propelled Lawn Mower']) {
      await catalog.addTool(portland, { name, categoryId: category });
    }

    const found = await Promise.all(
      ['ladder', 'lader'].map((q) => search(`q=${q}&category=${category}`)),
    );

    expect(found.flat()).toEqual([]);
  });

  it('finds only exact names for a correct word, and the most similar names for a misspelt one', async () => {
    const category = await catalog.addCategory();
    for (const name of ['Table grill', 'Hammer drill', 'Ladder']) {
      await catalog.addTool(portland, { name, categoryId: category });
    }

    const exact = await search(`q=drill&category=${category}`);
    const alike = await search(`q=dreill&category=${category}`);

    expect(names(exact)).toEqual(['Hammer drill']);
    expect(names(alike)[0]).toBe('Hammer drill');
    expect(names(alike)).not.toContain('Ladder');
  });

  it('combines the filters by name, category and radius', async () => {
    const salem = await catalog.addOwner({ city: 'Salem', lat: 44.94, lng: -123.03 });
    const here = await catalog.addTool(portland, { name: 'Impact drill', categoryId });
    await catalog.addTool(salem, { name: 'Impact drill', categoryId });
    await catalog.addTool(portland, { name: 'Impact drill' });
    await catalog.addTool(portland, { name: 'Impact wrench', categoryId });

    const query = `q=impct+drill&category=${categoryId}&radius=20&${at.portland}`;
    const found = await search(query);
    const nearest = await search(`${query}&sort=distance`);

    expect(found[0]?.id).toBe(here.id);
    expect(found.map((tool) => tool.user.city)).not.toContain('Salem');
    expect(nearest[0]).toMatchObject({ id: here.id, distance: 0 });
  });

  it.each([
    ['newest', (a: Tool, b: Tool) => (a.id < b.id ? 1 : -1)],
    ['price', (a: Tool, b: Tool) => a.price - b.price],
    ['rating', (a: Tool, b: Tool) => b.rating - a.rating],
    ['distance', (a: Tool, b: Tool) => (a.distance ?? 0) - (b.distance ?? 0)],
  ] as const)('lists tools by %s in pages without a gap or a repeat', async (sort, compare) => {
    const category = await catalog.addCategory();
    const salem = await catalog.addOwner({ city: 'Salem', lat: 44.94, lng: -123.03 });
    for (let i = 0; i < 7; i++) {
      const tool = await catalog.addTool(i % 2 ? salem : portland, {
        categoryId: category,
        price: 5 + (i % 3),
      });
      await catalog.pool.query('UPDATE tools SET rating_count = 1, rating_sum = $2 WHERE id = $1', [
        tool.id,
        i % 3,
      ]);
    }

    const pages = await readAll(
      `/api/all-rentals?category=${category}&sort=${sort}&limit=3&${at.portland}`,
    );

    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    const all = pages.flat();
    expect(new Set(all.map((tool) => tool.id)).size).toBe(7);
    expect(all).toEqual([...all].sort(compare));
  });

  it('lists the tools found for a misspelt word in pages', async () => {
    const category = await catalog.addCategory();
    for (let i = 0; i < 5; i++) {
      await catalog.addTool(portland, { name: `Chainsaw no ${i}`, categoryId: category });
    }

    const pages = await readAll(`/api/all-rentals?q=chiansaw&category=${category}&limit=2`);

    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flat().map((tool) => tool.id)).size).toBe(5);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1000000000', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['q=saw&q=drill', 'q'],
    ['radius=1000&lat=1&lng=1', 'radius'],
    ['lat=91&lng=0', 'lat'],
    ['sort=password', 'sort'],
    ['category=x', 'category'],
    ['q=%00', 'q'],
    [`q=${'x'.repeat(101)}`, 'q'],
    ['cursor=abc', 'cursor'],
    ['radius=5', 'lat'],
    ['sort=distance', 'lat'],
  ])('rejects the query %s', async (query, path) => {
    const { status, body } = await catalog.http.get(`/api/all-rentals?${query}`);

    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
  });

  it('does not list a tool that is Unavailable or removed', async () => {
    const category = await catalog.addCategory();
    const booked = await catalog.addTool(portland, { categoryId: category });
    const removed = await catalog.addTool(portland, { categoryId: category });
    await catalog.pool.query(`UPDATE tools SET status = 'Unavailable' WHERE id = $1`, [booked.id]);
    await catalog.http.delete(`/api/rentals/delete-tool/${removed.id}`, { token: portland.token });

    expect(await search(`category=${category}`)).toEqual([]);
  });
});

describe('GET /api/rentals/:categoryId/get-tools', () => {
  it("lists the category's tools on offer", async () => {
    const category = await catalog.addCategory();
    const tool = await catalog.addTool(portland, { categoryId: category });
    await catalog.addTool(portland);

    const { body } = await catalog.http.get(`/api/rentals/${category}/get-tools`);
    const none = await catalog.http.get(`/api/rentals/${randomUUID()}/get-tools`);

    expect(body.rentals.map((found: Tool) => found.id)).toEqual([tool.id]);
    expect(none.body).toEqual({ rentals: [], nextCursor: null });
  });
});

describe('GET /api/get-tools-near-you', () => {
  it('lists the tools within the radius, nearest first, with miles', async () => {
    const category = await catalog.addCategory();
    const gresham = await catalog.addOwner({ city: 'Gresham', lat: 45.5, lng: -122.43 });
    const salem = await catalog.addOwner({ city: 'Salem', lat: 44.94, lng: -123.03 });
    for (const owner of [salem, gresham, portland]) {
      await catalog.addTool(owner, { categoryId: category });
    }

    const near = await catalog.http.get(
      `/api/get-tools-near-you?radius=20&category=${category}&${at.portland}`,
    );
    const far = await catalog.http.get(
      `/api/get-tools-near-you?radius=50&category=${category}&${at.portland}`,
    );

    const seen = (tools: Tool[]) => tools.map((tool) => [tool.user.city, tool.distance]);
    expect(seen(near.body.nearby)).toEqual([
      ['Portland', 0],
      ['Gresham', 12.2],
    ]);
    expect(seen(far.body.nearby)[2]).toEqual(['Salem', 43.6]);
  });

  it('sorts by relevance if a name is given, unless the query requests sorting by distance', async () => {
    const category = await catalog.addCategory();
    const gresham = await catalog.addOwner({ city: 'Gresham', lat: 45.5, lng: -122.43 });
    const brush = { name: 'Pressure wash brush', description: 'For any pressure washer.' };
    await catalog.addTool(portland, { ...brush, categoryId: category });
    await catalog.addTool(gresham, { name: 'Pressure washer', categoryId: category });
    const query = `radius=20&category=${category}&q=presure+washer&${at.portland}`;
    const path = `/api/get-tools-near-you?${query}`;

    const best = await catalog.http.get(path);
    const nearest = await catalog.http.get(`${path}&sort=distance`);

    expect(names(best.body.nearby)).toEqual(['Pressure washer', 'Pressure wash brush']);
    expect(names(nearest.body.nearby)).toEqual(['Pressure wash brush', 'Pressure washer']);
  });

  it('sorts equally relevant tools by distance, across pages', async () => {
    const category = await catalog.addCategory();
    const gresham = await catalog.addOwner({ city: 'Gresham', lat: 45.5, lng: -122.43 });
    for (const owner of [portland, gresham, portland, gresham]) {
      await catalog.addTool(owner, { name: 'Hammer drill', categoryId: category });
    }

    for (const q of ['drill', 'dreill']) {
      const pages = await readAll(
        `/api/get-tools-near-you?radius=20&category=${category}&q=${q}&limit=1&${at.portland}`,
        'nearby',
      );

      const cities = pages.flat().map((tool) => tool.user.city);
      expect(cities).toEqual(['Portland', 'Portland', 'Gresham', 'Gresham']);
    }
  });

  it('lists no tool beyond the radius, on any page', async () => {
    const category = await catalog.addCategory();
    const salem = await catalog.addOwner({ lat: 44.94, lng: -123.03 });
    for (const owner of [portland, salem, portland, portland]) {
      await catalog.addTool(owner, { categoryId: category });
    }

    const pages = await readAll(
      `/api/get-tools-near-you?radius=5&category=${category}&limit=2&${at.portland}`,
      'nearby',
    );

    expect(pages.map((page) => page.length)).toEqual([2, 1]);
    const ids = pages.flat().map((tool) => tool.id);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it.each(['radius=5', 'lat=1&lng=1', 'lat=x&lng=1&radius=5'])(
    'rejects the query %s',
    async (query) => {
      const { status } = await catalog.http.get(`/api/get-tools-near-you?${query}`);

      expect(status).toBe(400);
    },
  );
});

describe('GET /api/admin/users/:userId/tools', () => {
  it("lists any user's tools, whatever their status, to admins only", async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    await catalog.pool.query(`UPDATE tools SET status = 'Unavailable' WHERE id = $1`, [tool.id]);
    const path = `/api/admin/users/${owner.id}/tools`;
    const admin = await catalog.accounts.sign({ role: 'Admin' });

    const { body } = await catalog.http.get(path, { token: admin });

    expect(body.rentals).toMatchObject([{ id: tool.id, item_status: 'Unavailable' }]);
    expect((await catalog.http.get(path, owner)).status).toBe(403);
    expect((await catalog.http.get(path)).status).toBe(401);
  });
});

describe('GET /api/user/:userId/rentals/my-rentals', () => {
  it("lists the caller's own tools, whatever their status, with the street address", async () => {
    const owner = await catalog.addOwner();
    const booked = await catalog.addTool(owner);
    await catalog.addTool(portland);
    await catalog.pool.query(`UPDATE tools SET status = 'Unavailable' WHERE id = $1`, [booked.id]);

    const { body } = await catalog.http.get(`/api/user/${owner.id}/rentals/my-rentals`, owner);

    expect(body.rentals).toHaveLength(1);
    expect(body.rentals[0]).toMatchObject({
      id: booked.id,
      item_status: 'Unavailable',
      user: { address: '12 Alder Street' },
    });
  });

  it("rejects a visitor, and a user who requests another user's tools", async () => {
    const path = `/api/user/${portland.id}/rentals/my-rentals`;
    const stranger = await catalog.accounts.sign();

    const statuses = [
      (await catalog.http.get(path)).status,
      (await catalog.http.get(path, { token: stranger })).status,
    ];

    expect(statuses).toEqual([401, 403]);
  });
});
