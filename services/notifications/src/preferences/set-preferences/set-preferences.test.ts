import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCancelled, bookingCreated, waitFor } from '@lendtools/testing';
import {
  bookTool,
  messageSent,
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const pathOf = ({ id }: TestPerson) => `/api/user/${id}/preferences`;
const set = (person: TestPerson, body: object) =>
  service.http.put(pathOf(person), { token: person.token, body });

const allOn = {
  emails: { renting: true, lending: true, messages: true, reminders: true, payouts: true },
  notices: { renting: true, lending: true, reminders: true, payouts: true },
};

const allOff = {
  emails: { renting: false, lending: false, messages: false, reminders: false, payouts: false },
  notices: { renting: false, lending: false, reminders: false, payouts: false },
};

const book = async (owner: TestPerson, renter: TestPerson) => {
  const booking = bookingCreated({ ownerId: owner.id, renterId: renter.id });
  await service.broker.sendNew('BookingCreated', booking);
  return booking;
};

describe('GET /api/user/:userId/preferences', () => {
  it('has everything on until the user turns something off', async () => {
    const rita = await service.addPerson('Rita');

    const { status, body } = await service.http.get(pathOf(rita), { token: rita.token });

    expect(status).toBe(200);
    expect(body).toEqual({ preferences: allOn });
  });

  it("rejects another user's preferences with 403", async () => {
    const [rita, olga] = [await service.addPerson('Rita'), await service.addPerson('Olga')];

    const { status } = await service.http.get(pathOf(olga), { token: rita.token });

    expect(status).toBe(403);
  });
});

describe('PUT /api/user/:userId/preferences', () => {
  it('changes only the switches that are sent', async () => {
    const rita = await service.addPerson('Rita');
    await set(rita, { emails: { payouts: false } });

    const { body } = await set(rita, {
      emails: { messages: false, payouts: true },
      notices: { renting: false },
    });

    expect(body.preferences).toEqual({
      emails: { ...allOn.emails, messages: false },
      notices: { ...allOn.notices, renting: false },
    });
    expect((await service.http.get(pathOf(rita), { token: rita.token })).body).toEqual(body);
  });

  it('keeps the changes of concurrent calls', async () => {
    const rita = await service.addPerson('Rita');
    const names = Object.keys(allOn.emails);

    const replies = await Promise.all(
      names.map((topic) => set(rita, { emails: { [topic]: false } })),
    );

    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { body } = await service.http.get(pathOf(rita), { token: rita.token });
    expect(Object.values(body.preferences.emails)).toEqual(names.map(() => false));
  });

  it('rejects a value that is not true or false, and does not turn off notices about messages', async () => {
    const rita = await service.addPerson('Rita');

    const invalid = await set(rita, { emails: { messages: 'no' } });
    const ignored = await set(rita, { notices: { messages: false }, emails: { receipts: false } });

    expect(invalid).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: 'emails.messages' }] },
    });
    expect(ignored.body.preferences).toEqual(allOn);
  });
});

describe('a topic that is off', () => {
  it('stops its emails and notices for that user and that side only', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    await set(owner, { emails: { lending: false }, notices: { lending: false } });

    const booking = await book(owner, renter);
    // The other side of the same events, and another topic of the same user.
    await service.expectNotices(renter, 1);
    await service.expectEmail(renter.email, /booked/);
    const message = messageSent({
      bookingId: booking.bookingId,
      fromUserId: renter.id,
      toUserId: owner.id,
    });
    await service.broker.sendNew('MessageSent', message);

    await service.expectEmail(owner.email, /wrote to you/);
    expect((await service.noticesOf(owner)).map(({ kind }) => kind)).toEqual(['message']);
    const subjects = service.emailsTo(owner.email).map(({ subject }) => subject);
    expect(subjects).not.toContainEqual(expect.stringMatching(/booked/));
  });

  it('does not stop the confirmation of a paid booking', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    await set(renter, { emails: { renting: false }, notices: { renting: false } });

    await book(owner, renter);

    await service.expectEmail(renter.email, /booked/);
    expect(await service.noticesOf(renter)).toEqual([]);
  });
  it('notifies both parties of a cancelled booking although they turned everything off', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const parties = { ownerId: owner.id, renterId: renter.id };
    for (const person of [owner, renter]) await set(person, allOff);

    await service.broker.sendNew(
      'BookingCancelled',
      bookingCancelled({ ...parties, cancelledBy: 'owner' }),
    );
    await service.broker.sendNew(
      'BookingCancelled',
      bookingCancelled({ ...parties, cancelledBy: 'renter' }),
    );

    for (const person of [owner, renter]) {
      const notices = await service.expectNotices(person, 2);
      expect(notices.map(({ kind }) => kind)).toEqual(['booking-cancelled', 'booking-cancelled']);
      await waitFor('both emails', () => {
        const sent = service.emailsTo(person.email);
        return sent.filter(({ subject }) => /^Cancelled/.test(subject)).length === 2;
      });
    }
  });

  it('stops good news about payouts, but no debt, failed payout or change of the account', async () => {
    const { owner, booking } = await bookTool(service);
    await set(owner, allOff);
    const ofBooking = { paymentId: booking.bookingId, bookingId: booking.bookingId };
    const ownerId = owner.id;
    const arrivesAt = '2026-12-04T00:00:00.000Z';
    const payout = { payoutId: 'po_1', ownerId, amountCents: 3_060, arrivesAt };

    await service.broker.sendNew('PayoutReminderDue', { ownerId, state: 'incomplete' });
    await service.broker.sendNew('TransferSent', {
      ...ofBooking,
      transferId: 'tr_1',
      ownerId,
      amountCents: 3_060,
    });
    const [paid, failed] = [
      { ...payout, status: 'paid', failureCode: null },
      { ...payout, status: 'failed', failureCode: 'no_account' },
    ] as const;
    await service.broker.sendNew('PayoutSettled', paid);
    await service.broker.sendNew('PayoutSettled', failed);
    await service.broker.sendNew('DebtIncurred', {
      ...ofBooking,
      ownerId,
      debtCents: 2_700,
      reason: 'refund',
    });
    const stopped = {
      ownerId,
      state: 'not-started',
      needsInformation: false,
      isInReview: false,
      neededBy: null,
      before: { state: 'ready', needsInformation: false },
    } as const;
    await service.broker.sendNew('PayoutAccountChanged', stopped, { id: ownerId, version: 2 });

    await service.expectEmail(owner.email, /^Your payouts have stopped$/);
    await service.expectEmail(owner.email, /^A payout of \$30\.60 failed$/);
    await service.expectEmail(owner.email, /^You owe \$27\.00$/);
    await waitFor('the other emails to be dropped', async () => {
      const dropped = { userId: owner.id, status: 'unneeded', topic: 'payouts' };
      return (await service.database.collection('emails').countDocuments(dropped)) === 3;
    });
    const kinds = (await service.noticesOf(owner)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['debt', 'payouts', 'payouts', 'tool-booked']);
  });
});
