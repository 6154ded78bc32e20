import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { accountRegistered, bookingCreated, waitFor } from '@lendtools/testing';
import {
  bookTool,
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-parties-when-booking-created';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

describe(queue, () => {
  it('sends the owner and the renter a notice and an email each', async () => {
    const { owner, renter, booking } = await bookTool(service);

    const toOwner = await service.expectEmail(owner.email, /just been booked/);
    const toRenter = await service.expectEmail(renter.email, /LT123456/);

    expect(await service.noticesOf(owner)).toMatchObject([
      {
        kind: 'tool-booked',
        message: 'Your tool has just been booked: Cordless drill',
        bookingId: booking.bookingId,
        readAt: null,
      },
    ]);
    expect(await service.noticesOf(renter)).toMatchObject([
      {
        kind: 'booking-confirmed',
        message: 'Cordless drill is yours from Mon, Jun 1. Your booking code is LT123456.',
      },
    ]);
    expect(toOwner.text).toContain('Rita Renter will pick up your Cordless drill.');
    expect(toOwner.text).toContain(
      `http://lendtools.test/user/my-bookings-details?id=${booking.bookingId}`,
    );
    for (const fact of [
      'LT123456',
      'Monday, June 1, 2026, 7:00 AM',
      '12 Elm Street, Austin, Texas',
      '$48.00 ($24.00 × 2 days)',
      `http://lendtools.test/user/my-rental-history-details?id=${booking.bookingId}`,
    ]) {
      expect(toRenter.text).toContain(fact);
      expect(toRenter.html).toContain(fact);
    }
  });

  it('states in the email what a cancellation would refund, also for a booking without a policy', async () => {
    const startsAt = '2999-06-01T12:00:00.000Z';
    const endsAt = '2999-06-03T12:00:00.000Z';
    const { owner, renter } = await bookTool(service, {
      startsAt,
      endsAt,
      cancellationPolicy: 'flexible',
    });
    const plain = await bookTool(service, { startsAt, endsAt, cancellationPolicy: null });

    const toOwner = await service.expectEmail(owner.email, /just been booked/);
    const toRenter = await service.expectEmail(renter.email, /LT123456/);
    const withoutPolicy = await service.expectEmail(plain.renter.email, /LT123456/);

    const words = 'Full refund until the end of Thu, May 30 \\(.+\\), then 50%\\.';
    expect(toRenter.text).toMatch(new RegExp(`If you cancel: +${words}`));
    expect(toOwner.text).toMatch(new RegExp(`If the renter cancels: +${words}`));
    expect(withoutPolicy.text).toMatch(/If you cancel: +Full refund until the rental starts\./);
  });

  it('shows the commission in the email to the owner, and not in the renter’s', async () => {
    const earnings = { grossCents: 4_800, feeCents: 480 };
    const { owner, renter } = await bookTool(service, { earnings });

    const toOwner = await service.expectEmail(owner.email, /just been booked/);
    const toRenter = await service.expectEmail(renter.email, /LT123456/);

    expect(toOwner.text).toMatch(/You earn: +\$48\.00 − \$4\.80 = \$43\.20/);
    expect(toRenter.text + toRenter.html).not.toMatch(/earn|4\.80|43\.20/);
  });

  it('attaches a calendar file to the emails about a booking', async () => {
    const { owner, renter, booking } = await bookTool(service);

    const { calendar: lent } = await service.expectEmail(owner.email, /just been booked/);
    const { calendar: rented } = await service.expectEmail(renter.email, /LT123456/);

    for (const file of [lent, rented]) {
      expect(file).toContain('METHOD:PUBLISH');
      expect(file).toContain(`UID:${booking.bookingId}@lendtools`);
      expect(file).toContain(`DTSTART:${booking.startsAt.replaceAll(/[-:]|\.\d+/g, '')}`);
    }
    expect(lent).toContain('SUMMARY:Cordless drill to Rita');
    expect(rented).toContain('LOCATION:12 Elm Street\\, Austin\\, Texas');
  });

  it('attaches the receipts of the payments that the event lists to the renter’s email only', async () => {
    const paymentIds = [randomUUIDv7()];
    const { owner, renter } = await bookTool(service, { paymentIds });
    const another = await bookTool(service);

    const toOwner = await service.expectEmail(owner.email, /just been booked/);
    const toRenter = await service.expectEmail(renter.email, /LT123456/);
    const withoutPayment = await service.expectEmail(another.renter.email, /LT123456/);

    expect(toRenter.files).toEqual([
      { name: 'receipt-R-0000-0001.pdf', content: `receipt of ${paymentIds[0]}` },
    ]);
    expect(toRenter.text).toContain('Your receipt is on the booking’s page');
    expect(toRenter.calendar).toContain('METHOD:PUBLISH');
    for (const { files, text } of [toOwner, withoutPayment]) {
      expect(files).toEqual([]);
      expect(text).not.toContain('receipt');
    }
  });

  it('publishes NoticeCreated for each notice', async () => {
    const { owner } = await bookTool(service);

    const event = await service.broker.expectEvent(
      'NoticeCreated',
      ({ userId }) => userId === owner.id,
    );

    expect([event.data.notice]).toEqual(await service.noticesOf(owner));
  });

  it('ignores a repeated event', async () => {
    const { owner, renter, event } = await bookTool(service, { paymentIds: [randomUUIDv7()] });
    await service.expectEmail(renter.email, /LT123456/);

    await service.broker.send(event);
    await service.broker.send(event);
    await bookTool(service);

    expect(await service.noticesOf(owner)).toHaveLength(1);
    expect(await service.noticesOf(renter)).toHaveLength(1);
    expect(service.emailsTo(owner.email).filter((e) => /booked/.test(e.subject))).toHaveLength(1);
    expect(service.emailsTo(renter.email).filter((e) => /LT1/.test(e.subject))).toHaveLength(1);
  });

  it('creates notices before the account events of the parties have arrived, and sends the emails after that', async () => {
    const ownerId = randomUUIDv7();
    const token = await service.accounts.sign({ userId: ownerId });
    const owner = { id: ownerId, email: `${ownerId}@example.com`, token };
    const renterId = randomUUIDv7();

    await service.broker.sendNew('BookingCreated', bookingCreated({ ownerId, renterId }));
    await service.expectNotices(owner, 1);
    for (const userId of [renterId, ownerId])
      await service.broker.sendNew('AccountRegistered', accountRegistered({ userId }));

    await service.expectEmail(owner.email, /just been booked/);
    expect(await service.noticesOf(owner)).toHaveLength(1);
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('sends nothing twice when the acknowledgement of the event fails', async () => {
    const [owner, renter] = await Promise.all([
      service.addPerson('Olga'),
      service.addPerson('Rita'),
    ]);
    armFault('consumer.beforeAck:1:throw');

    const booking = { ownerId: owner.id, renterId: renter.id };
    await service.broker.sendNew('BookingCreated', bookingCreated(booking));
    await service.expectEmail(renter.email, /LT123456/);
    await bookTool(service);

    expect(await service.noticesOf(owner)).toHaveLength(1);
    expect(service.emailsTo(renter.email).filter((e) => /LT1/.test(e.subject))).toHaveLength(1);
  });

  it('dead-letters an unreadable message and continues', async () => {
    await service.broker.sendRaw(queue, '{}');

    await bookTool(service);

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
