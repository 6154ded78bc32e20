import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { accountRegistered, waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-people-when-payment-changed';

let service: NotificationsService;
let admin: TestPerson;
let second: TestPerson;
beforeAll(async () => {
  service = await startNotificationsService();
  admin = await service.addPerson('Ada', { role: 'Admin' });
  second = await service.addPerson('Alan', { role: 'Admin' });
});
afterAll(() => service.stop());

interface StoredRole {
  _id: string;
  role: 'User' | 'Admin';
  disabled?: boolean;
}
type Changed = EventData<'BookingPaymentChanged'>;
const drill = { toolName: 'Cordless drill', bookingCode: 'LT123456' };
const booking = () => ({
  ...drill,
  bookingId: randomUUIDv7(),
  toolId: randomUUIDv7(),
  ownerId: randomUUIDv7(),
  isCancelled: false,
});

const changed = (overrides: Partial<Changed> = {}): Changed => ({
  paymentId: randomUUIDv7(),
  renterId: randomUUIDv7(),
  change: {
    kind: 'dispute',
    cents: 4_800,
    state: 'open',
    reason: 'product_not_received',
    answerBy: '2099-12-04T15:00:00.000Z',
  },
  bookings: [booking()],
  ...overrides,
});

const noticeAbout = (person: TestPerson, bookingId: string | null) =>
  waitFor('the notice', async () =>
    (await service.noticesOf(person)).find((notice) => notice.bookingId === bookingId),
  );

describe(queue, () => {
  it('notifies only the admins of a dispute, in the app and by email', async () => {
    const renter = await service.addPerson('Rita');
    const data = changed({ renterId: renter.id });
    const bookingId = data.bookings[0]?.bookingId ?? '';

    await service.broker.sendNew('BookingPaymentChanged', data);

    for (const one of [admin, second]) {
      expect(await noticeAbout(one, bookingId)).toMatchObject({
        kind: 'dispute',
        message:
          '$48.00 for Cordless drill (LT123456) is in dispute (product not received): the bank has taken ' +
          'the money back. Please submit evidence in Stripe’s dashboard by Fri, Dec 4, 3:00 PM UTC.',
      });
      const email = await service.expectEmail(one.email, /^A payment is in dispute: \$48\.00$/);
      expect(email.text).toContain('/admin/disputes');
    }
    expect(await service.noticesOf(renter)).toEqual([]);
  });

  it.each([
    ['inquiry', /^A bank asks about/],
    ['won', /over, and the money is yours/],
    ['lost', /is lost: the bank gave the money/],
  ] as const)('reports the outcome of a dispute: %s', async (state, words) => {
    const dispute = { kind: 'dispute', cents: 100, state, reason: 'fraudulent' } as const;
    const change = { ...dispute, answerBy: null };
    const data = changed({ change });

    await service.broker.sendNew('BookingPaymentChanged', data);

    const notice = await noticeAbout(admin, data.bookings[0]?.bookingId ?? '');
    expect(notice.message).toMatch(words);
  });

  it('lists the bookings that a lost dispute cancelled, and those that the admins have to decide on', async () => {
    const dispute = { kind: 'dispute', cents: 100, state: 'lost', reason: 'fraudulent' } as const;
    const change = { ...dispute, answerBy: null };
    const ladder = { ...booking(), toolName: 'Ladder', bookingCode: 'LT654321' };
    const bookings = [
      { ...booking(), isCancelled: true },
      { ...ladder, isCancelled: false },
    ];

    await service.broker.sendNew('BookingPaymentChanged', changed({ change, bookings }));

    const notice = await noticeAbout(admin, bookings[0]?.bookingId ?? '');
    expect(notice.message).toBe(
      'The dispute over $1.00 for Cordless drill (LT123456) and Ladder (LT654321) is lost: the bank gave the money to ' +
        'the cardholder. Cordless drill (LT123456): cancelled, without a refund. Ladder (LT654321): not cancelled, so ' +
        'please decide what to do.',
    );
  });

  it('states that the bank decides a dispute that has no deadline for evidence', async () => {
    const dispute = { kind: 'dispute', cents: 100, state: 'open', reason: 'general' } as const;
    const data = changed({ change: { ...dispute, answerBy: null } });

    await service.broker.sendNew('BookingPaymentChanged', data);

    const notice = await noticeAbout(admin, data.bookings[0]?.bookingId ?? '');
    expect(notice.message).toContain('There is no evidence to submit: the bank decides.');
  });

  it('notifies the renter and the admins of a refund made in the Stripe dashboard, and names all tools of the cart', async () => {
    const renter = await service.addPerson('Rita');
    const bookings = [booking(), { ...booking(), toolName: 'Ladder', bookingCode: 'LT654321' }];
    const refund = { kind: 'refund', cents: 1_000, outcome: 'refunded' } as const;
    const change = { ...refund, refundId: 're_7' };

    await service.broker.sendNew(
      'BookingPaymentChanged',
      changed({ renterId: renter.id, change, bookings }),
    );

    const [notice] = await service.expectNotices(renter, 1);
    expect(notice).toMatchObject({
      kind: 'booking-refunded',
      message: '$10.00 of what you paid for Cordless drill and Ladder goes back to your card.',
    });
    const { files } = await service.expectEmail(renter.email, /^\$10\.00 goes back to your card$/);
    expect(files).toMatchObject([{ content: 'credit note of re_7' }]);
    expect(await noticeAbout(admin, bookings[0]?.bookingId ?? '')).toMatchObject({
      message:
        '$10.00 for Cordless drill (LT123456) and Ladder (LT654321) was refunded in Stripe’s dashboard.',
    });
  });

  it('notifies only the admins of a failed refund, and names the payment if there is no booking', async () => {
    const renter = await service.addPerson('Rita');
    const change = { kind: 'refund', cents: 1_000, outcome: 'failed' } as const;
    const data = changed({ renterId: renter.id, change, bookings: [] });

    await service.broker.sendNew('BookingPaymentChanged', data);

    const notice = await noticeAbout(admin, null);
    expect(notice.message).toContain(data.paymentId);
    expect(await service.noticesOf(renter)).toEqual([]);
  });

  it('notifies only the admins of a payment for which no booking could be made', async () => {
    const renter = await service.addPerson('Rita');
    const data = changed({
      renterId: renter.id,
      change: { kind: 'unsettled', cents: 4_800, toolNames: ['Cordless drill'] },
      bookings: [],
    });

    await service.broker.sendNew('BookingPaymentChanged', data);

    const notice = await waitFor('the notice', async () =>
      (await service.noticesOf(admin)).find(({ message }) => message.includes(data.paymentId)),
    );
    expect(notice.message).toMatch(
      /^\$48\.00 for Cordless drill was paid and could not be booked, again and again\./,
    );
    await service.expectEmail(admin.email, /^A payment could not be booked: \$48\.00$/);
    expect(await service.noticesOf(renter)).toEqual([]);
  });

  it('sends the emails about payments to the current admins', async () => {
    const demoted = await service.addPerson('Dora', { role: 'Admin' });
    const disabled = await service.addPerson('Dirk', { role: 'Admin' });
    const profile = accountRegistered({ userId: demoted.id, role: 'User' });
    await service.broker.sendNew('AccountUpdated', profile, { id: demoted.id, version: 2 });
    const off = { userId: disabled.id, disabled: true };
    await service.broker.sendNew('AccountDisabled', off, { id: disabled.id, version: 2 });
    const promoted = await service.addPerson('Petra');
    const now = accountRegistered({ userId: promoted.id, role: 'Admin', email: promoted.email });
    await service.broker.sendNew('AccountUpdated', now, { id: promoted.id, version: 2 });

    await waitFor('the roles', async () => {
      const roles = service.database.collection<StoredRole>('roles');
      const [first, second, third] = await Promise.all(
        [demoted, disabled, promoted].map(({ id }) => roles.findOne({ _id: id })),
      );
      return first?.role === 'User' && second?.disabled && third?.role === 'Admin';
    });

    const dispute = { kind: 'dispute', cents: 1, state: 'lost', reason: 'fraudulent' } as const;
    const change = { ...dispute, answerBy: null };
    await service.broker.sendNew('BookingPaymentChanged', changed({ change }));
    await service.expectEmail(promoted.email, /lost: \$0\.01/);

    const others = [demoted, disabled].flatMap(({ email }) => service.emailsTo(email));
    expect(others.filter(({ subject }) => /lost/.test(subject))).toEqual([]);
  });

  it('notifies finance admins, and no support admins', async () => {
    const finance = await service.addPerson('Fay', { role: 'User', adminRole: 'Finance' });
    const support = await service.addPerson('Sue', { role: 'User', adminRole: 'Support' });
    const dispute = { kind: 'dispute', cents: 2, state: 'lost', reason: 'fraudulent' } as const;

    const change = { ...dispute, answerBy: null };
    await service.broker.sendNew('BookingPaymentChanged', changed({ change }));

    await service.expectEmail(finance.email, /lost: \$0\.02/);
    await service.expectEmail(admin.email, /lost: \$0\.02/);
    const others = service.emailsTo(support.email).filter(({ subject }) => /lost/.test(subject));
    expect(others).toEqual([]);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      const change = { kind: 'refund', cents: 1_000, outcome: 'refunded' } as const;
      return {
        send: () =>
          service.broker.sendNew('BookingPaymentChanged', changed({ renterId: renter.id, change })),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /goes back/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});

describe('notifications.sync-admins', () => {
  it('keeps the newest role and the newest disabled flag when events are out of order', async () => {
    const id = randomUUIDv7();
    const email = `${id}@example.com`;
    const disabled = (is: boolean, version: number) =>
      service.broker.sendNew('AccountDisabled', { userId: id, disabled: is }, { id, version });
    await disabled(false, 3);
    await disabled(true, 2);
    const profile = accountRegistered({ userId: id, role: 'Admin', email });
    await service.broker.sendNew('AccountRegistered', profile, { id, version: 1 });

    await waitFor('the notice to the admin', async () => {
      await service.broker.sendNew('BookingPaymentChanged', changed());
      return service.emailsTo(email).length > 0;
    });

    expect(await service.broker.countDead('notifications.sync-admins')).toBe(0);
  });

  it('dead-letters an unreadable message', async () => {
    const queueOfAdmins = 'notifications.sync-admins';

    await service.broker.sendRaw(queueOfAdmins, 'nonsense');

    await waitFor('it', async () => (await service.broker.countDead(queueOfAdmins)) === 1);
  });
});
