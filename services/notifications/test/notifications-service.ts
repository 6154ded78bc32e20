import { randomUUIDv7 } from 'node:crypto';
import { type EventData, type Notice, type QueueName, subscriptions } from '@lendtools/contracts';
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
import { config } from '../src/config.ts';
import { startNotifications } from '../src/start-notifications.ts';
import { internalSecret, startFakePayments } from './fake-payments.ts';
import { type SmtpSink, type SunkEmail, startSmtpSink } from './smtp-sink.ts';

export interface NotificationsService extends MongoEnvironment {
  http: HttpClient;
  running: Running;
  smtp: SmtpSink;
  paymentsOutage: { requests: number };
  startReplica(): Promise<Running>;
  /** The person's email is verified. Resolves once the service has stored the person. */
  addPerson(firstName: string, overrides?: Partial<Account>): Promise<TestPerson>;
  addUnsyncedPerson(): Promise<TestPerson>;
  noticesOf(person: TestPerson): Promise<Notice[]>;
  expectNotices(person: TestPerson, count: number): Promise<Notice[]>;
  emailsTo(address: string): SunkEmail[];
  expectEmail(address: string, subject: RegExp): Promise<SunkEmail>;
}

type Account = EventData<'AccountRegistered'>;
export interface TestPerson {
  id: string;
  email: string;
  token: string;
}

const queues = Object.keys(subscriptions).filter((name) => name.startsWith('notifications.'));

export const startNotificationsService = async (
  env: Record<string, string> = {},
): Promise<NotificationsService> => {
  const [environment, smtp, payments] = await Promise.all([
    startMongoEnvironment(queues as QueueName[]),
    startSmtpSink(),
    startFakePayments(),
  ]);
  Object.assign(environment.env, {
    SMTP_URL: smtp.url,
    PAYMENTS_URL: payments.url,
    INTERNAL_SECRET: internalSecret,
    MAIL_FROM: 'LendTools <hello@lendtools.test>',
    MESSAGE_MAIL_DELAY_SECONDS: '0',
    ...env,
  });
  const startReplica = () =>
    startNotifications(readConfig(config, environment.env), {
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
    paymentsOutage: payments.outage,
    startReplica,
    async addPerson(firstName, overrides) {
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
    async addUnsyncedPerson() {
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
      await payments.stop();
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

export const bookTool = async (
  service: NotificationsService,
  overrides: Partial<EventData<'BookingCreated'>> = {},
) => {
  const [owner, renter] = await Promise.all([service.addPerson('Olga'), service.addPerson('Rita')]);
  const booking = bookingCreated({ ownerId: owner.id, renterId: renter.id, ...overrides });
  const event = await service.broker.sendNew('BookingCreated', booking);
  await service.expectNotices(owner, 1);
  await service.expectNotices(renter, 1);
  return { owner, renter, booking, event };
};
