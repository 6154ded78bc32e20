import { randomUUIDv7 } from 'node:crypto';
import type { EventData, Notice } from '@lendtools/contracts';
import { type Running, readConfig } from '@lendtools/service-kit';
import {
  accountRegistered,
  bookingCreated,
  type HttpClient,
  httpClient,
  type MongoEnvironment,
  startMongoEnvironment,
  waitFor,
} from '@lendtools/testing';
import { configSchema } from '../src/config.ts';
import { startNotifications } from '../src/start-notifications.ts';
import { type SmtpSink, type SunkEmail, startSmtpSink } from './smtp-sink.ts';

export interface NotificationsService extends MongoEnvironment {
  http: HttpClient;
  running: Running;
  smtp: SmtpSink;
  startReplica(): Promise<Running>;
  /** Creates a person with a verified email; resolves once the service knows them. */
  introduce(firstName: string, overrides?: Partial<Account>): Promise<Acquaintance>;
  /** A person with a token whom the service does not know. */
  meet(): Promise<Acquaintance>;
  noticesOf(person: Acquaintance): Promise<Notice[]>;
  /** Waits until a person has exactly this many notices. */
  expectNotices(person: Acquaintance, count: number): Promise<Notice[]>;
  emailsTo(address: string): SunkEmail[];
  expectEmail(address: string, subject: RegExp): Promise<SunkEmail>;
}

type Account = EventData<'AccountRegistered'>;
export interface Acquaintance {
  id: string;
  email: string;
  token: string;
}

/** Starts notifications with its own database and broker, and an email server that stores what it receives. */
export const startNotificationsService = async (
  env: Record<string, string> = {},
): Promise<NotificationsService> => {
  const [environment, smtp] = await Promise.all([
    startMongoEnvironment([
      'notifications.keep-people',
      'notifications.keep-admins',
      'notifications.tell-parties-when-booking-created',
      'notifications.tell-parties-when-booking-changed',
      'notifications.tell-parties-when-booking-completed',
      'notifications.tell-people-when-problem-changed',
      'notifications.tell-parties-when-request-changed',
      'notifications.tell-parties-when-dates-changed',
      'notifications.remind-owner-when-answer-due',
      'notifications.tell-parties-when-reminder-due',
      'notifications.tell-renter-when-return-undone',
      'notifications.tell-renter-when-payment-refunded',
      'notifications.tell-renter-when-refund-granted',
      'notifications.tell-people-when-payment-changed',
      'notifications.notify-admins-when-payment-at-risk',
      'notifications.tell-owner-when-review-added',
      'notifications.tell-party-when-message-sent',
      'notifications.mail-when-account-needs-it',
    ]),
    startSmtpSink(),
  ]);
  Object.assign(environment.env, {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'LendTools <hello@lendtools.test>',
    MESSAGE_MAIL_DELAY_SECONDS: '0',
    ...env,
  });
  const startReplica = () =>
    startNotifications(readConfig(configSchema, environment.env), {
      topology: environment.topology,
      mailRetryDelaysMs: [50],
    });
  const running = await startReplica();
  const http = httpClient(running.url);
  const service: NotificationsService = {
    ...environment,
    http,
    running,
    smtp,
    startReplica,
    async introduce(firstName, overrides) {
      const account = accountRegistered({ firstName, emailVerified: true, ...overrides });
      const { userId: id, email } = account;
      await environment.broker.sendNew('AccountRegistered', account, { id, version: 1 });
      await waitFor('the person and their role', async () => {
        const stored = await Promise.all(
          ['people', 'roles'].map((name) =>
            environment.database.collection<{ _id: string }>(name).findOne({ _id: id }),
          ),
        );
        return stored.every(Boolean);
      });
      return { id, email, token: await environment.accounts.sign({ userId: id }) };
    },
    async meet() {
      const id = randomUUIDv7();
      const token = await environment.accounts.sign({ userId: id });
      return { id, email: `${id}@example.com`, token };
    },
    async noticesOf({ id, token }) {
      const { body } = await http.get(`/api/user/${id}/notifications`, { token });
      return body.notifications;
    },
    expectNotices: (person, count) =>
      waitFor(`${count} notices`, async () => {
        const notices = await service.noticesOf(person);
        return notices.length === count && notices;
      }),
    emailsTo: (address) => smtp.received.filter(({ to }) => to.includes(address)),
    expectEmail: (address, subject) =>
      waitFor(`an email ${subject} to ${address}`, () =>
        service.emailsTo(address).find((email) => subject.test(email.subject)),
      ),
    async stop() {
      await running.stop();
      await smtp.stop();
      await environment.stop();
    },
  };
  return service;
};

export const messageSent = (
  overrides: Partial<EventData<'MessageSent'>> = {},
): EventData<'MessageSent'> => ({
  messageId: randomUUIDv7(),
  bookingId: randomUUIDv7(),
  fromUserId: randomUUIDv7(),
  fromFirstName: 'Rita',
  fromLastName: 'Renter',
  toUserId: randomUUIDv7(),
  toolName: 'Cordless drill',
  text: 'When can I come?',
  sentAt: '2026-06-01T12:00:00.000Z',
  ...overrides,
});

/** Rita books Olga's drill; resolves once both have been notified. */
export const bookTool = async (
  service: NotificationsService,
  overrides: Partial<EventData<'BookingCreated'>> = {},
) => {
  const [owner, renter] = await Promise.all([service.introduce('Olga'), service.introduce('Rita')]);
  const booking = bookingCreated({ ownerId: owner.id, renterId: renter.id, ...overrides });
  const event = await service.broker.sendNew('BookingCreated', booking);
  await service.expectNotices(owner, 1);
  await service.expectNotices(renter, 1);
  return { owner, renter, booking, event };
};
