import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingChanged } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-parties-when-booking-changed';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const changed = (
  owner: TestPerson,
  renter: TestPerson,
  overrides: Partial<EventData<'BookingChanged'>> = {},
) => bookingChanged({ ownerId: owner.id, renterId: renter.id, ...overrides });

const wordsOf = async (...people: TestPerson[]) => {
  const notices = [];
  for (const one of people) notices.push(...(await service.expectNotices(one, 1)));
  return notices.map(({ message }) => message);
};

describe(queue, () => {
  it('sends both parties the old and new dates, the payment, and a new calendar file', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');

    const paymentIds = [randomUUIDv7()];
    const data = changed(owner, renter, { changes: 2, paymentIds });
    await service.broker.sendNew('BookingChanged', data);

    const dates =
      'Mon, Jun 1, 7:00 AM to Thu, Jun 4, 7:00 AM, before Mon, Jun 1, 7:00 AM to Wed, Jun 3, 7:00 AM.';
    expect(await wordsOf(owner, renter)).toEqual([
      `Rita changed the booking of your Cordless drill: ${dates} Rita paid $24.00 more.`,
      `Your booking of Cordless drill is changed: ${dates} You paid $24.00 more.`,
    ]);
    const emails = [
      await service.expectEmail(owner.email, /Changed: Cordless drill/),
      await service.expectEmail(renter.email, /Changed: Cordless drill/),
    ];
    expect(emails.map(({ files }) => files)).toMatchObject([
      [],
      [{ content: `receipt of ${paymentIds[0]}` }],
    ]);
    for (const { calendar, text } of emails) {
      expect(calendar).toContain(`UID:${data.bookingId}@lendtools`);
      expect(calendar).toContain('SEQUENCE:2');
      expect(calendar).toContain('DTEND:20260604T120000Z');
      expect(text).toContain('Before');
    }
  });

  it('includes the refund of a change, what the owner keeps, and a changed quantity', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    const before = { ...changed(owner, renter).before, quantity: 3 };
    const refunds = [{ paymentId: randomUUID(), refundCents: 1_200 }];

    await service.broker.sendNew(
      'BookingChanged',
      changed(owner, renter, { before, dueCents: 0, refunds, keptCents: 1_200, mostPercent: 50 }),
    );

    const dates =
      '1 × Mon, Jun 1, 7:00 AM to Thu, Jun 4, 7:00 AM, before 3 × Mon, Jun 1, 7:00 AM to Wed, Jun 3, 7:00 AM.';
    expect(await wordsOf(owner, renter)).toEqual([
      `Rita changed the booking of your Cordless drill: ${dates} $12.00 goes back to Rita’s card. By the cancellation policy, $12.00 stays with you.`,
      `Your booking of Cordless drill is changed: ${dates} $12.00 goes back to your card. By the cancellation policy, $12.00 stays with Olga.`,
    ]);
  });

  it('shows the owner, and not the renter, what they earn after the commission', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    const earnings = { grossCents: 7_200, feeCents: 720 };

    await service.broker.sendNew('BookingChanged', changed(owner, renter, { earnings }));

    const [toOwner, toRenter] = await wordsOf(owner, renter);
    expect(toOwner).toMatch(/Rita paid \$24\.00 more\. You earn \$72\.00 − \$7\.20 = \$64\.80\.$/);
    expect(toRenter).toMatch(/You paid \$24\.00 more\.$/);
    const ownerEmail = await service.expectEmail(owner.email, /Changed: Cordless drill/);
    const renterEmail = await service.expectEmail(renter.email, /Changed: Cordless drill/);
    expect(ownerEmail.text).toMatch(/You earn: +\$72\.00 − \$7\.20 = \$64\.80/);
    expect(renterEmail.text + renterEmail.html).not.toMatch(/earn|64\.80/);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('BookingChanged', changed(owner, renter)),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /Changed/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
