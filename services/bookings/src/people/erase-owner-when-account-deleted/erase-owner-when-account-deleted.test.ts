import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { accountRegistered, findRowsWith, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

const queue = 'bookings.erase-owner-when-account-deleted';
const cover = '/api/images/tools-11111111111111111111111111111111-640.webp';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const deleted = ({ userId }: Person) =>
  newEvent('AccountDeleted', { id: userId, version: 9 }, { userId });

/** A booking of a tool of this owner, with a review. */
const lent = async (owner: Person) => {
  const tool = await bookings.tool({
    ownerId: owner.userId,
    description: 'Ask for Olga.',
    coverImage: cover,
  });
  const renter = await bookings.neighbor({ firstName: 'Rita' });
  const { id } = await bookings.booked(renter, tool.toolId);
  return { id, renter, tool };
};

const isErased = (id: string) =>
  waitFor('the booking to be erased', async () => {
    const { rows } = await bookings.pool.query('SELECT description FROM bookings WHERE id = $1', [
      id,
    ]);
    return rows[0].description === '';
  });

describe(queue, () => {
  it('erases the description and the picture of what was lent, and the renter keeps the booking', async () => {
    const owner = await bookings.neighbor({
      firstName: 'Olga',
      lastName: 'Ownerson',
      address: '7 Birch Lane',
    });
    const { id, renter } = await lent(owner);

    const { userId } = owner;
    const nobody = { firstName: 'Deleted', lastName: 'user', address: '', city: '', state: '' };
    await bookings.broker.sendNew(
      'AccountUpdated',
      accountRegistered({ userId, ...nobody, email: `${userId}@deleted.invalid` }),
      { id: userId, version: 9 },
    );
    await bookings.broker.send(deleted(owner));
    await isErased(id);
    await waitFor(
      'the name',
      async () => (await bookings.seen(renter, id)).toolOwner.last_name === 'user',
    );

    expect(await bookings.seen(renter, id)).toMatchObject({
      name: 'Hammer drill',
      cover_image: 'null',
      toolOwner: { first_name: 'Deleted', last_name: 'user' },
      address: '',
    });
    expect(
      await findRowsWith(bookings.pool, ['Olga', 'Ownerson', 'Birch', cover.slice(18, 40)]),
    ).toEqual([]);
  });

  it('is not undone by an older event of a tool that arrives later', async () => {
    const owner = await bookings.neighbor();
    const { id, tool } = await lent(owner);
    const { toolId, ownerId } = tool;

    await bookings.broker.send(deleted(owner));
    await isErased(id);
    await bookings.broker.sendNew('ToolUpdated', tool, { id: toolId, version: 2 });
    await bookings.broker.sendNew('ToolRemoved', { toolId, ownerId }, { id: toolId, version: 3 });

    await waitFor('the removal', async () => {
      const { rows } = await bookings.pool.query('SELECT * FROM tools WHERE id = $1', [toolId]);
      return (
        rows[0].removed_at !== null && rows[0].description === '' && rows[0].cover_image === 'null'
      );
    });
  });

  it('changes nothing of others, and nothing twice', async () => {
    const [owner, other] = [await bookings.neighbor(), await bookings.neighbor()];
    const [mine, theirs] = [await lent(owner), await lent(other)];
    const event = deleted(owner);

    for (const _ of [1, 2]) await bookings.broker.send(event);
    await isErased(mine.id);

    expect((await bookings.seen(theirs.renter, theirs.id)).description).toBe('Ask for Olga.');
  });

  it('dead-letters an unreadable message', async () => {
    await bookings.broker.sendRaw(queue, JSON.stringify({ type: 'AccountDeleted', data: 1 }));

    await waitFor('the dead letter', async () => (await bookings.broker.countDead(queue)) === 1);
  });

  it('retries when the database fails briefly', async () => {
    const owner = await bookings.neighbor();
    const { id } = await lent(owner);
    await failFirstWrites(bookings.pool, 'bookings', 2);

    await bookings.broker.send(deleted(owner));

    await isErased(id);
  });
});
