import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { bookingCreated, findRowsWith } from '@lendtools/testing';
import {
  type CatalogService,
  formOf,
  type Person,
  picture,
  profileOf,
  startCatalogForTest,
  toolFields,
} from '../../../test/catalog-service.ts';
import { expectPoisonToDie, expectRetry } from '../../../test/consumer-cases.ts';

const queue = 'catalog.erase-owner-when-account-deleted';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const deletion = (userId: string) =>
  newEvent('AccountDeleted', { id: userId, version: 9 }, { userId });

const addOwner = () =>
  catalog.addOwner({ firstName: 'Olga', lastName: 'Ownerson', address: '7 Birch Lane' });

const addPicturedTool = async (owner: Person) => {
  const categoryId = await catalog.addCategory();
  const body = formOf(
    { ...toolFields, description: 'Ask for Olga.', categoryId, zip: '97210' },
    { cover_image: await picture('teal'), image1: await picture('navy') },
  );
  const added = await catalog.http.post(`/api/user/${owner.id}/add-rental`, {
    token: owner.token,
    body,
  });
  if (added.status !== 201) throw new Error(JSON.stringify(added.body));
  return added.body.rental;
};

describe(queue, () => {
  it.each(['the profile first', 'the deletion first'])(
    'removes the tools with their texts and pictures, in either order of the events: %s',
    async (order) => {
      const owner = await addOwner();
      const [tool, removed] = [await addPicturedTool(owner), await addPicturedTool(owner)];
      await catalog.http.delete(`/api/rentals/delete-tool/${removed.id}`, owner);
      const booked = bookingCreated({
        toolId: tool.id,
        ownerId: owner.id,
        coverImage: tool.cover_image,
      });
      const booking = await catalog.broker.sendNew('BookingCreated', booked);
      await catalog.handled('catalog.update-status-when-booking-changed', booking);
      const nobody = { firstName: 'Deleted', lastName: 'user', address: '', lat: 0, lng: 0 };
      const profile = newEvent(
        'AccountUpdated',
        { id: owner.id, version: 9 },
        profileOf({ userId: owner.id, ...nobody }),
      );
      const events = [profile, deletion(owner.id)];
      if (order === 'the deletion first') events.reverse();

      for (const event of events) {
        await catalog.broker.send(event);
        await catalog.handled(event === profile ? 'catalog.sync-owners' : queue, event);
      }

      const keys = [tool.cover_image, tool.image1].map((path: string) => path.slice(18, 50));
      expect(
        await findRowsWith(catalog.pool, ['Olga', 'Ownerson', 'Birch', '97210', ...keys]),
      ).toEqual([]);
      const gone = await catalog.broker.expectEvent('ToolRemoved', (d) => d.toolId === tool.id);
      const { rows } = await catalog.pool.query('SELECT name, version FROM tools WHERE id = $1', [
        tool.id,
      ]);
      expect(rows[0]).toEqual({ name: toolFields.name, version: gone.version });
    },
  );

  it('deletes what the user has saved', async () => {
    const [owner, saver] = [await addOwner(), await addOwner()];
    const tool = await catalog.addTool(owner);
    await catalog.http.put(`/api/user/${saver.id}/saved-tools/${tool.id}`, { token: saver.token });
    const event = deletion(saver.id);

    await catalog.broker.send(event);
    await catalog.handled(queue, event);

    const { rowCount } = await catalog.pool.query('SELECT FROM saved_tools WHERE user_id = $1', [
      saver.id,
    ]);
    expect(rowCount).toBe(0);
    expect((await catalog.getTool(tool.id)).name).toBe(toolFields.name);
  });

  it('publishes a removal once when the event is repeated', async () => {
    const owner = await addOwner();
    const tool = await catalog.addTool(owner);
    const [event, last] = [deletion(owner.id), deletion(randomUUID())];

    for (const each of [event, event, last]) await catalog.broker.send(each);
    await catalog.handled(queue, last);
    await catalog.broker.expectEvent('ToolRemoved', (d) => d.toolId === tool.id);

    expect(
      catalog.broker.received.filter((e) => e.type === 'ToolRemoved' && e.aggregateId === tool.id),
    ).toHaveLength(1);
  });

  it('dead-letters an unreadable message', async () => {
    await expectPoisonToDie(catalog, queue, deletion(randomUUID()));
  });

  it('retries after a failure', async () => {
    const owner = await addOwner();
    const tool = await catalog.addTool(owner);

    await expectRetry(catalog, queue, deletion(owner.id));

    await catalog.broker.expectEvent('ToolRemoved', (d) => d.toolId === tool.id);
  });
});
