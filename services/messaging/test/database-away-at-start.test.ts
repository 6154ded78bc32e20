import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '@lendtools/service-kit';
import { httpClient, startMongoEnvironment, type TestEnvironment } from '@lendtools/testing';
import { config } from '../src/config.ts';
import { startMessaging } from '../src/start-messaging.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await startMongoEnvironment([
    'messaging.sync-people',
    'messaging.open-thread-when-approval-requested',
    'messaging.open-thread-when-booking-created',
    'messaging.end-thread-when-approval-ended',
  ]);
});
afterAll(() => environment.stop());

describe('messaging', () => {
  it('starts once MongoDB is up', async () => {
    const url = new URL(environment.env.MONGO_URL as string);
    const server = { port: Number(url.port), host: url.hostname };
    const proxy = createServer((socket) => {
      const onward = connect(server);
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on('error', () => {});
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    await new Promise((resolve) => proxy.close(resolve));
    url.host = `127.0.0.1:${port}`;

    const CATALOG_URL = 'http://127.0.0.1:1';
    const env = { ...environment.env, MONGO_URL: url.toString(), CATALOG_URL };
    const read = readConfig(config, env);
    const starting = startMessaging(read, environment);
    // Wait a little longer than the driver's server selection timeout.
    await Promise.race([starting, delay(5_500)]);
    await once(proxy.listen(port, '127.0.0.1'), 'listening');
    const running = await starting;
    const { status } = await httpClient(running.url).get('/livez');

    await running.stop();
    proxy.close();
    expect(status).toBe(200);
  });
});
