import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.send-report-emails';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const received = (email: string): EventData<'ReportReceived'> => ({
  reportId: randomUUIDv7(),
  number: 'R-1001',
  about: 'tool',
  reason: 'scam',
  email,
  firstName: '',
});

const answered = (changes: Partial<EventData<'ReportAnswered'>>): EventData<'ReportAnswered'> => ({
  reportId: randomUUIDv7(),
  number: 'R-1001',
  to: 'author',
  userId: null,
  email: 'nobody@example.com',
  firstName: 'Olga',
  emailVerified: true,
  about: 'tool',
  contentId: randomUUIDv7(),
  title: 'Cheap gift cards',
  decision: 'hide',
  replaces: null,
  reason: 'Gift cards are not tools.',
  ...changes,
});

const newAddress = () => `${randomUUIDv7()}@example.com`;

describe(queue, () => {
  it('confirms a report with its number', async () => {
    const email = newAddress();

    await service.broker.sendNew('ReportReceived', received(email));

    const { text } = await service.expectEmail(email, /^We have your report R-1001$/);
    expect(text).toContain('It looks like a scam');
    expect(text).toContain('We never say who reported something.');
  });

  it('answers a reporter without an account with the decision and its reasons, and without the author’s text', async () => {
    const email = newAddress();

    await service.broker.sendNew(
      'ReportAnswered',
      answered({ to: 'reporter', email, firstName: '', emailVerified: false }),
    );

    const { raw, text } = await service.expectEmail(email, /^Our decision on your report R-1001$/);
    expect(text).toContain('We have hidden the tool.');
    expect(text).toContain('Gift cards are not tools.');
    expect(raw + text).not.toContain('Cheap gift cards');
  });

  it('links to the appeal, as long as this side has not appealed', async () => {
    const [first, second] = [newAddress(), newAddress()];

    await service.broker.sendNew('ReportAnswered', answered({ email: first, token: 'a+b' }));
    await service.broker.sendNew('ReportAnswered', answered({ email: second }));

    const open = await service.expectEmail(first, /Cheap gift cards/);
    const final = await service.expectEmail(second, /Cheap gift cards/);
    expect(open.text).toContain('http://lendtools.test/appeal?token=a%2Bb');
    expect(final.text).not.toContain('/appeal');
  });

  it.each([
    ['hide', null, 'We have hidden your tool.'],
    ['warn', null, 'This is a warning about your tool.'],
    ['dismiss', 'hide', 'We have looked at your tool again and show it again.'],
    ['disable', null, 'We have disabled your account.'],
  ] as const)(
    'notifies the author of the decision %s, which replaces %s, by email and notice',
    async (decision, replaces, outcome) => {
      const author = await service.addPerson('Olga');
      const { email, id: userId } = author;

      await service.broker.sendNew(
        'ReportAnswered',
        answered({ userId, email, decision, replaces }),
      );

      const { text } = await service.expectEmail(email, /Cheap gift cards/);
      expect(text).toContain(outcome);
      expect(text).toContain('Gift cards are not tools.');
      const [notice] = await waitFor('the notice', async () => {
        const notices = await service.noticesOf(author);
        return notices.length > 0 && notices;
      });
      expect(notice).toMatchObject({ kind: 'moderation', bookingId: null });
      expect(notice?.message).toContain(outcome);
    },
  );

  it('names the author’s behavior, not their name, if a person was reported', async () => {
    const author = await service.addPerson('Olga');
    const { email, id: userId } = author;

    await service.broker.sendNew(
      'ReportAnswered',
      answered({ userId, email, about: 'person', title: 'Olga Owner', decision: 'warn' }),
    );

    const { text } = await service.expectEmail(email, /^Our decision about your behavior$/);
    expect(text).not.toContain('Olga Owner');
    const [notice] = await waitFor('the notice', async () => {
      const notices = await service.noticesOf(author);
      return notices.length > 0 && notices;
    });
    expect(notice?.message).toMatch(/^This is a warning about your behavior\./);
  });

  testConsumer(
    queue,
    () => service,
    async () => {
      const email = newAddress();
      return {
        send: () => service.broker.sendNew('ReportReceived', received(email)),
        countEffects: () => service.emailsTo(email).length,
      };
    },
  );
});
