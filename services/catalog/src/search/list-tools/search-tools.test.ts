import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
let owner: Person;
let ids: Record<string, string>;

const shelf = {
  'Cordless Drill': ['Two speeds.', 40],
  'Rotary Sander': ['Runs on a rechargeable battery, no cord in the way.', 12.5],
  'Pressure Washer': ['Cleans a driveway in an hour. Leave the drill at home.', 24],
  'Electric Chainsaw': ['Sixteen inches.', 12.49],
  'Extension Ladder, 24 ft': ['Fiberglass.', 15],
  Wheelbarrow: ['Steel tray and a strong tire.', 7],
} as const;

beforeAll(async () => {
  catalog = await startCatalogForTest();
  owner = await catalog.addOwner();
  const categoryId = await catalog.addCategory();
  ids = {};
  for (const [name, [description, price]] of Object.entries(shelf)) {
    const tool = await catalog.addTool(owner, { name, description, price, categoryId });
    ids[name] = tool.id;
  }
});
afterAll(() => catalog.stop());

const ask = async (query: string) => {
  const { status, body } = await catalog.http.get(`/api/all-rentals?${query}`);
  expect(status).toBe(200);
  return body as { rentals: Tool[]; nextCursor: string | null; searchedFor?: string };
};
const find = async (q: string, more = '') => {
  const { rentals, searchedFor } = await ask(`q=${encodeURIComponent(q)}${more}`);
  return { names: rentals.map(({ name }) => name), searchedFor };
};

describe('a search for words', () => {
  it('finds a tool by its description, after tools with the word in their name', async () => {
    expect(await find('drill')).toEqual({ names: ['Cordless Drill', 'Pressure Washer'] });
    expect(await find('fiberglass ladder')).toEqual({ names: ['Extension Ladder, 24 ft'] });
  });

  it.each([
    ['battery', ['Cordless Drill', 'Rotary Sander']],
    ['cordless', ['Cordless Drill', 'Rotary Sander']],
    ['power washer', ['Pressure Washer']],
    ['chain saw', ['Electric Chainsaw']],
    ['stepladder', ['Extension Ladder, 24 ft']],
    ['wheel barrow', ['Wheelbarrow']],
    ['the ladders', ['Extension Ladder, 24 ft']],
    ['saw', ['Electric Chainsaw']],
    ['washe', ['Pressure Washer']],
    ['s', ['Rotary Sander']],
  ])('finds tools by a synonym, another form or a part of a word: %s', async (q, names) => {
    const found = await find(q);

    expect([...found.names].sort()).toEqual([...names].sort());
    expect(found.searchedFor).toBeUndefined();
  });

  it.each([
    ['presure wahser', 'pressure washer', 'Pressure Washer'],
    ['lader', 'ladder', 'Extension Ladder, 24 ft'],
    ['cordles dril', 'cordless drill', 'Cordless Drill'],
    ['electirc chai', 'electric chain', 'Electric Chainsaw'],
    ['bosch wheelbarow', 'wheelbarrow', 'Wheelbarrow'],
    ['cordless washer', 'washer', 'Pressure Washer'],
  ])('reports the corrected words of the search for %s', async (typed, searchedFor, name) => {
    expect(await find(typed)).toEqual({ names: [name], searchedFor });
  });

  it('does not correct words if the query has exact=true', async () => {
    expect(await find('lader', '&exact=true')).toEqual({ names: [] });
  });

  it('does not correct a word that any tool has, on offer or not, near or far', async () => {
    const zither = await catalog.addTool(owner, { name: 'Zither', description: 'Old.' });
    await catalog.addTool(owner, { name: 'Zitter', description: 'New.' });
    await catalog.pool.query(`UPDATE tools SET status = 'Unavailable' WHERE id = $1`, [zither.id]);

    expect((await find('zither')).names).toEqual([]);
    expect(await find('drill', '&radius=1&lat=10&lng=10')).toEqual({ names: [] });
    expect((await find('xylophone')).searchedFor).toBeUndefined();
  });

  it('finds the same tools even if thousands of other tools have the word too', async () => {
    const queries = ['drill', 'cordless drill', 'drlil', 'cordless washer', 'ladder drill'];
    const findAll = () => Promise.all(queries.map((q) => find(q)));
    const before = await findAll();
    await catalog.pool.query('UPDATE vocabulary SET tools = tools + 9000');

    const after = await findAll();
    await catalog.pool.query('UPDATE vocabulary SET tools = tools - 9000');

    expect(after).toEqual(before);
  });

  it('fills pages tier by tier without a gap or a repeat, also after a correction', async () => {
    for (const q of ['drill', 'battery', 'drlil']) {
      const all = await ask(`q=${q}`);
      const pages: Tool[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await ask(`q=${q}&limit=1${cursor && `&cursor=${cursor}`}`);
        expect(page.searchedFor).toBe(all.searchedFor);
        pages.push(...page.rentals);
        cursor = page.nextCursor;
      }

      expect(pages.map(({ id }) => id)).toEqual(all.rentals.map(({ id }) => id));
      expect(pages.length).toBeGreaterThan(1);
    }
  });

  it('finds a renamed tool immediately', async () => {
    const tool = await catalog.addTool(owner, { name: 'Gizmo', description: 'Odd.' });
    await catalog.http.put(`/api/update-rental/${tool.id}`, {
      token: owner.token,
      body: { name: 'Theodolite' },
    });

    expect((await find('theodolte')).searchedFor).toBe('theodolite');
    expect((await find('gizmo')).names).toEqual([]);
  });
});

describe('a search', () => {
  it.each(['relevance', 'newest', 'price', 'rating'])('sorts a word search by %s', async (sort) => {
    const { names } = await find('drill', `&sort=${sort}`);

    expect(names).toEqual(
      sort === 'relevance'
        ? ['Cordless Drill', 'Pressure Washer']
        : sort === 'price' || sort === 'newest' || sort === 'rating'
          ? ['Pressure Washer', 'Cordless Drill']
          : [],
    );
  });

  it('sorts by newest first when sorting by relevance is requested without words', async () => {
    expect((await ask('sort=relevance')).rentals.map(({ id }) => id)).toEqual(
      (await ask('sort=newest')).rentals.map(({ id }) => id),
    );
  });

  it.each([
    ['minPrice=12.5&maxPrice=15', ['Extension Ladder, 24 ft', 'Rotary Sander']],
    ['minPrice=12.49&maxPrice=12.49', ['Electric Chainsaw']],
    ['maxPrice=7', ['Wheelbarrow']],
    ['minPrice=24.01&sort=price', ['Cordless Drill']],
    ['q=drill&maxPrice=39.99', ['Pressure Washer']],
    ['lat=45.52&lng=-122.68&radius=5&minPrice=15&maxPrice=20', ['Extension Ladder, 24 ft']],
    ['minPrice=20&maxPrice=10', []],
  ])('filters a search by %s, to the cent', async (query, names) => {
    const { rentals } = await ask(`limit=50&${query}`);

    const own = rentals.filter(({ id }) => Object.values(ids).includes(id));
    expect(own.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it.each([
    ['minPrice=-1', 'minPrice'],
    ['maxPrice=1.005', 'maxPrice'],
    ['maxPrice=1e9', 'maxPrice'],
    ['exact=maybe', 'exact'],
  ])('rejects the query %s', async (query, path) => {
    const { status, body } = await catalog.http.get(`/api/all-rentals?${query}`);

    expect([status, body.errors[0].path]).toEqual([400, path]);
  });
});
