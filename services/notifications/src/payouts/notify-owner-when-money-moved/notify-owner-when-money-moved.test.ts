import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated, waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  bookTool,
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-owner-when-money-moved';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const paymentId = randomUUIDv7();
const payout = (
  { id: ownerId }: TestPerson,
  overrides: Partial<EventData<'PayoutSettled'>> = {},
): EventData<'PayoutSettled'> => ({
  payoutId: 'po_1',
  ownerId,
  amountCents: 3_060,
  status: 'paid',
  arrivesAt: '2026-12-04T00:00:00.000Z',
  failureCode: null,
  ...overrides,
});

const earningsOf = (owner: TestPerson, messages: number) =>
  waitFor(`${messages} notices of money`, async () => {
    const notices = await service.noticesOf(owner);
    const found = notices.filter(({ kind }) => ['earnings', 'debt', 'payouts'].includes(kind));
    return found.length === messages && found;
  });

describe(queue, () => {
  it('notifies only the owner of a transfer, in the app and by email', async () => {
    const { owner, renter, booking } = await bookTool(service);
    const { bookingId } = booking;

    await service.broker.sendNew('TransferSent', {
      transferId: 'tr_1',
      paymentId,
      bookingId,
      ownerId: owner.id,
      amountCents: 3_060,
    });

    const { text } = await service.expectEmail(owner.email, /^We sent you \$30\.60$/);
    const message = 'We sent you $30.60 for Cordless drill. It is on its way to your bank account.';
    expect(await earningsOf(owner, 1)).toMatchObject([{ kind: 'earnings', bookingId, message }]);
    expect(text).toContain(message);
    expect(text).toContain('/user/earnings');
    expect(await earningsOf(renter, 0)).toEqual([]);
    expect(service.emailsTo(renter.email).map(({ subject }) => subject)).not.toContain(
      'We sent you $30.60',
    );
  });

  it('notifies the owner of a payout that was paid', async () => {
    const owner = await service.addPerson('Olga');

    await service.broker.sendNew('PayoutSettled', payout(owner));

    const { text } = await service.expectEmail(owner.email, /^\$30\.60 was paid out$/);
    expect(text).toContain('/user/earnings');
    expect(await earningsOf(owner, 1)).toMatchObject([
      {
        kind: 'earnings',
        bookingId: null,
        message: 'Stripe has paid $30.60 to your bank account.',
      },
    ]);
  });

  it('leads the owner of a failed payout to the bank account', async () => {
    const owner = await service.addPerson('Olga');
    const failed = { status: 'failed', failureCode: 'no_account' } as const;

    await service.broker.sendNew('PayoutSettled', payout(owner, failed));

    const { text } = await service.expectEmail(owner.email, /^A payout of \$30\.60 failed$/);
    expect(text).toContain('/user/get-paid');
    expect(await earningsOf(owner, 1)).toMatchObject([
      { kind: 'payouts', message: expect.stringContaining('(no account)') },
    ]);
  });

  it('explains a debt by email, and its payment only in the app', async () => {
    const { owner, booking } = await bookTool(service);
    const ofBooking = { paymentId, bookingId: booking.bookingId, ownerId: owner.id };

    const incurred = { ...ofBooking, debtCents: 2_700, reason: 'refund' } as const;
    await service.broker.sendNew('DebtIncurred', incurred);
    const { text } = await service.expectEmail(owner.email, /^You owe \$27\.00$/);
    await service.broker.sendNew('DebtPaid', { ...ofBooking, paidCents: 1_000, by: 'netting' });

    expect(text).toContain('keep it from what you earn next');
    const notices = await earningsOf(owner, 2);
    expect(notices.map(({ kind }) => kind)).toEqual(['debt', 'debt']);
    expect(notices.map(({ message }) => message)).toEqual([
      '$10.00 that you owed for Cordless drill was kept from what you have earned since.',
      expect.stringMatching(/^\$27\.00 for Cordless drill goes back to the renter/),
    ]);
    const subjects = service.emailsTo(owner.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /\bowed?\b/.test(subject))).toEqual(['You owe $27.00']);
  });

  it("keeps the tool's name out of an email to an unverified address", async () => {
    const owner = await service.addPerson('Olga', { emailVerified: false });
    const renter = await service.addPerson('Rita');
    const booking = bookingCreated({
      ownerId: owner.id,
      renterId: renter.id,
      toolName: 'Visit me',
    });
    await service.broker.sendNew('BookingCreated', booking);

    await service.broker.sendNew('TransferSent', {
      transferId: 'tr_2',
      paymentId,
      bookingId: booking.bookingId,
      ownerId: owner.id,
      amountCents: 3_060,
    });

    const { text } = await service.expectEmail(owner.email, /^We sent you \$30\.60$/);
    expect(text).not.toContain('Visit me');
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = isSynced ? await service.addPerson('Olga') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('PayoutSettled', payout(owner)),
        countEffects: () =>
          service.emailsTo(owner.email).filter(({ subject }) => /paid out/.test(subject)).length,
        addMissingData: () => service.addPerson('Olga', { userId: owner.id, email: owner.email }),
      };
    },
  );
});
