import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountRegistered, bookingCreated, findDocumentsWith, waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  bookTool,
  messageSent,
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.erase-person-when-account-deleted';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const sendDeletion = ({ id: userId }: TestPerson) =>
  service.broker.sendNew('AccountDeleted', { userId }, { id: userId, version: 9 });

const eraseProfile = ({ id: userId }: TestPerson) =>
  service.broker.sendNew(
    'AccountUpdated',
    accountRegistered({
      userId,
      firstName: 'Deleted',
      lastName: 'user',
      email: `${userId}@deleted.invalid`,
      address: '',
      city: '',
      state: '',
    }),
    { id: userId, version: 9 },
  );

describe(queue, () => {
  it('leaves no name and no address of the person, also not in what others got about them', async () => {
    const [zelda, olga] = [
      await service.addPerson('Zelda', { lastName: 'Quist', address: '7 Birch Lane' }),
      await service.addPerson('Olga'),
    ];
    const booking = bookingCreated({ ownerId: olga.id, renterId: zelda.id });
    await service.broker.sendNew('BookingCreated', booking);
    await service.broker.sendNew(
      'MessageSent',
      messageSent({
        bookingId: booking.bookingId,
        fromUserId: zelda.id,
        fromFirstName: 'Zelda',
        fromLastName: 'Quist',
        toUserId: olga.id,
      }),
    );
    await service.expectNotices(olga, 2);
    await service.expectEmail(olga.email, /Zelda wrote/);
    await service.expectEmail(zelda.email, /booking|booked/i);
    await waitFor('the emails to be marked as sent', async () => {
      const queued = { status: 'queued' };
      return (await service.database.collection('emails').countDocuments(queued)) === 0;
    });

    await eraseProfile(zelda);
    await sendDeletion(zelda);

    await waitFor('the words to be gone', async () => {
      const found = await findDocumentsWith(service.database, [
        'Zelda',
        'Quist',
        'Birch',
        zelda.email,
      ]);
      return found.length === 0;
    });
    expect(await service.noticesOf(zelda)).toEqual([]);
  });

  it('deletes the preferences of the person', async () => {
    const person = await service.addPerson('Zelda');
    const body = { emails: { messages: false } };
    await service.http.put(`/api/user/${person.id}/preferences`, { token: person.token, body });

    await sendDeletion(person);

    await waitFor('the deletion', async () => {
      const found = await findDocumentsWith(service.database, ['"messages":false']);
      return found.length === 0;
    });
  });

  it('deletes preferences that were stored before the erased profile arrived', async () => {
    const person = await service.addPerson('Zelda');
    const stored = service.database.collection<{ _id: string }>('preferences');
    const turnOff = () =>
      service.http.put(`/api/user/${person.id}/preferences`, {
        token: person.token,
        body: { emails: { messages: false } },
      });
    const isDeleted = async () => (await stored.findOne({ _id: person.id })) === null;
    await turnOff();
    await sendDeletion(person);
    await waitFor('the first deletion', isDeleted);
    await turnOff();

    await eraseProfile(person);

    await waitFor('the second deletion', isDeleted);
  });

  it('keeps the notices and emails of others that do not name the person', async () => {
    const { renter } = await bookTool(service);
    const { owner } = await bookTool(service);

    await sendDeletion(renter);
    await waitFor('the deletion', async () => (await service.noticesOf(renter)).length === 0);

    expect(await service.noticesOf(owner)).toHaveLength(1);
  });

  it('deletes the notices about each of thousands of bookings', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const ids = Array.from({ length: 2_001 }, () => randomUUIDv7());
    const parties = { ownerId: owner.id, renterId: renter.id };
    const bookings = service.database.collection<{ _id: string }>('bookings');
    const notices = service.database.collection<{ _id: string }>('notices');
    await bookings.insertMany(ids.map((_id) => ({ _id, ...parties, toolName: 'Saw' })));
    await notices.insertMany(
      ids.map((id) => ({ _id: id, key: id, userId: renter.id, bookingId: id, pending: [] })),
    );

    await sendDeletion(owner);

    await waitFor('the deletion of all notices', async () => {
      return (await notices.countDocuments({ userId: renter.id })) === 0;
    });
  });

  it('sends a deleted user no emails', async () => {
    const [gone, owner] = [await service.addPerson('Gina'), await service.addPerson('Olga')];
    await eraseProfile(gone);
    await waitFor('the profile', async () => {
      const people = service.database.collection<{ _id: string; firstName: string }>('people');
      return (await people.findOne({ _id: gone.id }))?.firstName === 'Deleted';
    });

    await service.broker.sendNew(
      'BookingCreated',
      bookingCreated({ ownerId: owner.id, renterId: gone.id }),
    );
    await service.expectEmail(owner.email, /just been booked/);

    expect(service.smtp.received.filter(({ to }) => to.join().includes('deleted.invalid'))).toEqual(
      [],
    );
    expect(await findDocumentsWith(service.database, ['booking-confirmed'])).not.toContainEqual(
      expect.stringContaining('deleted.invalid'),
    );
  });

  testConsumer(
    queue,
    () => service,
    async () => {
      const { renter } = await bookTool(service);
      return {
        send: () => sendDeletion(renter),
        countEffects: async () => ((await service.noticesOf(renter)).length === 0 ? 1 : 0),
      };
    },
  );
});
