import { randomUUIDv7 } from 'node:crypto';
import type { EventData } from '@lendtools/contracts';
import { type Running, readConfig } from '@lendtools/service-kit';
import {
  accountRegistered,
  bookingCreated,
  type HttpClient,
  httpClient,
  type MongoEnvironment,
  startFakeCatalog,
  startMongoEnvironment,
  waitFor,
} from '@lendtools/testing';
import { config } from '../src/config.ts';
import { startMessaging } from '../src/start-messaging.ts';

export interface MessagingService extends MongoEnvironment {
  http: HttpClient;
  running: Running;
  /** Catalog's tools, each with its owner. */
  toolOwners: Map<string, string>;
}

export const startMessagingService = async (
  settings: Record<string, string> = {},
): Promise<MessagingService> => {
  const environment = await startMongoEnvironment([
    'messaging.sync-people',
    'messaging.sync-blocks',
    'messaging.close-thread-when-booking-over',
    'messaging.open-thread-when-approval-requested',
    'messaging.open-thread-when-booking-created',
    'messaging.end-thread-when-approval-ended',
    'messaging.hide-message-when-moderated',
  ]);
  const catalog = await startFakeCatalog();
  const env = { ...environment.env, CATALOG_URL: catalog.url, ...settings };
  const read = readConfig(config, env);
  const running = await startMessaging(read, environment);
  return {
    ...environment,
    env,
    http: httpClient(running.url),
    running,
    toolOwners: catalog.owners,
    async stop() {
      await running.stop();
      await catalog.stop();
      await environment.stop();
    },
  };
};

/** The renter asks the owner for the booking of `bookingCreated`. */
export const approvalRequested = (
  overrides: Partial<EventData<'ApprovalRequested'>> = {},
): EventData<'ApprovalRequested'> => {
  const { units: _, ...booking } = bookingCreated();
  const answerBy = '2026-05-31T12:00:00.000Z';
  return { ...booking, approvalId: randomUUIDv7(), answerBy, change: null, ...overrides };
};

/** The owner declines the booking of `bookingCreated`. */
export const approvalEnded = (
  overrides: Partial<EventData<'ApprovalEnded'>> = {},
): EventData<'ApprovalEnded'> => {
  const { bookingId, toolId, toolName, ownerId, renterId, bookingCode } = bookingCreated();
  const parties = { bookingId, toolId, toolName, ownerId, renterId, bookingCode };
  const ended = {
    approvalId: randomUUIDv7(),
    outcome: 'declined',
    note: '',
    change: null,
  } as const;
  return { ...parties, ...ended, ...overrides };
};

/** Books or requests a tool, and waits until the messaging service has the thread and the names of its owner Olga and renter Rita. */
export const openThread = async (
  { broker, accounts, http, database }: MessagingService,
  by: 'BookingCreated' | 'ApprovalRequested' = 'BookingCreated',
) => {
  const booking = bookingCreated();
  const { bookingId, ownerId, renterId } = booking;
  await Promise.all([
    broker.sendNew('AccountRegistered', accountRegistered({ userId: renterId })),
    broker.sendNew(
      'AccountRegistered',
      accountRegistered({ userId: ownerId, firstName: 'Olga', lastName: 'Owner' }),
    ),
    by === 'BookingCreated'
      ? broker.sendNew(by, booking)
      : broker.sendNew(by, approvalRequested({ bookingId, ownerId, renterId })),
  ]);
  const [owner, renter, admin] = await Promise.all([
    accounts.sign({ userId: ownerId }),
    accounts.sign({ userId: renterId }),
    accounts.sign({ role: 'Admin' }),
  ]);
  const thread = `/api/messaging/${bookingId}/my-messages`;
  const people = database.collection<{ _id: string }>('people');
  await waitFor(
    'the names',
    async () => (await people.countDocuments({ _id: { $in: [ownerId, renterId] } })) === 2,
  );
  await waitFor(
    'the thread',
    async () => (await http.get(thread, { token: owner })).status === 200,
  );
  return { bookingId, ownerId, renterId, owner, renter, admin, thread };
};
export type OpenThread = Awaited<ReturnType<typeof openThread>>;

/** The booking of an open thread is completed. */
export const bookingCompleted = (
  overrides: Partial<EventData<'BookingCompleted'>> = {},
): EventData<'BookingCompleted'> => {
  const { bookingId, toolId, toolName, ownerId, renterId, bookingCode, quantity, endsAt } =
    bookingCreated();
  const parties = { bookingId, toolId, toolName, ownerId, renterId };
  return {
    ...parties,
    bookingCode,
    quantity,
    endsAt,
    returnedAt: null,
    paymentIds: [],
    ...overrides,
  };
};

/** Blocks or unblocks a person, and waits until the messaging service has copied it. */
export const block = async (
  { broker, database }: MessagingService,
  blockerId: string,
  blockedId: string,
  { blocked = true, version = 1 }: { blocked?: boolean; version?: number } = {},
): Promise<void> => {
  const data = { blockerId, blockedId, blocked };
  await broker.sendNew('PersonBlocked', data, { id: randomUUIDv7(), version });
  const copies = database.collection<{ _id: string; version: number }>('blocks');
  await waitFor('the block', async () => {
    const copy = await copies.findOne({ _id: `${blockerId}:${blockedId}` });
    return copy && copy.version >= version;
  });
};

export const sendFirst = async ({ http }: MessagingService, { bookingId, renter }: OpenThread) => {
  const path = `/api/rentalBookings/${bookingId}/send-message`;
  const { body } = await http.post(path, { token: renter, body: { message: 'When can I come?' } });
  return body.messaging.id as string;
};

/** Adds a tool of Olga, about which Rita can ask. */
export const newTool = async ({
  broker,
  accounts,
  toolOwners,
}: MessagingService): Promise<TestTool> => {
  const [toolId, ownerId, renterId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  toolOwners.set(toolId, ownerId);
  await Promise.all(
    [
      { userId: ownerId, firstName: 'Olga', lastName: 'Owner' },
      { userId: renterId, firstName: 'Rita', lastName: 'Renter' },
    ].map((person) => broker.sendNew('AccountRegistered', accountRegistered(person))),
  );
  const [owner, renter] = await Promise.all([
    accounts.sign({ userId: ownerId }),
    accounts.sign({ userId: renterId }),
  ]);
  return { toolId, ownerId, renterId, owner, renter };
};

export interface TestTool {
  toolId: string;
  ownerId: string;
  renterId: string;
  owner: string;
  renter: string;
}

export const sendQuestion = (
  { http }: MessagingService,
  { toolId, renterId, renter }: Pick<TestTool, 'toolId' | 'renterId' | 'renter'>,
  message: string,
  headers: Record<string, string> = {},
) =>
  http.post(`/api/user/${renterId}/rentals/${toolId}/send-question`, {
    token: renter,
    body: { message },
    headers,
  });

/** Asks about a new tool; resolves to the tool, the id of the thread and that of its first message. */
export const openQuestion = async (service: MessagingService, message = 'Is it heavy?') => {
  const tool = await newTool(service);
  const { body } = await sendQuestion(service, tool, message);
  return { ...tool, threadId: body.messaging.bookingId, messageId: body.messaging.id };
};
