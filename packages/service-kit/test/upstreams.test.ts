import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Upstreams } from '../src/upstreams.ts';

let server: Server;
const kept = new WeakSet<Socket>();
let open: string;
let closed: string;

const listen = async (each: Server): Promise<string> => {
  await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/hangUp') request.socket.destroy();
    else if (request.url === '/closing' && kept.has(request.socket)) request.socket.destroy();
    else if (request.url === '/silent') return;
    else if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
    else if (request.url === '/stopping') response.setHeader('Connection', 'close').end();
    else response.end(request.method, () => kept.add(request.socket));
  });
  open = await listen(server);
  const other = createServer();
  closed = await listen(other);
  other.close();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('Upstreams', () => {
  it('calls the replicas of a service in turn', () => {
    const upstreams = new Upstreams(['http://a', 'http://b']);

    expect(new Set([upstreams.pick(), upstreams.pick()])).toEqual(
      new Set(['http://a', 'http://b']),
    );
  });

  it('skips a replica for two seconds after it refused a connection', () => {
    const upstreams = new Upstreams(['http://a', 'http://b']);
    upstreams.rest('http://a', 0);

    expect([upstreams.pick(500), upstreams.pick(500)]).toEqual(['http://b', 'http://b']);
    expect(new Set([upstreams.pick(2_500), upstreams.pick(2_500)]).size).toBe(2);
  });

  it('calls the replica whose pause ends first if all replicas are skipped', () => {
    const upstreams = new Upstreams(['http://a', 'http://b']);
    upstreams.rest('http://b', 0);
    upstreams.rest('http://a', 500);

    expect([upstreams.pick(1_000), upstreams.pick(1_000)]).toEqual(['http://b', 'http://b']);
  });

  it('skips a replica that has announced its shutdown', async () => {
    const upstreams = new Upstreams([open, 'http://other']);
    upstreams.pick();

    await upstreams.fetch('/stopping', {});

    expect([upstreams.pick(), upstreams.pick()]).toEqual(['http://other', 'http://other']);
  });

  it('skips a replica for 15 seconds after a timeout', async () => {
    const upstreams = new Upstreams([open, 'http://other']);
    upstreams.pick();

    const requested = upstreams.fetch('/silent', { signal: AbortSignal.timeout(50) });

    await expect(requested).rejects.toMatchObject({ name: 'TimeoutError' });
    const later = Date.now() + 14_000;
    expect([upstreams.pick(later), upstreams.pick(later)]).toEqual([
      'http://other',
      'http://other',
    ]);
  });

  it('calls the next replica if one refuses the connection, whatever the method', async () => {
    const upstreams = new Upstreams([closed, open]);

    for (let i = 0; i < 4; i++) {
      const reply = await upstreams.fetch('/', { method: 'POST', body: 'x' });
      expect(await reply.text()).toBe('POST');
    }
  });

  it('retries a GET, but not a POST, when its kept-alive connection closes', async () => {
    const upstreams = new Upstreams([open]);
    const ask = (method: string, path: string) =>
      upstreams.fetch(path, { method }).then((reply) => reply.text());

    await ask('GET', '/');
    const read = await ask('GET', '/closing');
    const write = ask('POST', '/closing');

    expect(read).toBe('GET');
    await expect(write).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
  });

  it('gives up a read if every connection closes', async () => {
    let requested = 0;
    server.on('request', () => requested++);

    await expect(new Upstreams([open]).fetch('/hangUp', {})).rejects.toThrow();

    expect(requested).toBe(3);
  });

  it('does not retry a request that a replica may have received', async () => {
    let requested = 0;
    server.on('request', () => requested++);

    await expect(
      new Upstreams([open, open]).fetch('/hangUp', { method: 'POST' }),
    ).rejects.toThrow();

    expect(requested).toBe(1);
  });

  it('fails if every replica refuses the connection', async () => {
    const requested = new Upstreams([closed, closed]).fetch('/', {});

    await expect(requested).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('does not follow redirects, which could lead to another host with our credentials', async () => {
    const reply = await new Upstreams([open]).fetch('/moved', {});

    expect(reply.status).toBe(302);
  });
});
