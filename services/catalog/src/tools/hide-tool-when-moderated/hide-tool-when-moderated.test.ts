import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.hide-tool-when-moderated';
const moderation = (
  { id: contentId, userId: authorId = randomUUID() }: { id: string; userId?: string },
  version: number,
  hiddenReason: string | null = 'Forbidden here.',
) =>
  newEvent(
    'ContentModerated',
    { id: contentId, version },
    { about: 'tool', contentId, authorId, hiddenReason },
  );

const moderate = async (...events: ReturnType<typeof moderation>[]): Promise<void> => {
  for (const event of events) {
    await catalog.broker.send(event);
    await catalog.handled(queue, event);
  }
};

const newTool = async () => {
  const owner = await catalog.addOwner();
  return { owner, tool: await catalog.addTool(owner) };
};

const isListed = async (toolId: string): Promise<boolean> => {
  const { body } = await catalog.http.get('/api/all-rentals');
  return body.rentals.some((tool: { id: string }) => tool.id === toolId);
};

const edit = (owner: Person, toolId: string, body: Record<string, unknown>) =>
  catalog.http.put(`/api/update-rental/${toolId}`, { token: owner.token, body });

describe(queue, () => {
  it('hides a tool from visitors, users, searches and saved tools, and rejects its bookings', async () => {
    const { owner, tool } = await newTool();
    const renter = await catalog.addOwner();
    const saved = `/api/user/${renter.id}/saved-tools`;
    await catalog.http.put(`${saved}/${tool.id}`, { token: renter.token });

    await moderate(moderation(tool, 1));

    const path = `/api/get-tool/${tool.id}`;
    const replies = await Promise.all([
      catalog.http.get(path),
      catalog.http.get(path, renter),
      catalog.http.put(`${saved}/${tool.id}`, { token: renter.token }),
      catalog.http.get(path, owner),
      catalog.http.get(path, await catalog.admin()),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 200, 200]);
    expect(replies[3]?.body.tool[0]).toMatchObject({
      hiddenReason: 'Forbidden here.',
      item_status: 'Unavailable',
    });
    const lists = await Promise.all([
      catalog.http.get(saved, renter),
      catalog.http.get(`${saved}/ids`, renter),
    ]);
    expect([lists[0]?.body.rentals, lists[1]?.body.ids]).toEqual([[], []]);
    expect(await isListed(tool.id)).toBe(false);
    const { data } = await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);
    expect(data).toMatchObject({ status: 'Unavailable', ownerDisabled: true });
  });

  it('keeps a hidden tool hidden when its owner lists it again', async () => {
    const { owner, tool } = await newTool();
    await moderate(moderation(tool, 1));

    const { body } = await edit(owner, tool.id, { item_status: 'Available' });

    expect(body.message).toContain('stays hidden');
    expect(body.rental.item_status).toBe('Unavailable');
    expect(await isListed(tool.id)).toBe(false);
  });

  it('shows a tool again, unless its owner has paused it', async () => {
    const [listed, paused] = [await newTool(), await newTool()];
    await edit(paused.owner, paused.tool.id, { item_status: 'Unavailable' });
    await moderate(moderation(listed.tool, 1), moderation(paused.tool, 1));

    await moderate(moderation(listed.tool, 2, null), moderation(paused.tool, 2, null));

    const shown = await catalog.getTool(listed.tool.id, listed.owner);
    expect(shown).toMatchObject({ item_status: 'Available' });
    expect(shown).not.toHaveProperty('hiddenReason');
    expect([await isListed(listed.tool.id), await isListed(paused.tool.id)]).toEqual([true, false]);
    await catalog.broker.expectEvent(
      'ToolUpdated',
      (d) => d.toolId === listed.tool.id && d.status === 'Available' && !d.ownerDisabled,
    );
  });

  it('ignores a duplicate event', async () => {
    const { tool } = await newTool();
    const event = moderation(tool, 1);
    await moderate(event, event);
    const last = moderation({ id: randomUUID() }, 1);
    await moderate(last);
    await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);

    expect(catalog.countUpdates(tool.id)).toBe(1);
  });

  it('keeps the later of two events that arrive out of order', async () => {
    const { tool } = await newTool();

    await moderate(moderation(tool, 2, null), moderation(tool, 1));

    expect(await isListed(tool.id)).toBe(true);
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, moderation({ id: randomUUID() }, 1));
  });

  it('retries after a failure', async () => {
    const { tool } = await newTool();

    await expectRetry(catalog, queue, moderation(tool, 1));

    expect(await isListed(tool.id)).toBe(false);
  });
});
