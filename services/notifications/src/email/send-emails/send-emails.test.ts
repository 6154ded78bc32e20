import { randomUUIDv7 } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { armFault, createLogger } from '@lendtools/service-kit';
import { bookingCreated, metricIn, waitFor } from '@lendtools/testing';
import mongoose, { type Connection } from 'mongoose';
import {
  bookTool,
  messageSent,
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';
import type { QueuedEmail } from '../../store/email-repository.ts';
import { createEmailSender } from './send-emails.ts';

let service: NotificationsService;
let database: Connection;
beforeAll(async () => {
  service = await startNotificationsService({ MESSAGE_MAIL_DELAY_SECONDS: '3600' });
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

const emailCounts = async () => {
  const { body } = await service.http.get('/metrics');
  const count = (status: string) => metricIn(body, 'emails_total', { status });
  return { sent: count('sent'), delayed: count('delayed'), failed: count('failed') };
};

const endTheWait = (address: string) => {
  const isWaiting = { unlessRead: { $ne: null }, dueAt: { $gt: new Date(Date.now() + 1_800_000) } };
  return database
    .collection('emails')
    .updateMany({ 'to.address': address, ...isWaiting }, { $set: { dueAt: new Date() } });
};

const makeOlder = async (hours: number, userId: string): Promise<void> => {
  const notices = database.collection('notices');
  for (const { _id, createdAt } of await notices.find({ userId }).toArray()) {
    const earlier = new Date(createdAt.getTime() - hours * 3_600_000);
    await notices.updateOne({ _id }, { $set: { createdAt: earlier } });
  }
};

const email = {
  _id: 'event-1:welcome:rita@example.com',
  attempts: 1,
  unlessRead: null,
  giveUpAt: new Date('2100-01-01'),
  subject: 'Welcome',
  html: 'Rita',
  text: 'Rita',
  to: { name: 'Rita Rentersdottir', address: 'rita@example.com' },
};

const queued = { ...email, id: email._id, unlessRead: undefined };

describe('the sender of queued emails', () => {
  it('keeps emails while the mail server is down, and sends them once it is up again', async () => {
    await service.smtp.stop();
    const { email } = await service.addPerson('Rita');
    await waitFor('a failed attempt', () =>
      database.collection('emails').findOne({ 'to.address': email, attempts: { $gt: 1 } }),
    );

    await service.smtp.start();

    await service.expectEmail(email, /Welcome/);
    expect((await logged(email, 'sent')).error).toBeNull();
    expect(service.emailsTo(email)).toHaveLength(1);
  });

  it('retries an email after a temporary rejection, and gives up if the mailbox does not exist', async () => {
    const before = await emailCounts();
    service.smtp.reject = 451;
    const later = await service.addPerson('Rita');
    await service.expectEmail(later.email, /Welcome/);

    service.smtp.reject = 550;
    const never = await service.addPerson('Rita');
    const failed = await logged(never.email, 'failed');

    expect(service.emailsTo(never.email)).toEqual([]);
    expect(failed).toMatchObject({ attempts: 1 });
    expect(failed).not.toHaveProperty('text');
    const counts = await emailCounts();
    expect(counts.delayed).toBeGreaterThan(before.delayed);
    expect(counts.failed).toBe(before.failed + 1);
    expect(counts.sent).toBeGreaterThan(before.sent);
  });

  it('retries an email while its receipt cannot be read', async () => {
    service.paymentsOutage.requests = 2;
    const { renter } = await bookTool(service, { paymentIds: [randomUUIDv7()] });

    const { files } = await service.expectEmail(renter.email, /LT123456/);

    expect(files).toHaveLength(1);
    expect(await logged(renter.email, 'sent')).toMatchObject({ error: null });
    expect(service.emailsTo(renter.email).filter((one) => /LT1/.test(one.subject))).toHaveLength(1);
  });

  it('sends an email without its receipt after five minutes', async () => {
    service.paymentsOutage.requests = Number.POSITIVE_INFINITY;
    const { renter } = await bookTool(service, { paymentIds: [randomUUIDv7()] });
    const waiting = { 'to.address': renter.email, receipts: { $exists: true } };
    await waitFor('a failed attempt', () =>
      database.collection('emails').findOne({ ...waiting, attempts: { $gt: 1 } }),
    );
    expect(service.emailsTo(renter.email).filter((one) => /LT1/.test(one.subject))).toEqual([]);

    const fiveMinutesAgo = new Date(Date.now() - 300_001);
    await database.collection('emails').updateOne(waiting, { $set: { queuedAt: fiveMinutesAgo } });

    expect((await service.expectEmail(renter.email, /LT123456/)).files).toEqual([]);
    service.paymentsOutage.requests = 0;
  });

  it('gives up an email when its link expires', async () => {
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

  it('drops and counts an email whose link expired before the first attempt', async () => {
    const request = { userId: randomUUIDv7(), email: 'too-late@example.com', firstName: 'Rita' };
    const countOf = async () => {
      const metrics = await (await fetch(`${service.running.url}/metrics`)).text();
      return metricIn(metrics, 'late_emails_total');
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
          oldEmailVerified: false,
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

  it("writes no recipient's address into the process log", async () => {
    const lines: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    const late = { giveUpAt: new Date(0) };
    const waiting = [email, { ...email, ...late }, { ...email }];
    const sender = createEmailSender({
      logger,
      notices: {} as never,
      preferences: {} as never,
      readReceipts: async () => [],
      transport: {
        async send({ to }) {
          const rejected = [to.address];
          throw Object.assign(new Error(`550 ${to.address} is unknown`), { rejected });
        },
        close() {},
      },
      emails: {
        queue: async () => waiting.pop(),
        claim: async () => waiting.pop(),
        tryLater: async () => {},
        giveUp: async () => {},
      } as never,
    });

    for (const _ of [1, 2, 3]) await sender.queue(queued);
    await waitFor('the emails', () => waiting.length === 0);
    await sender.stop();

    const written = lines.join('');
    expect(written).toContain('"email":"event-1:welcome"');
    expect(written).toContain('came too late');
    expect(written).not.toMatch(/rita|rentersdottir/i);
  });

  it('claims up to twenty emails while queuing them, and runs one query for each further email', async () => {
    let calls = 0;
    const sent: string[] = [];
    const inLog: (typeof email)[] = [];
    const go = Promise.withResolvers<void>();
    const sender = createEmailSender({
      logger: createLogger('test', 'silent'),
      notices: {} as never,
      preferences: {} as never,
      readReceipts: async () => [],
      transport: {
        async send({ _id }) {
          await go.promise;
          sent.push(_id);
        },
        close() {},
      },
      emails: {
        async queue({ id: _id }: QueuedEmail, { claim }: { claim: boolean }) {
          if (claim) return { ...email, _id };
          inLog.push({ ...email, _id });
        },
        async claim() {
          calls++;
          return inLog.pop();
        },
        finish: async () => {},
      } as never,
    });
    const ids = Array.from({ length: 23 }, (_, n) => `event-${n}:welcome:rita@example.com`);

    await Promise.all(ids.map((id) => sender.queue({ ...queued, id })));
    const left = inLog.length;
    go.resolve();
    await waitFor('the emails', () => sent.length === 23);
    await sender.stop();

    expect(left).toBe(3);
    expect(calls).toBe(3);
    expect(new Set(sent)).toEqual(new Set(ids));
  });

  it('releases the claimed emails that are still waiting when it stops', async () => {
    const begun: string[] = [];
    const givenBack: string[] = [];
    const slow = Promise.withResolvers<void>();
    const sender = createEmailSender({
      logger: createLogger('test', 'silent'),
      notices: {} as never,
      preferences: {} as never,
      readReceipts: async () => [],
      transport: {
        async send({ _id }) {
          begun.push(_id);
          await slow.promise;
        },
        close() {},
      },
      emails: {
        queue: async ({ id: _id }: QueuedEmail) => ({ ...email, _id }),
        claim: async () => undefined,
        finish: async () => {},
        tryLater: async ({ _id }: typeof email) => void givenBack.push(_id),
      } as never,
    });

    for (const id of ['1', '2', '3', '4', '5', '6']) await sender.queue({ ...queued, id });
    await waitFor('four to begin', () => begun.length === 4);
    const stopped = sender.stop();
    slow.resolve();
    await stopped;
    await sender.queue({ ...queued, id: '7' });

    expect(begun).toEqual(['1', '2', '3', '4']);
    expect(givenBack).toEqual(['5', '6', '7']);
  });

  it('keeps sending emails while a slow mail server blocks three of its four connections', async () => {
    const [begun, sent]: [string[], string[]] = [[], []];
    const slow = Promise.withResolvers<void>();
    const sender = createEmailSender({
      logger: createLogger('test', 'silent'),
      notices: {} as never,
      preferences: {} as never,
      readReceipts: async () => [],
      transport: {
        async send({ _id }) {
          begun.push(_id);
          if (_id.startsWith('slow')) await slow.promise;
          sent.push(_id);
        },
        close() {},
      },
      emails: {
        queue: async ({ id: _id }: QueuedEmail) => ({ ...email, _id }),
        claim: async () => undefined,
        finish: async () => {},
      } as never,
    });
    const add = (id: string): Promise<void> => sender.queue({ ...queued, id });

    for (const id of ['slow-1', 'slow-2', 'slow-3']) {
      await add(id);
      await waitFor(`${id} to begin`, () => begun.includes(id));
    }
    await add('quick-1');
    await waitFor('the quick one', () => sent.includes('quick-1'));
    for (const id of ['slow-4', 'quick-2']) await add(id);
    await waitFor('the last lane to be taken', () => begun.includes('slow-4'));
    const sentMeanwhile = [...sent];
    slow.resolve();
    await waitFor('all of them', () => sent.length === 6);
    await sender.stop();

    expect(sentMeanwhile).toEqual(['quick-1']);
  });

  it('sends each email once with several replicas', async () => {
    const replica = await service.startReplica();

    const people = await Promise.all(Array.from({ length: 20 }, () => service.addPerson('Rita')));
    for (const { email } of people) await logged(email, 'sent');

    await replica.stop();
    const counts = people.map(({ email }) => service.emailsTo(email).length);
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  it('reuses a few connections for many emails', async () => {
    const before = service.smtp.connections;

    const people = await Promise.all(Array.from({ length: 20 }, () => service.addPerson('Rita')));
    for (const { email } of people) await logged(email, 'sent');

    expect(service.smtp.connections - before).toBeLessThanOrEqual(4);
  });

  it('repeats an email under the same Message-ID if a crash prevents it from being marked as sent', async () => {
    armFault('email.afterSend:1:throw');

    const { email } = await service.addPerson('Rita');
    await service.expectEmail(email, /Welcome/);
    const theLeaseIsOver = { $set: { dueAt: new Date() } };
    await database.collection('emails').updateOne({ 'to.address': email }, theLeaseIsOver);
    await logged(email, 'sent');

    const ids = service.emailsTo(email).map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('sends no email about a message that is read before the email is due', async () => {
    const { owner, renter, booking } = await bookTool(service);

    await service.broker.sendNew(
      'MessageSent',
      messageSent({ bookingId: booking.bookingId, fromUserId: renter.id, toUserId: owner.id }),
    );
    const [notice] = await service.expectNotices(owner, 2);
    const path = `/api/user/${owner.id}/notifications/${notice?.id}/read`;
    await service.http.put(path, { token: owner.token });
    await endTheWait(owner.email);

    await logged(owner.email, 'unneeded');
    expect(service.emailsTo(owner.email).some(({ subject }) => /wrote/.test(subject))).toBe(false);
  });

  it('sends the email of a later message if only the earlier one was read', async () => {
    const { owner, renter, booking } = await bookTool(service);
    const message = messageSent({
      bookingId: booking.bookingId,
      fromUserId: renter.id,
      toUserId: owner.id,
    });

    await service.broker.sendNew('MessageSent', message);
    const [first] = await service.expectNotices(owner, 2);
    await service.broker.sendNew('ReplySent', {
      ...message,
      replyId: randomUUIDv7(),
      text: 'Hello?',
    });
    await service.expectNotices(owner, 3);
    const path = `/api/user/${owner.id}/notifications/${first?.id}/read`;
    await service.http.put(path, { token: owner.token });
    await endTheWait(owner.email);

    const { text } = await service.expectEmail(owner.email, /wrote to you/);
    expect(text).toContain('Hello?');
    await logged(owner.email, 'unneeded');
  });

  it('sends one email a day about an unread thread, however many messages it has', async () => {
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
        await endTheWait(owner.email);
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

  it('does not let names of users or tools inject headers, recipients or markup', async () => {
    const nasty = 'Drill\r\nBcc: victim@example.com\r\n\r\n<img src=x onerror=alert(1)>';
    const owner = await service.addPerson('Olga <victim@example.com>,\r\nBcc: victim@example.com');
    const renter = await service.addPerson('Rita" <victim@example.com>, "x');

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
  ])('never passes the invalid address %j to the mail server', async (email) => {
    await service.addPerson('Rita', { email });

    const failed = await logged(email, 'failed');

    expect(failed.error).toBe('The address is malformed');
  });
});
