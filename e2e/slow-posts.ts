/**
 * `npm run slow-posts`: how a login does while 512 others are sent byte by byte, from one network and from sixteen. It takes a
 * minute, on Linux; with TEST_RUN_FILE a marketplace that runs already is used.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { marketplace } from './src/marketplace.ts';
import { api, newPerson, type Person } from './src/people.ts';

readCommandLine('npm run slow-posts', () => undefined);

const slowPosts = 512;
const forMs = 20_000;
/** A login that takes longer has failed its person. */
const patienceMs = 10_000;

/** A login that says it has 500 bytes and sends one each second; what ends is begun again, for as long as it goes on. */
const sendSlowly = (localAddress: string, over: AbortSignal) => {
  const { hostname, port } = new URL(marketplace().site);
  const ended: Record<string, number> = {};
  let socket: Socket;
  let heard = '';
  const begin = () => {
    heard = '';
    // Every address of 127.0.0.0/8 is this machine's, and each counts as a network.
    socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      const how = /^HTTP\/1.1 (\d+)/.exec(heard)?.[1] ?? 'without an answer';
      ended[how] = (ended[how] ?? 0) + 1;
      if (!over.aborted) setTimeout(begin, 200);
    });
    socket.write(
      `POST /api/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
    );
  };
  begin();
  const timer = setInterval(() => socket.writable && socket.write(' '), 1_000);
  over.addEventListener('abort', () => {
    clearInterval(timer);
    socket.destroy();
  });
  return { ended, isHeld: () => socket.readyState === 'open' && heard === '' };
};

/** Logs in again and again; the time of each, and how many failed. */
const logIn = async ({ email, password }: Person, untilMs: number) => {
  const times: number[] = [];
  let failed = 0;
  while (performance.now() < untilMs) {
    const started = performance.now();
    const status = await api()
      .post('/api/login', { body: { email, password } })
      .then(
        (reply) => reply.status,
        () => 0,
      );
    times.push(performance.now() - started);
    if (status !== 200) failed++;
    await delay(250);
  }
  return { times: times.sort((a, b) => a - b), failed };
};

const ms = (value: number | undefined) => `${(value ?? Number.NaN).toFixed(0)} ms`;

/** Whether everybody could log in. */
const attack = async (what: string, addresses: string[]): Promise<boolean> => {
  const person = await newPerson();
  const over = new AbortController();
  const senders = addresses.map((address) => sendSlowly(address, over.signal));
  await delay(1_000);
  const [{ times, failed }, held] = await Promise.all([
    logIn(person, performance.now() + forMs),
    delay(forMs / 4).then(() => senders.filter(({ isHeld }) => isHeld()).length),
  ]);
  over.abort();
  const ended: Record<string, number> = {};
  for (const sender of senders)
    for (const [how, count] of Object.entries(sender.ended)) ended[how] = (ended[how] ?? 0) + count;
  console.log(
    `${what}: ${times.length} logins, ${failed} failed; median ${ms(times[times.length >> 1])}, ` +
      `slowest ${ms(times.at(-1))}. After ${forMs / 4_000} s ${held} were held; ended so far: ` +
      (Object.entries(ended)
        .map(([how, count]) => `${count} × ${how}`)
        .join(', ') || 'none'),
  );
  await delay(1_000);
  return failed === 0 && (times.at(-1) ?? Number.POSITIVE_INFINITY) < patienceMs;
};

const site = process.env.TEST_RUN_FILE ? undefined : startTestSite(console.log, 'slow-posts');
try {
  if (site) process.env.TEST_RUN_FILE = await site.ready;
  const from = (networks: number) =>
    Array.from({ length: slowPosts }, (_, i) => `127.0.1.${1 + (i % networks)}`);
  const outcomes = [
    await attack('Nobody else', []),
    await attack(`${slowPosts} slow posts of one network`, from(1)),
    await attack(`${slowPosts} slow posts of sixteen networks`, from(16)),
  ];
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  await site?.stop();
}
