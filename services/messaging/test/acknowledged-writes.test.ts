import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '@lendtools/service-kit';
import { httpClient, startMongoEnvironment, waitFor } from '@lendtools/testing';
import mongoose from 'mongoose';
import { config } from '../src/config.ts';
import { startMessaging } from '../src/start-messaging.ts';
import { type MessagingService, openThread, sendFirst } from './messaging-service.ts';

const writes = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes']);

let service: MessagingService;
const sent: { name: string; writeConcern: unknown }[] = [];
beforeAll(async () => {
  const environment = await startMongoEnvironment([
    'messaging.sync-people',
    'messaging.sync-blocks',
    'messaging.close-thread-when-booking-over',
    'messaging.open-thread-when-approval-requested',
    'messaging.open-thread-when-booking-created',
    'messaging.end-thread-when-approval-ended',
    'messaging.hide-message-when-moderated',
  ]);
  const url = new URL(environment.databaseUrl);
  url.search = '?monitorCommands=true&w=1&journal=false';
  const clients = mongoose.connections.length;
  const CATALOG_URL = 'http://127.0.0.1:1';
  const read = readConfig(config, { ...environment.env, MONGO_URL: url.toString(), CATALOG_URL });
  const running = await startMessaging(read, environment);
  mongoose.connections[clients]?.getClient().on('commandStarted', ({ commandName, command }) => {
    if (writes.has(commandName))
      sent.push({ name: commandName, writeConcern: command.writeConcern });
  });
  service = {
    ...environment,
    http: httpClient(running.url),
    running,
    toolOwners: new Map(),
    async stop() {
      await running.stop();
      await environment.stop();
    },
  };
});
afterAll(() => service.stop());

describe('messaging', () => {
  it('uses the write concern majority with journal, whatever the URL sets', async () => {
    const thread = await openThread(service);
    const messageId = await sendFirst(service, thread);

    const reply = await service.http.post(
      `/api/user/${thread.ownerId}/messaging/${messageId}/send-reply`,
      {
        token: thread.owner,
        body: { message: 'At ten.' },
      },
    );

    await service.broker.expectEvent('ReplySent', (data) => data.messageId === messageId);
    expect(reply.status).toBe(201);
    // Wait for a `findAndModify`: only the relay sends this command, each time it renews its lease.
    await waitFor('every kind of write', () =>
      ['insert', 'update', 'findAndModify'].every((kind) => sent.some(({ name }) => name === kind)),
    );
    expect(new Set(sent.map(({ writeConcern }) => JSON.stringify(writeConcern)))).toEqual(
      new Set([JSON.stringify({ w: 'majority', wtimeout: 10_000, j: true })]),
    );
  });
});
