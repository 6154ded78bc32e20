import dns from 'node:dns';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { routes } from '@lendtools/contracts';
import { type Running, readConfig } from '@lendtools/service-kit';
import { httpClient } from '@lendtools/testing';
import { apiTable } from '../src/api-table.ts';
import { config, type GatewayConfig } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';

/** Starts a service that closes the connection on `?hangUp`, and on `?closing` if the connection was reused. */
const startUpstream = (host = '127.0.0.1', port = 0): Promise<Server> => {
  const kept = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    if (request.url?.includes('hangUp')) return void request.socket.destroy();
    if (request.url?.includes('closing') && kept.has(request.socket))
      return void request.socket.destroy();
    kept.add(request.socket);
    if (request.url?.includes('stopping')) response.setHeader('connection', 'close');
    if (request.headers['if-none-match'] === 'W/"same"') {
      return void response.writeHead(304, { etag: 'W/"same"', vary: 'Authorization' }).end();
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      const body = Buffer.concat(chunks).toString('base64');
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          headers: request.headers,
          body,
          host,
        }),
      );
    });
  });
  server.on('upgrade', (_request, socket) => {
    // A half-open socket would keep this process alive.
    socket.on('end', () => socket.end());
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
  });
  return new Promise((resolve) => server.listen(port, host, () => resolve(server)));
};

const siteFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'site-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<title>LendTools</title>');
  writeFileSync(path.join(folder, 'assets', 'app-1a2b.js'), 'start()');
  writeFileSync(path.join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync('start() // br'));
  writeFileSync(path.join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync('start() // gz'));
  return folder;
};

let upstream: Server;
let start: (more?: Partial<GatewayConfig>) => Promise<Running>;
let gateway: Running;
let client: ReturnType<typeof httpClient>;

beforeAll(async () => {
  upstream = await startUpstream();
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const closed = 'http://127.0.0.1:1';
  const settings = readConfig(config, {
    PUBLIC_URL: 'https://lendtools.test',
    LOG_LEVEL: 'silent',
    WEB_DIST: siteFolder(),
    ACCOUNTS_URL: url,
    CATALOG_URL: `${closed},${url}`,
    BOOKINGS_URL: closed,
    PAYMENTS_URL: url,
    MESSAGING_URL: `${closed},${url}`,
    NOTIFICATIONS_URL: url,
  });
  start = (more) => startGateway({ ...settings, ...more });
  gateway = await start();
  client = httpClient(gateway.url);
});

afterAll(async () => {
  await gateway.stop();
  upstream.closeAllConnections();
  upstream.close();
});

