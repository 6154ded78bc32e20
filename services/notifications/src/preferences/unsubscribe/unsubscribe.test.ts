import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated, waitFor } from '@lendtools/testing';
import {
  messageSent,
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';
import type { SunkEmail } from '../../../test/smtp-sink.ts';
import { readUnsubscribeToken, unsubscribeUrl } from '../unsubscribe-link.ts';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

/** Sends the owner of a booking a message, and returns the email about it. */
const emailAboutMessage = async () => {
  const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
  const booking = bookingCreated({ ownerId: owner.id, renterId: renter.id });
  await service.broker.sendNew('BookingCreated', booking);
  const parties = { fromUserId: renter.id, toUserId: owner.id };
  const message = messageSent({ bookingId: booking.bookingId, ...parties });
  await service.broker.sendNew('MessageSent', message);
  const email = await service.expectEmail(owner.email, /wrote to you/);
  return { owner, renter, message, email };
};

const header = ({ raw }: SunkEmail, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'mi').exec(raw.replace(/\r\n[ \t]+/g, ' '))?.[1]?.trim();

const linkOf = (email: SunkEmail): string => header(email, 'List-Unsubscribe')?.slice(1, -1) ?? '';

const post = (query: string, init: RequestInit = {}) =>
  fetch(`${service.running.url}/api/unsubscribe${query}`, { method: 'POST', ...init });

const emailsWantedBy = async ({ id, token }: TestPerson) =>
  (await service.http.get(`/api/user/${id}/preferences`, { token })).body.preferences.emails;

describe('an email that users can turn off', () => {
  it('has the headers of RFC 8058, and the same link in its footer', async () => {
    const { email } = await emailAboutMessage();

    const link = linkOf(email);
    expect(link).toMatch(/^https?:\/\/[^/]+\/unsubscribe\?token=[\w.-]+$/);
    expect(header(email, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(email.html).toMatch(/>Stop emails about messages<\/a>/);
    expect(email.html).toContain(`<a href="${link}"`);
  });

  it('differs from one that is always sent, which has neither', async () => {
    const { renter } = await emailAboutMessage();

    const email = await service.expectEmail(renter.email, /booked/);

    expect(header(email, 'List-Unsubscribe')).toBeUndefined();
    expect(header(email, 'List-Unsubscribe-Post')).toBeUndefined();
    expect(email.html).not.toContain('/unsubscribe');
  });

  it('is not sent once its user has unsubscribed', async () => {
    const { owner, email, message } = await emailAboutMessage();
    await service.http.put(`/api/user/${owner.id}/notifications/read-all`, { token: owner.token });

    await post(new URL(linkOf(email)).search);
    await service.broker.sendNew('MessageSent', message);

    await waitFor('the email to be dropped', async () => {
      const dropped = { userId: owner.id, status: 'unneeded', topic: 'messages' };
      return (await service.database.collection('emails').countDocuments(dropped)) === 1;
    });
    expect((await service.noticesOf(owner))[0]).toMatchObject({ kind: 'message', readAt: null });
  });
});

describe('POST /api/unsubscribe', () => {
  it.each([
    ['a form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
    [
      'a multipart form',
      (() => {
        const form = new FormData();
        form.set('List-Unsubscribe', 'One-Click');
        return form;
      })(),
    ],
    ['nothing', undefined],
  ])('turns off the emails about that topic, with %s as its body', async (_, body) => {
    const { owner, email } = await emailAboutMessage();
    const { search } = new URL(linkOf(email));

    const reply = await post(search, body && { body });
    const again = await post(search, body && { body });

    expect(await reply.json()).toEqual({ topic: 'messages' });
    expect(again.status).toBe(200);
    expect(await emailsWantedBy(owner)).toEqual({
      renting: true,
      lending: true,
      messages: false,
      reminders: true,
      payouts: true,
    });
  });

  it('rejects a link that was changed, shortened or never signed', async () => {
    const { owner, email } = await emailAboutMessage();
    const token = new URL(linkOf(email)).searchParams.get('token') ?? '';
    const { id } = await service.addPerson('Rita');
    const forged = [
      token.replace('.messages.', '.payouts.'),
      token.replace(owner.id, id),
      token.slice(0, -1),
      `${owner.id}.messages.`,
      `${owner.id}.everything.x`,
      'x',
    ];

    for (const each of forged) {
      const reply = await post(`?token=${encodeURIComponent(each)}`);
      expect(await reply.json()).toMatchObject({ status: 400, code: 'UNSUBSCRIBE_LINK_INVALID' });
    }
    expect((await post('')).status).toBe(400);
    expect(Object.values(await emailsWantedBy(owner))).not.toContain(false);
  });

  it('changes nothing when a program opens the link', async () => {
    const { owner, email } = await emailAboutMessage();

    const { status } = await fetch(
      `${service.running.url}/api/unsubscribe${new URL(linkOf(email)).search}`,
    );

    expect(status).toBe(404);
    expect((await emailsWantedBy(owner)).messages).toBe(true);
  });

  it('stores nothing about a deleted user', async () => {
    const { owner, email } = await emailAboutMessage();
    const deleted = { firstName: 'Deleted', email: `${owner.id}@deleted.invalid` };
    await service.database
      .collection<{ _id: string }>('people')
      .updateOne({ _id: owner.id }, { $set: deleted });

    const { status } = await post(new URL(linkOf(email)).search);

    expect(status).toBe(200);
    const stored = service.database.collection<{ _id: string }>('preferences');
    expect(await stored.findOne({ _id: owner.id })).toBeNull();
  });
});

describe('the token of a link', () => {
  const subscription = { userId: '0193', topic: 'messages' } as const;
  const tokenBy = (INTERNAL_SECRET: [string, ...string[]]): string =>
    unsubscribeUrl('https://tools.example', { INTERNAL_SECRET }, subscription).split('=')[1] ?? '';

  it.each<[string, [string, ...string[]], string[], boolean]>([
    ['is one of the internal secrets', ['new', 'old'], [], true],
    ['is an old internal secret', ['new'], ['older', 'old'], true],
    ['is gone', ['new'], ['older'], false],
  ])('is valid while the secret that signed it is known: it %s', (_, secrets, old, isValid) => {
    const settings = { INTERNAL_SECRET: secrets, OLD_INTERNAL_SECRETS: old };

    const read = readUnsubscribeToken(settings, tokenBy(['old']));

    expect(read).toEqual(isValid ? subscription : undefined);
  });
});
