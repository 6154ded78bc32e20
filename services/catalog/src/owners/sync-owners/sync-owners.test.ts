import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import {
  type CatalogService,
  type Person,
  profileOf,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const queue = 'catalog.sync-owners';
const denver = { city: 'Denver', state: 'Colorado', lat: 39.74, lng: -104.99 };
const updated = (owner: Person, version: number, changes: object = {}) =>
  newEvent(
    'AccountUpdated',
    { id: owner.id, version },
    profileOf({ userId: owner.id, ...changes }),
  );

describe(queue, () => {
  it('moves the tools of an owner who moves, and publishes them', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const event = updated(owner, 2, { ...denver, firstName: 'Kim', timeZone: 'America/Denver' });

    await catalog.broker.send(event);
    await catalog.handled(queue, event);

    expect(await catalog.getTool(tool.id)).toMatchObject({
      user: { first_name: 'Kim', city: 'Denver' },
      timeZone: 'America/Denver',
    });
    const near = await catalog.http.get('/api/get-tools-near-you?lat=39.74&lng=-104.99&radius=1');
    expect(near.body.nearby).toMatchObject([{ id: tool.id, distance: 0 }]);
    const published = await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);
    expect(published).toMatchObject({ version: 2, data: { timeZone: 'America/Denver' } });
  });

  it('ignores a duplicate event', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const event = updated(owner, 2, denver);
    const last = updated(await catalog.addOwner(), 2);

    for (const each of [event, event, last]) await catalog.broker.send(each);
    await catalog.handled(queue, last);
    await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);

    expect(catalog.countUpdates(tool.id)).toBe(1);
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, updated({ id: randomUUID(), token: '' }, 1));
  });

  it('retries after a failure', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    await expectRetry(catalog, queue, updated(owner, 2, { firstName: 'Alex' }));

    expect((await catalog.getTool(tool.id)).user.first_name).toBe('Alex');
  });

  it('keeps the later of two events that arrive out of order', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const earlier = updated(owner, 2, { firstName: 'Earlier' });
    const later = updated(owner, 3, { firstName: 'Later' });

    await catalog.broker.send(later);
    await catalog.handled(queue, later);
    await catalog.broker.send(earlier);
    await catalog.handled(queue, earlier);

    expect((await catalog.getTool(tool.id)).user.first_name).toBe('Later');
  });
});
