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

describe('PUT /api/update-rental-category/:id', () => {
  it('changes only the name or only the picture of a category', async () => {
    const { token } = await catalog.admin();
    const id = await catalog.addCategory('Sanding');
    const path = `/api/update-rental-category/${id}`;

    const pictured = await catalog.http.put(path, {
      token,
      body: formOf({}, { image: await picture() }),
    });
    const renamed = await catalog.http.put(path, { token, body: { name: 'Sanders' } });

    expect(pictured.body.category).toMatchObject({ id, name: 'Sanding' });
    expect(renamed.body).toEqual({
      message: 'Category updated successfully',
      category: { id, name: 'Sanders', image: pictured.body.category.image },
    });
    expect(renamed.body.category.image).toMatch(/^\/api\/images\/tools-/);
  });

  it('rejects a taken name, an unknown category, and callers who are not admins', async () => {
    const { token } = await catalog.admin();
    const user = await catalog.accounts.sign();
    const id = await catalog.addCategory('Plumbing');
    await catalog.addCategory('Painting');
    const put = (wanted: string, caller?: string) =>
      catalog.http.put(`/api/update-rental-category/${wanted}`, {
        token: caller,
        body: { name: 'painting' },
      });

    const replies = [
      await put(id, token),
      await put(randomUUID(), token),
      await put(id, user),
      await put(id),
    ];

    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'CATEGORY_EXISTS'],
      [404, 'CATEGORY_NOT_FOUND'],
      [403, 'FORBIDDEN'],
      [401, 'UNAUTHORIZED'],
    ]);
  });
});
