import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

describe('GET /api/get-tool/:id', () => {
  it('replies with a list of one tool, even if the tool is Unavailable', async () => {
    const { revision, ...tool } = await catalog.addTool(await catalog.addOwner());
    await catalog.pool.query(`UPDATE tools SET status = 'Unavailable' WHERE id = $1`, [tool.id]);

    const { status, body } = await catalog.http.get(`/api/get-tool/${tool.id}`);

    expect(status).toBe(200);
    const user = { ...tool.user, last_name: 'R.', address: null };
    expect(body).toEqual({ tool: [{ ...tool, item_status: 'Unavailable', user }] });
  });

  it('shows the street address and the last name to the owner and admins only', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const stranger = await catalog.addOwner();
    const admin = await catalog.admin();

    const seen = await Promise.all(
      [undefined, stranger, owner, admin].map(
        async (person) => (await catalog.getTool(tool.id, person)).user,
      ),
    );

    const [hidden, shown] = [
      { address: null, last_name: 'R.' },
      { address: '12 Alder Street', last_name: 'Rivera' },
    ];
    expect(seen).toMatchObject([hidden, hidden, shown, shown]);
  });

  it('is recorded if an admin sees the private variant, but not if the owner does', async () => {
    const owner = await catalog.addOwner();
    const userId = randomUUID();
    const token = await catalog.accounts.sign({ userId, role: 'Support' });
    const [theirs, own] = [
      await catalog.addTool(owner),
      await catalog.addTool(await catalog.addOwner({ userId })),
    ];

    await catalog.http.get(`/api/get-tool/${own.id}`, { token });
    await catalog.http.get(`/api/get-tool/${theirs.id}`, owner);
    await catalog.http.get(`/api/get-tool/${theirs.id}`, { token });
    const { data } = await catalog.broker.expectEvent(
      'AdminActedInCatalog',
      ({ actorId }) => actorId === userId,
    );

    expect(data).toMatchObject({ action: 'getTool', subject: theirs.id, actorRole: 'Support' });
    const reads = catalog.broker.received.filter(
      ({ type, data }) =>
        type === 'AdminActedInCatalog' && (data as { action: string }).action === 'getTool',
    );
    expect(reads.map(({ data }) => (data as { subject: string }).subject)).not.toContain(own.id);
  });

  it('treats a request with an expired token like a request without a token', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const token = await catalog.accounts.sign({ userId: owner.id, expiresInSeconds: -1 });

    const { status, body } = await catalog.http.get(`/api/get-tool/${tool.id}`, { token });

    expect(status).toBe(200);
    expect(body.tool[0].user.address).toBeNull();
  });

  it('replies 404 for an unknown or removed tool, and 400 for an invalid id', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);
    await catalog.http.delete(`/api/rentals/delete-tool/${id}`, { token: owner.token });

    const replies = await Promise.all(
      [randomUUID(), id, 'x', "'; DROP TABLE tools; --"].map((wanted) =>
        catalog.http.get(`/api/get-tool/${encodeURIComponent(wanted)}`),
      ),
    );

    expect(replies.map(({ status }) => status)).toEqual([404, 404, 400, 400]);
    expect(replies[0]?.body.code).toBe('TOOL_NOT_FOUND');
  });
});
