import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const pathOf = (id: string): string => `/api/category/delete-category/${id}`;

describe('DELETE /api/category/delete-category/:id', () => {
  it('replies 409 while a tool uses the category, and deletes it once the tool is removed', async () => {
    const admin = await catalog.admin();
    const owner = await catalog.addOwner();
    const id = await catalog.addCategory('Vehicles');
    const tool = await catalog.addTool(owner, { categoryId: id });

    const used = await catalog.http.delete(pathOf(id), admin);
    await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);
    const unused = await catalog.http.delete(pathOf(id), admin);

    expect(used).toMatchObject({ status: 409, body: { code: 'CATEGORY_IN_USE' } });
    expect([unused.status, unused.body]).toEqual([
      200,
      { message: 'Category deleted successfully' },
    ]);
    const list = await catalog.http.get('/api/all-rental-categories');
    expect(list.body).toEqual({ allCategories: [] });
  });

  it('publishes every change and the removal of a category, but no rejected removal', async () => {
    const { token } = await catalog.admin();
    const id = await catalog.addCategory('Hoists');
    await catalog.http.put(`/api/update-rental-category/${id}`, {
      token,
      body: { name: 'Winches' },
    });
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner, { categoryId: id });
    await catalog.http.delete(pathOf(id), { token });
    await catalog.http.delete(`/api/rentals/delete-tool/${tool.id}`, owner);
    await catalog.http.delete(pathOf(id), { token });

    const published = () => catalog.broker.received.filter(({ aggregateId }) => aggregateId === id);
    await waitFor('the removal', () => published().some(({ type }) => type === 'CategoryRemoved'));
    expect(published().map(({ type, version, data }) => [type, version, data])).toEqual([
      ['CategoryAdded', 1, { categoryId: id, name: 'Hoists', image: 'null' }],
      ['CategoryUpdated', 2, { categoryId: id, name: 'Winches', image: 'null' }],
      ['CategoryRemoved', 3, { categoryId: id }],
    ]);
  });

  it('deletes the category or lets a concurrent request list a tool in it, but not both', async () => {
    const admin = await catalog.admin();
    const owner = await catalog.addOwner();
    const body = { name: 'Drill', description: 'Good.', price: 1 };

    for (let i = 0; i < 10; i++) {
      const categoryId = await catalog.addCategory();
      const [listed, deleted] = await Promise.all([
        catalog.http.post(`/api/user/${owner.id}/add-rental`, {
          token: owner.token,
          body: { ...body, categoryId },
        }),
        catalog.http.delete(pathOf(categoryId), admin),
      ]);

      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([listed.status, deleted.status]);
    }
  });

  it('rejects an unknown category, and callers who are not admins', async () => {
    const id = await catalog.addCategory();
    const token = await catalog.accounts.sign();

    const statuses = [
      (await catalog.http.delete(pathOf(randomUUID()), await catalog.admin())).status,
      (await catalog.http.delete(pathOf(id), { token })).status,
      (await catalog.http.delete(pathOf(id))).status,
    ];

    expect(statuses).toEqual([404, 403, 401]);
  });
});
