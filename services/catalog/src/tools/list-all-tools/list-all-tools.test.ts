import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedTool, Tool } from '@lendtools/contracts';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createFilledDatabase, planQueries } from '@lendtools/testing';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';
import { searchAllTools } from '../../store/all-tools-search.ts';

let service: CatalogService;
let owner: Person;
let admin: Person;
let drill: Tool;
let saw: Tool;
beforeAll(async () => {
  service = await startCatalogForTest();
  [owner, admin] = [await service.addOwner(), await service.admin()];
  drill = await service.addTool(owner, { name: 'Hammer drill 100%' });
  saw = await service.addTool(owner, { name: 'Band saw' });
  await service.http.put(`/api/update-rental/${saw.id}`, {
    token: owner.token,
    body: { item_status: 'Unavailable' },
  });
});
afterAll(() => service.stop());

const list = async (
  query = '',
): Promise<{ tools: ListedTool[]; total: number; nextCursor: string | null }> =>
  (await service.http.get(`/api/admin/tools${query}`, { token: admin.token })).body;
const idsIn = ({ tools }: { tools: ListedTool[] }) => tools.map(({ id }) => id);

describe('GET /api/admin/tools', () => {
  it('lists offered and hidden tools with their owners, newest first', async () => {
    const all = await list();

    expect(idsIn(all)).toEqual([saw.id, drill.id]);
    expect(all.total).toBe(2);
    expect(all.tools[1]).toEqual({
      id: drill.id,
      name: 'Hammer drill 100%',
      category: drill.category.name,
      owner: { id: owner.id, first_name: 'Sam', last_name: 'Rivera' },
      price: 12.5,
      rental_circle: 'daily',
      quantity: 1,
      rating: 0,
      cover_image: drill.cover_image,
      isOffered: true,
      createdAt: expect.any(String),
    });
  });

  it.each([
    ['state=hidden', () => [saw.id]],
    ['state=offered', () => [drill.id]],
    ['q=BAND', () => [saw.id]],
    ['q=0%25', () => [drill.id]],
    ['q=%25%25', () => []],
    ['q=nothing', () => []],
  ])('finds by %s', async (query, expected) => {
    expect(idsIn(await list(`?${query}`))).toEqual(expected());
  });

  it('finds a tool by its id', async () => {
    expect(idsIn(await list(`?q=${drill.id}`))).toEqual([drill.id]);
  });

  it('pages by cursor', async () => {
    const page = await list('?limit=1');
    const next = await list(`?limit=1&cursor=${page.nextCursor}`);

    expect([...idsIn(page), ...idsIn(next)]).toEqual([saw.id, drill.id]);
    expect(next.nextCursor).toBeNull();
    expect(next.total).toBeUndefined();
  });

  it('rejects members with 403, like the work of the catalog', async () => {
    for (const path of ['/api/admin/tools', '/api/admin/work/catalog'])
      expect((await service.http.get(path, { token: owner.token })).status).toBe(403);
  });
});

describe('PostgreSQL with many tools', () => {
  const fill = `
    INSERT INTO owners (id) VALUES (md5('o')::uuid);
    INSERT INTO categories (id, name) VALUES (md5('c')::uuid, 'Drills');
    INSERT INTO tools (id, owner_id, category_id, name, description, price_cents, rental_circle, units, place, status, created_at, listed_at)
      SELECT md5('t' || i)::uuid, md5('o')::uuid, md5('c')::uuid, 'Drill ' || i, '', 1000, 'daily', 1, ll_to_earth(30, -97),
        CASE WHEN i % 50 = 0 THEN 'Unavailable' ELSE 'Available' END, now(), now() FROM generate_series(1, 2000) i`;
  let database: Awaited<ReturnType<typeof createFilledDatabase>>;
  beforeAll(async () => {
    const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url));
    database = await createFilledDatabase(postgresMigrations(folder), fill);
  });
  afterAll(() => database.drop());

  it.each([
    ['all tools', {}, 'tools_pkey'],
    ['hidden tools', { isOffered: false }, 'tools_hidden'],
    ['offered tools', { isOffered: true }, 'tools_newest'],
    ['part of a name', { q: 'zebrawood' }, 'tools_by_name'],
  ])('finds %s by an index', async (_, narrowed, index) => {
    const search = { q: null, isOffered: null, before: null, limit: 51, ...narrowed };

    const { indexes, scannedTables } = await planQueries(database.pool, (db) =>
      searchAllTools(db, search),
    );

    expect(indexes).toContain(index);
    expect(scannedTables).not.toContain('tools');
  });
});
