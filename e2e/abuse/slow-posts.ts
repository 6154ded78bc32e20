import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { marketplace } from '../src/marketplace.ts';
import { newPerson } from '../src/people.ts';
import { describe, observe, requestFrom } from './request-from.ts';

const slowPosts = 512;
const forMs = 20_000;

/** Announces a login body of 500 bytes, sends one byte a second, and starts again when disconnected. */
const sendSlowly = (localAddress: string, over: AbortSignal) => {
  const { host, port } = new URL(marketplace().site);
  const ends: Record<string, number> = {};
  let socket: Socket;
  let received = '';
  const begin = () => {
    received = '';
    socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      const how = /^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 'without a reply';
      ends[how] = (ends[how] ?? 0) + 1;
      if (!over.aborted) setTimeout(begin, 200);
    });
    socket.write(
      `POST /api/login HTTP/1.1\r\nHost: ${host}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
    );
  };
  begin();
  const timer = setInterval(() => socket.writable && socket.write(' '), 1_000);
  over.addEventListener('abort', () => {
    clearInterval(timer);
    socket.destroy();
  });
  return { ends, isHeld: () => socket.readyState === 'open' && received === '' };
};

const attack = async (what: string, addresses: string[]): Promise<boolean> => {
  const { email, password } = await newPerson();
  const over = AbortSignal.timeout(forMs);
  const senders = addresses.map((address) => sendSlowly(address, over));
  await delay(1_000);
  const logIn = () =>
    requestFrom('127.0.0.9', {
      method: 'POST',
      path: '/api/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
  const [logins, held] = await Promise.all([
    observe(logIn, { over, expected: 200 }),
    delay(forMs / 4).then(() => senders.filter(({ isHeld }) => isHeld()).length),
  ]);
  const ended: Record<string, number> = {};
  for (const { ends } of senders)
    for (const [how, count] of Object.entries(ends)) ended[how] = (ended[how] ?? 0) + count;
  const counts = Object.entries(ended).map(([how, count]) => `${count} × ${how}`);
  console.log(`slow-posts: ${what}`);
  console.log(`  held after ${forMs / 4_000} s: ${held}; ended: ${counts.join(', ') || 'none'}`);
  console.log(describe("others' logins", logins));
  return logins.failed === 0;
};

/** Sends 512 logins byte by byte, from one network and from sixteen, while another user logs in. */
export const attackBySlowPosts = async (): Promise<boolean> => {
  const from = (networks: number) =>
    Array.from({ length: slowPosts }, (_, i) => `127.0.1.${1 + (i % networks)}`);
  const outcomes = [
    await attack('without an attack', []),
    await attack(`${slowPosts} of one network`, from(1)),
    await attack(`${slowPosts} of sixteen networks`, from(16)),
  ];
  return outcomes.every(Boolean);
};
