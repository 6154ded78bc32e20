import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated } from '@lendtools/testing';
import {
  messageSent,
  type NotificationsService,
  startNotificationsService,
} from '../../test/notifications-service.ts';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const spam = 'Cheap watches at http://spam.example';

describe('an email to an unverified address', () => {
  it('announces a booking without any text by users', async () => {
    const owner = await service.addPerson('Olga', { lastName: 'Spammer', address: spam });
    const renter = await service.addPerson('Rita', { emailVerified: false });
    const booking = bookingCreated({
      ownerId: owner.id,
      renterId: renter.id,
      toolName: spam,
      paymentIds: [randomUUIDv7()],
    });

    await service.broker.sendNew('BookingCreated', booking);

    const email = await service.expectEmail(renter.email, /^Your booking is confirmed$/);
    const content = JSON.stringify(email);
    for (const written of ['watches', 'spam.example', 'Olga', 'Spammer', 'Rita'])
      expect(content).not.toContain(written);
    expect(email.text).toContain(`/user/my-rental-history-details?id=${booking.bookingId}`);
    expect(email.text).toContain('verify your email');
    expect(email.calendar).toBe('');
    expect(email.files).toEqual([]);
  });

  it('announces a message without its text', async () => {
    const owner = await service.addPerson('Olga', { emailVerified: false });
    const renter = await service.addPerson('Rita');
    const booking = bookingCreated({ ownerId: owner.id, renterId: renter.id });
    await service.broker.sendNew('BookingCreated', booking);
    const { bookingId } = booking;
    const from = { fromUserId: renter.id, fromFirstName: 'Watches' };
    const message = messageSent({ bookingId, toUserId: owner.id, text: spam, ...from });

    await service.broker.sendNew('MessageSent', message);

    const email = await service.expectEmail(owner.email, /^You have a new message$/);
    expect(JSON.stringify(email)).not.toMatch(/watches/i);
  });

  it('includes the details once the address is verified', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita', { emailVerified: true });
    const booking = bookingCreated({ ownerId: owner.id, renterId: renter.id });

    await service.broker.sendNew('BookingCreated', booking);

    const { text } = await service.expectEmail(
      renter.email,
      /^You booked Cordless drill: LT123456$/,
    );
    expect(text).toContain('Olga');
  });

  it('does not contain the new address if it warns of a change of the account’s email address', async () => {
    const id = randomUUIDv7();
    const [oldEmail, newEmail] = [`${id}@example.com`, `watches.${id}@spam.example`];
    const change = { userId: id, firstName: 'Rita', oldEmail, newEmail, token: 'x'.repeat(43) };

    await service.broker.sendNew('EmailChangeRequested', { ...change, oldEmailVerified: false });

    const { text } = await service.expectEmail(oldEmail, /is about to change/);
    expect(text).not.toContain('watches');
  });
});
