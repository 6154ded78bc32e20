import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated } from '@lendtools/testing';
import {
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
});
