import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import {
  type CatalogService,
  profileOf,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.hide-tools-when-owner-disabled';
const disabling = (userId: string, version: number, disabled = true) =>
  newEvent('AccountDisabled', { id: userId, version }, { userId, disabled });

const isListed = async (toolId: string): Promise<boolean> => {
  const { body } = await catalog.http.get('/api/all-rentals');
  return body.rentals.some((tool: { id: string }) => tool.id === toolId);
};

describe(queue, () => {
  it("hides a disabled owner's tools, publishes them as Unavailable, and reverses both when the owner is enabled", async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const disabled = disabling(owner.id, 2);
    const enabled = disabling(owner.id, 3, false);

    await catalog.broker.send(disabled);
    await catalog.handled(queue, disabled);

    const visitor = await catalog.http.get(`/api/get-tool/${tool.id}`);
    const admin = await catalog.http.get(`/api/get-tool/${tool.id}`, await catalog.admin());
    expect([await isListed(tool.id), visitor.status, admin.status]).toEqual([false, 404, 200]);
    const hidden = await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);
    expect(hidden.data).toMatchObject({ status: 'Unavailable', ownerDisabled: true });

    await catalog.broker.send(enabled);
    await catalog.handled(queue, enabled);

    expect(await isListed(tool.id)).toBe(true);
    await catalog.broker.expectEvent(
      'ToolUpdated',
      (d) => d.toolId === tool.id && d.status === 'Available' && !d.ownerDisabled,
    );
  });

  it('ignores a duplicate event', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const event = disabling(owner.id, 2);
    const last = disabling(randomUUID(), 2);

    for (const each of [event, event, last]) await catalog.broker.send(each);
    await catalog.handled(queue, last);
    await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);

    expect(catalog.countUpdates(tool.id)).toBe(1);
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, disabling(randomUUID(), 2));
  });

  it('retries after a failure', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    await expectRetry(catalog, queue, disabling(owner.id, 2));

    expect(await isListed(tool.id)).toBe(false);
  });

  it('keeps the later of two events that arrive out of order', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const disabled = disabling(owner.id, 2);
    const enabled = disabling(owner.id, 3, false);

    await catalog.broker.send(enabled);
    await catalog.handled(queue, enabled);
    await catalog.broker.send(disabled);
    await catalog.handled(queue, disabled);

    expect(await isListed(tool.id)).toBe(true);
  });

  it("hides the tools of a disabled user even if the user's profile arrives later", async () => {
    const userId = randomUUID();
    const disabled = disabling(userId, 2);
    await catalog.broker.send(disabled);
    await catalog.handled(queue, disabled);

    const owner = await catalog.addOwner(profileOf({ userId }));
    // Sign a new token, because tokens of an earlier account version are rejected.
    const token = await catalog.accounts.sign({ userId, version: 3 });
    const tool = await catalog.addTool({ ...owner, token });

    expect(await isListed(tool.id)).toBe(false);
  });
});
