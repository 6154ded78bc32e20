import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

describe('GET /api/all-rental-categories', () => {
  it('lists all categories to anyone, sorted by name, ignoring case', async () => {
    for (const name of ['saws', 'Ladders', 'drills']) await catalog.addCategory(name);

    const { status, body } = await catalog.http.get('/api/all-rental-categories');

    expect(status).toBe(200);
    expect(body).toEqual({
      allCategories: ['drills', 'Ladders', 'saws'].map((name) => ({
        id: expect.any(String),
        name,
        image: 'null',
      })),
    });
  });
});
