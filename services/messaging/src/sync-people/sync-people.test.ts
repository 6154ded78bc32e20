import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { accountRegistered, bookingCreated, waitFor } from '@lendtools/testing';
import {
  type MessagingService,
  type OpenThread,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

const queue = 'messaging.sync-people';

let service: MessagingService;
let opened: OpenThread;
beforeAll(async () => {
  service = await startMessagingService();
  opened = await openThread(service);
  await sendFirst(service, opened);
});
afterAll(() => service.stop());

const rename = (firstName: string, version: number) =>
  service.broker.sendNew(
    'AccountUpdated',
    accountRegistered({ userId: opened.renterId, firstName }),
    { id: opened.renterId, version },
  );

const expectName = (firstName: string) =>
  waitFor(`the name ${firstName}`, async () => {
    const { body } = await service.http.get(opened.thread, { token: opened.owner });
    return body.messaging[0].user.first_name === firstName;
  });

describe('messaging.sync-people', () => {
  it('updates the name that the thread shows', async () => {
    await rename('Margarita', 2);

    await expectName('Margarita');
  });

  it('keeps the newest name when events are duplicated or out of order', async () => {
    const newest = await rename('Rosalind', 9);
    await expectName('Rosalind');

    await rename('Outdated', 8);
    await service.broker.send(newest);
    await rename('Rosa', 10);

    await expectName('Rosa');
  });

  it('keeps the newest version when many versions of a new person arrive concurrently', async () => {
    const people = Array.from({ length: 20 }, () => bookingCreated());
    await Promise.all(people.map((booking) => service.broker.sendNew('BookingCreated', booking)));

    await Promise.all(
      people.flatMap(({ renterId }) =>
        [1, 2, 3].map((version) =>
          service.broker.sendNew(
            'AccountUpdated',
            accountRegistered({ userId: renterId, firstName: `Version ${version}` }),
            { id: renterId, version },
          ),
        ),
      ),
    );
    await rename('Marker', 11);
    await expectName('Marker');

    const names: string[] = [];
    for (const { bookingId, renterId } of people) {
      const token = await service.accounts.sign({ userId: renterId });
      const path = `/api/rentalBookings/${bookingId}/send-message`;
      const { body } = await service.http.post(path, { token, body: { message: 'Hello' } });
      names.push(body.messaging.user.first_name);
    }
    expect(new Set(names)).toEqual(new Set(['Version 3']));
  });

  it('consumes the event again when its acknowledgement fails', async () => {
    armFault('consumer.beforeAck:1:throw');

    await rename('Ruth', 12);
    await expectName('Ruth');

    await rename('Rhoda', 13);
    await expectName('Rhoda');
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and consumes the next one', async () => {
    await service.broker.sendRaw(queue, '{"type":"AccountUpdated","data":{}}');
    await rename('Rebecca', 20);

    await expectName('Rebecca');
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
