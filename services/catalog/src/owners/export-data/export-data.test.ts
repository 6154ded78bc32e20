import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CatalogService,
  startCatalogForTest,
  toolFields,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

describe('GET /internal/users/:userId/data-of-catalog', () => {
  it("returns the caller's tools, removed ones too, and saved tools, and no one else's", async () => {
    const [owner, other] = [await catalog.addOwner(), await catalog.addOwner()];
    const [tool, removed, saved] = [
      await catalog.addTool(owner),
      await catalog.addTool(owner),
      await catalog.addTool(other),
    ];
    await catalog.http.delete(`/api/rentals/delete-tool/${removed.id}`, owner);
    await catalog.http.put(`/api/user/${owner.id}/saved-tools/${saved.id}`, { token: owner.token });
    const path = `/internal/users/${owner.id}/data-of-catalog`;

    const { body } = await catalog.http.get(path, owner);
    const others = await catalog.http.get(path, other);

    expect(body.files.tools).toMatchObject([
      { id: tool.id, description: toolFields.description, removed_at: null },
      { id: removed.id, removed_at: expect.any(String) },
    ]);
    expect(body.files['saved-tools']).toMatchObject([{ tool_id: saved.id, name: toolFields.name }]);
    expect(others.status).toBe(403);
  });
});
