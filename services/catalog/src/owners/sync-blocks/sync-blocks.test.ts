import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

const queue = 'catalog.sync-blocks';
let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const blocking = (
  blockerId: string,
  blockedId: string,
  { blocked = true, version = 1 }: { blocked?: boolean; version?: number } = {},
) => newEvent('PersonBlocked', { id: randomUUID(), version }, { blockerId, blockedId, blocked });

const block = async (...block: Parameters<typeof blocking>): Promise<void> => {
  const event = blocking(...block);
  await catalog.broker.send(event);
  await catalog.handled(queue, event);
};

const place = 'lat=45.52&lng=-122.68&radius=50';

/** Every way to a tool. Each returns whether the person finds the tool. */
const ways: Record<string, (person: Person | undefined, tool: Tool) => Promise<boolean>> = {
  'the list of all tools': (person, tool) => isListed(person, tool, '/api/all-rentals?limit=200'),
  'a search by words': (person, tool) =>
    isListed(person, tool, `/api/all-rentals?q=${encodeURIComponent(tool.name)}`),
  'a search by price': (person, tool) => isListed(person, tool, '/api/all-rentals?sort=price'),
  'a search by dates': (person, tool) => {
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    return isListed(person, tool, `/api/all-rentals?from=${day}&to=${day}`);
  },
  'the list of a category': (person, tool) =>
    isListed(person, tool, `/api/rentals/${tool.categoryId}/get-tools`),
  'the tools nearby': (person, tool) => isListed(person, tool, `/api/get-tools-near-you?${place}`),
  'the tool’s page': async (person, tool) =>
    (await catalog.http.get(`/api/get-tool/${tool.id}`, { token: person?.token })).status === 200,
};

const isListed = async (person: Person | undefined, tool: Tool, path: string): Promise<boolean> => {
  const { body } = await catalog.http.get(path, { token: person?.token });
  const tools: Tool[] = body.rentals ?? body.nearby;
  return tools.some(({ id }) => id === tool.id);
};

const canSee = (person: Person, tool: Tool) => ways['the tool’s page']?.(person, tool);

describe(queue, () => {
  it.each(Object.keys(ways))('hides both people’s tools from each other in %s', async (way) => {
    const [one, other, neighbor] = [
      await catalog.addOwner(),
      await catalog.addOwner(),
      await catalog.addOwner(),
    ];
    const name = `Drill ${randomUUID().slice(0, 8)}`;
    const [ofOne, ofOther] = [
      await catalog.addTool(one, { name: `${name} of one` }),
      await catalog.addTool(other, { name: `${name} of other` }),
    ];
    const finds = ways[way] as (person: Person | undefined, tool: Tool) => Promise<boolean>;
    const seen = async () =>
      [
        await finds(one, ofOther),
        await finds(other, ofOne),
        await finds(one, ofOne),
        await finds(neighbor, ofOther),
        await finds(undefined, ofOther),
        await finds(await catalog.admin(), ofOther),
      ].map(Number);
    const before = await seen();

    await block(one.id, other.id);
    const after = await seen();
    await block(one.id, other.id, { blocked: false, version: 2 });

    expect(before).toEqual([1, 1, 1, 1, 1, 1]);
    expect(after).toEqual([0, 0, 1, 1, 1, 1]);
    expect(await seen()).toEqual(before);
  });

  it('hides saved tools, and rejects saving one, like a tool that is gone', async () => {
    const [one, other] = [await catalog.addOwner(), await catalog.addOwner()];
    const [saved, second] = [await catalog.addTool(one), await catalog.addTool(one)];
    const at = `/api/user/${other.id}/saved-tools`;
    await catalog.http.put(`${at}/${saved.id}`, other);

    await block(one.id, other.id);
    const rejected = await catalog.http.put(`${at}/${second.id}`, other);
    const gone = await catalog.http.put(`${at}/${randomUUID()}`, other);

    expect((await catalog.http.get(at, other)).body.rentals).toEqual([]);
    expect((await catalog.http.get(`${at}/ids`, other)).body.ids).toEqual([]);
    const { requestId: _, ...problem } = rejected.body;
    expect(gone.body).toMatchObject(problem);
    expect(rejected.status).toBe(404);
  });

  it('keeps one block when two people have blocked each other and one of them unblocks', async () => {
    const [one, other] = [await catalog.addOwner(), await catalog.addOwner()];
    const tool = await catalog.addTool(other);
    await block(one.id, other.id);
    await block(other.id, one.id);

    await block(one.id, other.id, { blocked: false, version: 2 });

    expect(await canSee(one, tool)).toBe(false);
  });

  it('keeps the later of two events that arrive out of order, and ignores a duplicate', async () => {
    const [one, other] = [await catalog.addOwner(), await catalog.addOwner()];
    const tool = await catalog.addTool(other);

    await block(one.id, other.id, { blocked: false, version: 2 });
    const first = blocking(one.id, other.id);
    for (const _ of [1, 2]) await catalog.broker.send(first);
    await catalog.handled(queue, first);
    const last = blocking(randomUUID(), randomUUID());
    await catalog.broker.send(last);
    await catalog.handled(queue, last);

    expect(await canSee(one, tool)).toBe(true);
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, blocking(randomUUID(), randomUUID()));
  });

  it('retries after a failure', async () => {
    const [one, other] = [await catalog.addOwner(), await catalog.addOwner()];
    const tool = await catalog.addTool(other);

    await expectRetry(catalog, queue, blocking(one.id, other.id));

    expect(await canSee(one, tool)).toBe(false);
  });
});
