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
    'messaging.sync-blocks',
    'messaging.close-thread-when-booking-over',
    'messaging.open-thread-when-approval-requested',
    'messaging.open-thread-when-booking-created',
    'messaging.end-thread-when-approval-ended',
  ]);
});
afterAll(() => environment.stop());

/** A TCP proxy of MongoDB that passes on each chunk unless `isLost`: then the connection breaks. */
const createProxy = (url: URL, isLost = (_chunk: Buffer): boolean => false) => {
  const server = { port: Number(url.port), host: url.hostname };
  return createServer((socket) => {
    const onward = connect(server);
    socket.on('data', (chunk) => (isLost(chunk) ? socket.destroy() : onward.write(chunk)));
    socket.on('close', () => onward.destroy());
    onward.pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => {});
  });
};

const start = (url: URL) => {
  const CATALOG_URL = 'http://127.0.0.1:1';
  const env = { ...environment.env, MONGO_URL: url.toString(), CATALOG_URL };
  return startMessaging(readConfig(config, env), environment);
};

describe('messaging', () => {
  it('starts once MongoDB is up', async () => {
    const url = new URL(environment.env.MONGO_URL as string);
    const proxy = createProxy(new URL(url));
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    await new Promise((resolve) => proxy.close(resolve));
    url.host = `127.0.0.1:${port}`;

    const starting = start(url);
    // Wait a little longer than the driver's server selection timeout.
    await Promise.race([starting, delay(5_500)]);
    await once(proxy.listen(port, '127.0.0.1'), 'listening');
    const running = await starting;
    const { status } = await httpClient(running.url).get('/livez');

    await running.stop();
    proxy.close();
    expect(status).toBe(200);
  });

  it('starts although its connection breaks while it creates indexes', async () => {
    const url = new URL(environment.env.MONGO_URL as string);
    let breaks = 2;
    const proxy = createProxy(
      new URL(url),
      (chunk) => chunk.includes('createIndexes') && breaks-- > 0,
    );
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

    const running = await start(url);
    const { status } = await httpClient(running.url).get('/livez');

    await running.stop();
    proxy.close();
    expect(breaks).toBeLessThanOrEqual(0);
    expect(status).toBe(200);
  });
});
