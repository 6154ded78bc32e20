import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Running, readConfig } from '@lendtools/service-kit';
import { httpClient, waitFor } from '@lendtools/testing';
import express from 'express';
import { watchArrivingBodies } from '../src/arriving-bodies.ts';
import { config, type GatewayConfig } from '../src/config.ts';
import { watchDepartingReplies } from '../src/departing-replies.ts';
import { NetworkShares } from '../src/network-shares.ts';
import { startGateway } from '../src/start-gateway.ts';
import { AddressSet } from '../src/trusted-proxies.ts';

let service: Server;
const connected = new Set<Socket>();
let isHanging = false;
const hanging: (() => unknown)[] = [];
let settings: GatewayConfig;
beforeAll(async () => {
  service = createServer((requested, response) => {
    requested.resume().on('end', () => {
      const end = () => response.setHeader('content-type', 'application/json').end('{}');
      if (isHanging) hanging.push(end);
      else end();
    });
  });
  service.on('upgrade', (_request, socket) => {
    socket.on('end', () => socket.end());
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
  });
  service.on('connection', (socket) => {
    connected.add(socket);
    socket.once('close', () => connected.delete(socket));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const names = ['ACCOUNTS', 'CATALOG', 'BOOKINGS', 'PAYMENTS', 'MESSAGING', 'NOTIFICATIONS'];
  settings = readConfig(config, {
    ...Object.fromEntries(names.map((name) => [`${name}_URL`, url])),
    PUBLIC_URL: 'http://lendtools.test',
    LOG_LEVEL: 'silent',
    WEB_DIST: '.',
  });
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

let gateway: Running;
const start = async (more: Partial<GatewayConfig> = {}) => {
  gateway = await startGateway({ ...settings, ...more });
  return httpClient(gateway.url);
};
const opened: Socket[] = [];
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await gateway.stop();
});

const countConnections = (): Promise<number> =>
  new Promise((resolve) => gateway.server.getConnections((_, count) => resolve(count)));

const open = (
  text: string,
  to = gateway.port,
): { received: () => string; closed: Promise<unknown> } => {
  const socket = connect(to, '127.0.0.1');
  socket.write(text);
  opened.push(socket);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  return { received: () => received, closed: once(socket, 'close') };
};

const begin = (headers: IncomingHttpHeaders) =>
  open(
    `POST /api/login HTTP/1.1\r\nHost: lendtools.test\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );

describe('the gateway, receiving request bodies', () => {
  it('opens no connection to a service until a small request body has arrived completely', async () => {
    const client = await start();
    for (let i = 0; i < 50; i++) begin({ 'content-length': '500' });
    await waitFor('the slow ones', async () => (await countConnections()) >= 50);

    const { status } = await client.post('/api/login', { body: { email: 'a@b.test' } });

    expect(status).toBe(200);
    expect(connected.size).toBeLessThan(5);
  });

  it('limits how many bodies a network may send at once, without counting bodies that arrive together with their headers', async () => {
    const client = await start({ CONNECTIONS_PER_NETWORK: 64 });
    const slow = [1, 2].map(() => begin({ 'transfer-encoding': 'chunked' }));
    await waitFor('the slow ones', async () => connected.size >= 2);

    const third = begin({ 'transfer-encoding': 'chunked' });
    const whole = await client.post('/api/login', { body: { email: 'a@b.test' } });

    await waitFor('the refusal', async () => third.received().includes('UNAVAILABLE'));
    expect(third.received()).toContain('HTTP/1.1 503');
    expect([whole.status, ...slow.map(({ received }) => received())]).toEqual([200, '', '']);
  });

  it('replies 408 to a body that arrives too slowly, but not to a body that pauses and is still fast enough', async () => {
    await start();
    const app = express();
    const bodies = watchArrivingBodies(new NetworkShares(10), { graceMs: 300, lookEveryMs: 50 });
    app.use(bodies.watch, (requested, response) => {
      requested.resume().on('end', () => response.send('all of it'));
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length:';

    const slow = open(`${head} 40000\r\n\r\nx`, port);
    const quick = open(`${head} 200000\r\n\r\n`, port);
    const [socket] = opened.slice(-1) as [Socket];
    // At the minimum speed, 200 kB may take 25 s, so this body may pause until after the slow body is rejected.
    socket.write('x'.repeat(199_999));
    await slow.closed;
    socket.write('x');

    await waitFor('the answer', async () => quick.received().includes('all of it'));
    expect(slow.received()).toMatch(/^HTTP\/1.1 408 .*REQUEST_TOO_SLOW/s);
    bodies.stop();
    server.closeAllConnections();
    server.close();
  });
});

describe('the gateway, sending replies', () => {
  it('cuts off a reply that the client reads too slowly, but not a reply that the client reads steadily', async () => {
    await start();
    const app = express();
    const replies = watchDepartingReplies({ graceMs: 3_000, lookEveryMs: 50 });
    // The reply is larger than the kernel's buffers, so the server has to wait for the client.
    app.use(replies.watch, (_requested, response) => void response.end(Buffer.alloc(16e6)));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = (): Socket => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      );
      opened.push(socket.on('error', () => {}));
      return socket;
    };
    const count = () =>
      new Promise<number>((resolve) =>
        server.getConnections((_, connections) => resolve(connections)),
      );

    ask();
    await waitFor('the slow reader', async () => (await count()) === 1);
    await waitFor('its end', async () => (await count()) === 0);
    let received = 0;
    ask().on('data', ({ length }: Buffer) => (received += length));

    await waitFor('all of it', async () => received > 16e6);
    replies.stop();
    server.closeAllConnections();
    server.close();
  });
});

describe('the gateway', () => {
  it("limits a network's connections to a service without affecting other networks", async () => {
    const TRUSTED_PROXIES = new AddressSet(['127.0.0.1']);
    const client = await start({ TRUSTED_PROXIES });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    isHanging = true;
    const requested = Array.from({ length: 129 }, () =>
      client.get('/api/all-rentals', from('10.0.1.1')),
    );

    const rejected = await Promise.race(requested);
    isHanging = false;
    const [other, elsewhere] = [
      await client.get('/api/all-rentals', from('10.0.2.1')),
      await client.get('/api/places/states', from('10.0.1.1')),
    ];
    for (const end of hanging.splice(0)) end();
    const statuses = (await Promise.all(requested)).map(({ status }) => status);

    expect(rejected).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect([other.status, elsewhere.status]).toEqual([200, 200]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(128);
  });

  it("replies 429 with Retry-After to reads beyond a network's budget", async () => {
    const TRUSTED_PROXIES = new AddressSet(['127.0.0.1']);
    const client = await start({ TRUSTED_PROXIES, RATE_LIMIT_FACTOR: 5 / 6_000 });
    const read = (address: string) =>
      client.get('/api/places/states', { headers: { 'x-forwarded-for': address } });

    const replies = [];
    for (let i = 0; i < 6; i++) replies.push(await read('10.0.1.1'));
    const other = await read('10.0.2.1');
    const login = await client.post('/api/login', { headers: { 'x-forwarded-for': '10.0.1.1' } });

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(replies[5]?.body.code).toBe('TOO_MANY_REQUESTS');
    expect(Number(replies[5]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([other.status, login.status]).toEqual([200, 200]);
  });

  it("counts a tool's calendar as ten reads", async () => {
    const client = await start({ RATE_LIMIT_FACTOR: 25 / 6_000 });
    const id = '0190a1b2-0000-7000-8000-000000000001';

    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await client.get(`/api/rentals/${id}/availability`));

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  it("limits a network's connections, and accepts another when one is closed", async () => {
    const client = await start({ CONNECTIONS_PER_NETWORK: 32 });
    for (let i = 0; i < 32; i++) open('');
    await waitFor(
      'the connections',
      () =>
        new Promise((resolve) => gateway.server.getConnections((_, count) => resolve(count >= 32))),
    );

    await open('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n').closed;
    opened[0]?.destroy();

    await waitFor('room', () =>
      client.get('/livez').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

  it('limits the networks behind a trusted proxy separately', async () => {
    const TRUSTED_PROXIES = new AddressSet(['127.0.0.1']);
    const client = await start({ CONNECTIONS_PER_NETWORK: 32, TRUSTED_PROXIES });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const slow = { 'transfer-encoding': 'chunked', 'x-forwarded-for': '2001:db8::1' };
    begin(slow);
    await waitFor('the first', async () => connected.size >= 1);

    const second = begin({ ...slow, 'x-forwarded-for': '2001:db8::2' });
    const other = begin({ ...slow, 'x-forwarded-for': '2001:db8:0:1::1' });

    await waitFor('the refusal', async () => second.received().includes('UNAVAILABLE'));
    expect(other.received()).toBe('');
    expect((await client.get('/api/places/states', from('2001:db8::3'))).status).toBe(200);
  });

  it("limits a network's WebSockets, and accepts another when one is closed", async () => {
    await start({ CONNECTIONS_PER_NETWORK: 64 });
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const live = async (): Promise<Socket | undefined> => {
      const requested = request(new URL('/socket.io/', gateway.url), { headers }).end();
      requested.on('response', (reply) => reply.resume());
      const socket = await Promise.race([
        once(requested, 'upgrade').then(([, upgraded]) => upgraded as Socket),
        once(requested, 'response').then(() => undefined),
      ]);
      if (socket) opened.push(socket);
      return socket;
    };
    const sockets = [];
    for (let i = 0; i < 32; i++) sockets.push(await live());

    const rejected = await live();
    sockets[0]?.destroy();

    expect(sockets.every(Boolean)).toBe(true);
    expect(rejected).toBeUndefined();
    await waitFor('room', live);
  });
});
