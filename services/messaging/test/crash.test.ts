import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault, readConfig } from '@lendtools/service-kit';
import { httpClient, waitFor } from '@lendtools/testing';
import { config } from '../src/config.ts';
import { startMessaging } from '../src/start-messaging.ts';
import {
  type MessagingService,
  openThread,
  sendFirst,
  startMessagingService,
} from './messaging-service.ts';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const publishedFor = (bookingId: string) =>
  service.broker.received.filter(
    ({ type, aggregateId }) => type === 'MessageSent' && aggregateId === bookingId,
  );

describe('the messaging service', () => {
  it('publishes a message again, as the same event, if the relay crashes before it marks the message as published', async () => {
    const opened = await openThread(service);
    armFault('relay.afterConfirm:1:throw');

    await sendFirst(service, opened);

    await waitFor('the second publication', () => publishedFor(opened.bookingId).length === 2);
    expect(new Set(publishedFor(opened.bookingId).map(({ id }) => id)).size).toBe(1);
  });

  it('publishes a stored message once the broker is up again', async () => {
    const opened = await openThread(service);
    await service.broker.cutConnections();

    const messageId = await sendFirst(service, opened);

    expect(messageId).toBeDefined();
    await waitFor('the event', () => publishedFor(opened.bookingId).length > 0);
  });

  it('shows a message that another replica stored', async () => {
    const opened = await openThread(service);
    const replica = await startMessaging(readConfig(config, service.env), service);

    await sendFirst(service, opened);
    const reply = await httpClient(replica.url).get(opened.thread, { token: opened.owner });

    await replica.stop();
    expect(reply.body).toMatchObject({ messaging: [{ message: 'When can I come?' }] });
  });
});
