import { randomUUIDv7 } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { armFault } from '@lendtools/service-kit';
import { bookingCreated, waitFor } from '@lendtools/testing';
import mongoose, { type Connection } from 'mongoose';
import {
  bookTool,
  messageSent,
  type NotificationsService,
  startNotificationsService,
} from '../../test/notifications-service.ts';

let service: NotificationsService;
let database: Connection;
beforeAll(async () => {
  service = await startNotificationsService({ MESSAGE_MAIL_DELAY_SECONDS: '1' });
  database = await mongoose.createConnection(service.databaseUrl).asPromise();
});
afterEach(() => armFault(undefined));
afterAll(async () => {
  await database.close();
  await service.stop();
});

const logged = (address: string, status: string) =>
  waitFor(`an email that is ${status}`, () =>
    database.collection('emails').findOne({ 'to.address': address, status }),
  );

/** As if a person's notices were so much older. */
const makeOlder = async (hours: number, userId: string): Promise<void> => {
  const notices = database.collection('notices');
  for (const { _id, createdAt } of await notices.find({ userId }).toArray()) {
    const earlier = new Date(createdAt.getTime() - hours * 3_600_000);
    await notices.updateOne({ _id }, { $set: { createdAt: earlier } });
  }
};

describe('the email log', () => {
  it('while the mail server is down, keeps its emails, and sends them once it is back', async () => {
    await service.smtp.stop();
    const { email } = await service.introduce('Rita');
    await waitFor('a failed attempt', () =>
      database.collection('emails').findOne({ 'to.address': email, attempts: { $gt: 1 } }),
    );

    await service.smtp.start();

    await service.expectEmail(email, /Welcome/);
    expect((await logged(email, 'sent')).error).toBeNull();
    expect(service.emailsTo(email)).toHaveLength(1);
  });

  it('tries again what is refused for now, and gives up what has no mailbox', async () => {
    service.smtp.refuse = 451;
    const later = await service.introduce('Rita');
    await service.expectEmail(later.email, /Welcome/);

    service.smtp.refuse = 550;
    const never = await service.introduce('Rita');
    const failed = await logged(never.email, 'failed');

    expect(service.emailsTo(never.email)).toEqual([]);
    expect(failed).toMatchObject({ attempts: 1 });
    expect(failed).not.toHaveProperty('text');
  });

  it('gives up a link that is too old to work', async () => {
    const request = { userId: randomUUIDv7(), email: 'late@example.com', firstName: 'Rita' };
    await service.smtp.stop();

    await service.broker.send({
      ...(await service.broker.sendNew('RoleChanged', { userId: request.userId, role: 'User' })),
      id: randomUUIDv7(),
      type: 'PasswordResetRequested',
      occurredAt: new Date(Date.now() - 31 * 60_000).toISOString(),
      data: { ...request, token: 'secret' },
    });

    const failed = await logged(request.email, 'failed');
    expect(JSON.stringify(failed)).not.toContain('secret');
    await service.smtp.start();
  });

  it('drops a link that ended before its first try, and counts it', async () => {
    const request = { userId: randomUUIDv7(), email: 'too-late@example.com', firstName: 'Rita' };
    const countOf = async () => {
      const metrics = await (await fetch(`${service.running.url}/metrics`)).text();
      return Number(/^late_emails_total\{.*\} (\d+)/m.exec(metrics)?.[1]);
    };
    const before = await countOf();

    await service.broker.send({
      ...newEvent(
        'EmailChangeRequested',
        { id: request.userId, version: 2 },
        {
          userId: request.userId,
          firstName: 'Rita',
          oldEmail: 'old@example.com',
          newEmail: request.email,
          token: 'secret',
        },
      ),
      occurredAt: new Date(Date.now() - 25 * 3_600_000).toISOString(),
    });

    const failed = await logged(request.email, 'failed');
    await service.expectEmail('old@example.com', /about to change/);
    expect(service.emailsTo(request.email)).toEqual([]);
    expect(failed).toMatchObject({
      attempts: 1,
      error: expect.stringMatching(/^It came too late/),
    });
    expect(JSON.stringify(failed)).not.toContain('secret');
    expect(await countOf()).toBe(before + 1);
  });

  it('with several replicas, sends each email once', async () => {
    const replica = await service.startReplica();

    const people = await Promise.all(Array.from({ length: 20 }, () => service.introduce('Rita')));
    for (const { email } of people) await logged(email, 'sent');

    await replica.stop();
    const counts = people.map(({ email }) => service.emailsTo(email).length);
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  it('after a death between the sending and its mark, sends again under the same id', async () => {
    armFault('email.afterSend:1:throw');

    const { email } = await service.introduce('Rita');
    await service.expectEmail(email, /Welcome/);
    const theLeaseIsOver = { $set: { dueAt: new Date() } };
    await database.collection('emails').updateOne({ 'to.address': email }, theLeaseIsOver);
    await logged(email, 'sent');

    const ids = service.emailsTo(email).map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('sends no email of a message that was read meanwhile', async () => {
    const { owner, renter, booking } = await bookTool(service);

    await service.broker.sendNew(
      'MessageSent',
      messageSent({ bookingId: booking.bookingId, fromUserId: renter.id, toUserId: owner.id }),
    );
    const [notice] = await service.expectNotices(owner, 2);
    const path = `/api/user/${owner.id}/notifications/${notice?.id}/read`;
    await service.http.put(path, { token: owner.token });

    await logged(owner.email, 'unneeded');
    expect(service.emailsTo(owner.email).some(({ subject }) => /wrote/.test(subject))).toBe(false);
  });

  it('sends the email of a later message when only the earlier one was read', async () => {
    const { owner, renter, booking } = await bookTool(service);
    const said = messageSent({
      bookingId: booking.bookingId,
      fromUserId: renter.id,
      toUserId: owner.id,
    });

    await service.broker.sendNew('MessageSent', said);
    const [first] = await service.expectNotices(owner, 2);
    await service.broker.sendNew('ReplySent', { ...said, replyId: randomUUIDv7(), text: 'Hello?' });
    await service.expectNotices(owner, 3);
    const path = `/api/user/${owner.id}/notifications/${first?.id}/read`;
    await service.http.put(path, { token: owner.token });

    const { text } = await service.expectEmail(owner.email, /wrote to you/);
    expect(text).toContain('Hello?');
    await logged(owner.email, 'unneeded');
  });

  it('mails an unread conversation once a day, however often somebody writes', async () => {
    const { owner, renter, booking } = await bookTool(service);
    const parties = { bookingId: booking.bookingId, fromUserId: renter.id, toUserId: owner.id };
    const decided = {
      'to.address': owner.email,
      unlessRead: { $ne: null },
      finishedAt: { $ne: null },
    };
    const texts = ['at first', '20 hours later', '40 hours later'];

    for (const [before, text] of texts.entries()) {
      await service.broker.sendNew('MessageSent', messageSent({ ...parties, text }));
      await waitFor('the email to be sent or not', async () => {
        return (await database.collection('emails').countDocuments(decided)) > before;
      });
      await makeOlder(20, owner.id);
    }

    const mailed = service.emailsTo(owner.email).filter(({ subject }) => /wrote/.test(subject));
    expect(mailed.map(({ text }) => /“(.*)”/.exec(text)?.[1])).toEqual([
      'at first',
      '40 hours later',
    ]);
  });

  it('lets no name or tool smuggle in a header, a recipient or markup', async () => {
    const nasty = 'Drill\r\nBcc: victim@example.com\r\n\r\n<img src=x onerror=alert(1)>';
    const owner = await service.introduce('Olga <victim@example.com>,\r\nBcc: victim@example.com');
    const renter = await service.introduce('Rita" <victim@example.com>, "x');

    const parties = { ownerId: owner.id, renterId: renter.id };
    await service.broker.sendNew('BookingCreated', bookingCreated({ ...parties, toolName: nasty }));

    const emails = [
      await service.expectEmail(owner.email, /just been booked/),
      await service.expectEmail(renter.email, /LT123456/),
    ];
    expect(emails.map(({ to }) => to)).toEqual([[owner.email], [renter.email]]);
    for (const { raw, html } of emails) {
      const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
      expect(headers).not.toMatch(/^(?:Bcc|Cc):/im);
      expect(html).not.toContain('<img');
    }
  });

  it.each([
    'a@b.c, victim@example.com',
    'list:a@b.c;',
    'a(comment)@b.c',
    'a@b.c\r\nDATA',
    '"a b"@c',
  ])('never hands over the address %j', async (email) => {
    await service.introduce('Rita', { email });

    const failed = await logged(email, 'failed');

    expect(failed.error).toBe('The address is malformed');
  });
});