describe('the gateway', () => {
  it('forwards a request to its service with body and query unchanged', async () => {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(3_000_000)]), 'saw.png');

    const { status, body } = await client.post('/api/create-account?x=1', { body: form });

    expect(status).toBe(200);
    expect(body).toMatchObject({ method: 'POST', url: '/api/create-account?x=1' });
    expect(Buffer.from(body.body, 'base64').length).toBeGreaterThan(3_000_000);
  });

  it('forwards the one-click unsubscribe of mail programs, which post to the address of the page', async () => {
    const { body } = await client.post('/unsubscribe?token=a.messages.b');
    const page = await client.get('/unsubscribe?token=a.messages.b', {
      headers: { accept: 'text/html' },
    });

    expect(body).toMatchObject({ method: 'POST', url: '/api/unsubscribe?token=a.messages.b' });
    expect(page.body).toContain('<title>LendTools</title>');
  });

  it('drops the address and id headers that a client sends, and sets its own', async () => {
    const { body } = await client.get('/api/places/states', {
      headers: {
        'x-forwarded-for': '6.6.6.6',
        'x-real-ip': '6.6.6.6',
        forwarded: 'for=6.6.6.6',
        'x-user-id': 'admin',
        traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
        'x-request-id': 'mine-mine-mine',
      },
    });

    expect(JSON.stringify(body.headers)).not.toContain('6.6.6.6');
    expect(body.headers['x-forwarded-for']).toMatch(/127\.0\.0\.1$/);
    expect(body.headers['x-user-id']).toBeUndefined();
    expect(body.headers.traceparent).toBeUndefined();
    expect(body.headers['x-request-id']).not.toBe('mine-mine-mine');
  });

  it("does not forward the client's connection headers to the services", async () => {
    const headers = { connection: 'close', expect: '100-continue' };
    const requested = request(new URL('/api/places/states', gateway.url), { headers }).end();
    const [reply] = await once(requested, 'response');

    const { headers: forwarded } = (await json(reply)) as { headers: Record<string, string> };

    expect(forwarded.connection).toBe('keep-alive');
    expect(forwarded.expect).toBeUndefined();
    expect(reply.headers.connection).toBe('close');
  });

  it('rejects headers of more than 16 kB without calling a service', async () => {
    const sent = { 'x-long': 'x'.repeat(17_000) };

    const { status, headers } = await client.get('/api/places/states', { headers: sent });

    expect(status).toBe(431);
    // Every reply from a service has a request id, so a reply without one is the gateway's own.
    expect(headers.get('x-request-id')).toBeNull();
  });

  it.each([
    ['two lengths', 'Content-Length: 6\r\nContent-Length: 5'],
    ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked'],
    ['an unknown encoding', 'Transfer-Encoding: chunked, x'],
  ])('rejects a request with %s, whose end is ambiguous', async (_what, lengths) => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(`POST /api/login HTTP/1.1\r\nHost: x\r\n${lengths}\r\n\r\n0\r\n\r\nX`);

    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  });

  it('does not support TRACE, which would return the headers of a request', async () => {
    const requested = request(new URL('/api/places/states', gateway.url), {
      method: 'TRACE',
      headers: { authorization: 'Bearer canary' },
    }).end();
    const [reply] = await once(requested, 'response');

    expect(reply.statusCode).toBe(404);
    expect(await text(reply)).not.toContain('canary');
  });

  it('forwards only requests to the routes in its table', async () => {
    const paths = [
      '/internal/revocations',
      '/api/internal/x',
      '/api/../internal/revocations',
      '/api/login/x',
    ];

    for (const each of paths) {
      const { status, body } = await client.post(each);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'NOT_FOUND', status: 404, errors: [{ path: '' }] });
    }
  });

  it('skips a replica that refuses connections', async () => {
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await client.get('/api/all-rentals')).status);

    expect(statuses).toEqual(Array(6).fill(200));
  });

  it('sends the whole body to the next replica when the first one refuses the connection', async () => {
    const sizes = [];
    for (let i = 0; i < 2; i++) {
      const { body } = await client.post('/api/rentalBookings/1/send-message', {
        body: 'x'.repeat(3_000_000),
      });
      sizes.push(Buffer.from(body.body, 'base64').length);
    }

    expect(sizes).toEqual([3_000_002, 3_000_002]);
  });

  it('forwards a 304 and merges its Vary header', async () => {
    const headers = { 'if-none-match': 'W/"same"', origin: 'https://lendtools.test' };

    const reply = await client.get('/api/all-rentals', { headers });

    expect(reply).toMatchObject({ status: 304, body: '' });
    expect(reply.headers.get('etag')).toBe('W/"same"');
    expect(reply.headers.get('vary')).toBe('Origin, Authorization');
  });

  it('answers requests while it drains, but reports that it is not ready and closes each connection', async () => {
    const stopping = await start();
    const drained = stopping.drain();
    const requested = httpClient(stopping.url);

    const [ready, states] = [
      await requested.get('/readyz'),
      await requested.get('/api/places/states'),
    ];

    expect(ready).toMatchObject({ status: 503, body: { reason: 'stopping' } });
    expect(states.status).toBe(200);
    expect(states.headers.get('connection')).toBe('close');
    await drained;
    await stopping.stop();
  });

  it('closes WebSockets when it stops', async () => {
    const stopping = await start();
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const requested = request(new URL('/socket.io/', stopping.url), { headers }).end();
    const [, socket] = await once(requested, 'upgrade');
    const closed = once(socket, 'close');

    await stopping.stop();

    await closed;
  });

  it.each([
    ['is down', '/api/all-bookings'],
    ['hangs up', '/api/places/states?hangUp'],
  ])('replies 503 as problem+json when a service %s', async (_, url) => {
    const { status, headers, body } = await client.get(url);

    expect(status).toBe(503);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      requestId: headers.get('x-request-id'),
    });
    expect(body.message).toBe(body.detail);
  });

  it('retries a GET, but not a POST, whose kept-alive connection was closed', async () => {
    await client.get('/api/places/states');
    const read = await client.get('/api/places/states?closing');
    await client.get('/api/places/states');
    const write = await client.post('/api/create-account?closing', { body: {} });

    expect([read.status, write.status]).toEqual([200, 503]);
  });

  it('uses the other replicas behind a host name when one is stopping', async () => {
    const hosts = ['127.0.0.2', '127.0.0.3'];
    const first = await startUpstream(hosts[0]);
    const { port } = first.address() as AddressInfo;
    const second = await startUpstream(hosts[1], port);
    const running = await start({ ACCOUNTS_URL: [`http://accounts.test:${port}`] });
    const { get } = httpClient(running.url);
    // Resolve names like Docker's DNS, which returns the addresses of all containers of a service.
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((...args: unknown[]) => {
      const found = hosts.map((address) => ({ address, family: 4 }));
      (args.at(-1) as (error: null, all: object[]) => void)(null, found);
    }) as never);
    const hostOf = async (query = '') => (await get(`/api/places/states${query}`)).body.host;

    // Opens two connections to the first replica; only one of them gets `Connection: close`.
    await Promise.all([hostOf(), hostOf()]);
    const before = await hostOf('?stopping');
    const after = await hostOf();

    await running.stop();
    lookup.mockRestore();
    for (const each of [first, second]) {
      each.closeAllConnections();
      each.close();
    }
    expect([before, after]).toEqual(hosts);
  });

  it.each(['/', '/api/places/states', '/api/all-bookings', '/api/nothing', '/assets/none.js'])(
    'sends the security headers with its reply to %s',
    async (url) => {
      const { headers } = await client.get(url, { headers: { origin: 'https://evil.test' } });

      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('access-control-allow-origin')).toBe('https://lendtools.test');
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it("lets a page load resources only from the site, Stripe and the map's tile server", async () => {
    const { headers } = await client.get('/');

    expect(headers.get('content-security-policy')?.split(';')).toEqual([
      "default-src 'self'",
      "script-src 'self' https://js.stripe.com",
      'frame-src https://js.stripe.com https://hooks.stripe.com',
      "connect-src 'self' wss://lendtools.test https://api.stripe.com",
      "img-src 'self' data: blob: https://tile.openstreetmap.org",
      "style-src 'self' 'unsafe-inline'",
      "font-src 'self' data:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  });
});

describe('the gateway, serving the web app', () => {
  it.each(['/', '/home', '/user/my-bookings'])(
    'serves the page at %s with no-cache',
    async (url) => {
      const { status, headers, body } = await client.get(url, { headers: { accept: 'text/html' } });

      expect({ status, body }).toEqual({ status: 200, body: '<title>LendTools</title>' });
      expect(headers.get('cache-control')).toBe('no-cache');
    },
  );

  it.each([
    '/.env',
    '/%2Eenv',
    '/.git/config',
    '/user/.ssh/id_rsa',
    '/.well-known/security',
    '/foo.bar',
    '/foo%2Ebar',
    '/rental-details/a.b',
    '/wp-login.php/',
    '/secrets.json/x',
  ])(
    'replies 404 to the missing file %s: with the app’s page to a navigation, with a JSON error to other requests',
    async (url) => {
      const person = await client.get(url, { headers: { accept: 'text/html,*/*;q=0.8' } });
      const tool = await client.get(url, { headers: { accept: '*/*' } });

      expect(person).toMatchObject({ status: 404, body: '<title>LendTools</title>' });
      expect(tool).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(tool.headers.get('content-type')).toContain('application/problem+json');
    },
  );

  it.each(['/assets/..%2f..%2fpackage.json', '/..%2f..%2fetc%2fpasswd'])(
    'serves no file outside its folder: %s',
    async (url) => {
      const { status, body } = await client.get(url);

      expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    },
  );

  it.each([
    ['br, gzip', 'br', 'start() // br'],
    ['gzip', 'gzip', 'start() // gz'],
    ['br;q=0, identity', null, 'start()'],
  ])(
    'serves the compressed file that matches Accept-Encoding %s',
    async (accepted, packing, content) => {
      const { status, headers, body } = await client.get('/assets/app-1a2b.js?v=1', {
        headers: { 'accept-encoding': accepted },
      });

      expect({ status, body }).toEqual({ status: 200, body: content });
      expect(headers.get('content-encoding')).toBe(packing);
      expect(headers.get('content-type')).toContain('text/javascript');
      expect(headers.get('vary')).toContain('Accept-Encoding');
      expect(headers.get('cache-control')).toContain('immutable');
    },
  );

  it('lets files with a hash in their name be cached forever, and replies 404 to missing files', async () => {
    const [script, missing, folder] = [
      await client.get('/assets/app-1a2b.js'),
      await client.get('/assets/no.js'),
      await client.get('/assets/'),
    ];

    expect(script.headers.get('cache-control')).toContain('immutable');
    expect([missing.status, folder.status]).toEqual([404, 404]);
  });
});

describe('the API document', () => {
  it("lists exactly the routes of the gateway's table", async () => {
    const { body } = await client.get('/api/openapi.json');

    const documented = Object.entries<object>(body.paths).flatMap(([url, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${url}`),
    );
    const table = Object.values(routes).map(
      ({ method, path: url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(documented.sort()).toEqual(table.sort());
    expect(body.openapi).toBe('3.1.0');
  });

  it('is shown on a page that loads nothing from other sites', async () => {
    const { body } = await client.get('/api/docs');

    const loaded = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
    expect(loaded).not.toEqual([]);
    for (const url of loaded) expect((await client.get(url)).status).toBe(200);
  });

  it.each(['index.html', 'package.json', 'swagger-initializer.js'])(
    'is served without the file %s of Swagger UI',
    async (file) => {
      expect((await client.get(`/api/docs/${file}`)).status).toBe(404);
    },
  );
});

describe('docs/api.md', () => {
  it('equals the output of `npm run docs:api`', () => {
    const written = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

    expect(written).toBe(apiTable(Object.values(routes)));
  });
});
