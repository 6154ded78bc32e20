import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CatalogService,
  formOf,
  picture,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const path = '/api/add-rentals-main-category';

describe('POST /api/add-rentals-main-category', () => {
  it('adds a category with its picture to the list, which is sorted by name', async () => {
    const { token } = await catalog.admin();
    await catalog.http.post(path, { token, body: { name: 'saws' } });
    const body = formOf({ name: ' Drills ' }, { image: await picture() });

    const reply = await catalog.http.post(path, { token, body });
    const list = await catalog.http.get('/api/all-rental-categories');

    const category = {
      id: expect.any(String),
      name: 'Drills',
      image: expect.stringMatching(/^\/api\/images\/tools-[0-9a-f]{32}-640\.webp$/),
    };
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ message: 'Category added successfully', category });
    expect(list.body.allCategories).toEqual([
      category,
      { id: expect.any(String), name: 'saws', image: 'null' },
    ]);
  });

  it('rejects an empty name, and an existing name regardless of case', async () => {
    const { token } = await catalog.admin();
    await catalog.http.post(path, { token, body: { name: 'Ladders' } });

    const same = await catalog.http.post(path, { token, body: { name: 'LADDERS' } });
    const empty = await catalog.http.post(path, { token, body: { name: '' } });

    expect(same).toMatchObject({ status: 409, body: { code: 'CATEGORY_EXISTS' } });
    expect(empty).toMatchObject({ status: 400, body: { message: 'Please enter a name' } });
  });

  it('adds one category when the Idempotency-Key is repeated', async () => {
    const { token } = await catalog.admin();
    const ask = {
      token,
      headers: { 'idempotency-key': randomUUID() },
      body: { name: 'Masonry' },
    };

    const replies = await Promise.all([catalog.http.post(path, ask), catalog.http.post(path, ask)]);

    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0].body).toEqual(replies[1].body);
  });

  it('lets only admins add a category', async () => {
    const token = await catalog.accounts.sign();

    const statuses = [
      (await catalog.http.post(path, { body: { name: 'Mine' } })).status,
      (await catalog.http.post(path, { token, body: { name: 'Mine' } })).status,
    ];

    expect(statuses).toEqual([401, 403]);
  });
});
