/**
 * `npx node e2e/vanished-host.ts`: measures how services recover when a host vanishes without closing its connections, as
 * after a power cut or behind a firewall. Needs root (for a network namespace and nft) and the servers of
 * `node infra/local/test-servers.ts`. `--services <folder>` runs the services of another checkout, to compare.
 */
import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { postgresMigrations } from '@lendtools/service-runtime';
import {
  createMongoDatabase,
  createPostgresDatabase,
  createTestBroker,
  startTestAccounts,
  testServers,
  waitFor,
} from '@lendtools/testing';
import pg from 'pg';
import { createNetworkHost } from './src/network-host.ts';

const usage = `npx node e2e/vanished-host.ts [--services <folder of another checkout>]`;
const folder = readCommandLine(usage, (args) => {
  const { values } = parseArgs({ args, options: { services: { type: 'string', default: '.' } } });
  return resolve(values.services);
});
if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.log('Skipped: only root on Linux can make a host vanish.');
  process.exit(0);
}

/** The limit of every wait; a slower recovery is reported as "not within". */
const patienceMs = 60_000;
const gonePort = 4_801;
const stayingPort = 4_802;

const servers = testServers();
const portOf = (url: string): number => Number(new URL(url).port);
const [postgres, mongo] = [portOf(servers.postgresUrl), portOf(servers.mongoUrl)];
const tokens = await startTestAccounts();
const host = createNetworkHost([postgres, mongo, portOf(servers.amqpUrl), portOf(tokens.url)]);
const images = mkdtempSync(join(tmpdir(), 'vanished-host-'));
const broker = await createTestBroker();
const database = await createPostgresDatabase(
  postgresMigrations(join(folder, 'services/accounts/migrations')),
);
const documents = await createMongoDatabase();
const sql = new pg.Pool({ connectionString: database.url });
sql.on('error', () => {});
const processes: ChildProcess[] = [];

/** Replaces the address of a server on this machine by the one at which the host reaches it. */
const fromHost = (url: string): string => url.replace('127.0.0.1', host.gateway);
const envOf = (port: number, isOnHost: boolean): NodeJS.ProcessEnv => {
  const reach = isOnHost ? fromHost : (url: string) => url;
  return {
    PATH: process.env.PATH,
    PORT: String(port),
    HOST: '0.0.0.0',
    LOG_LEVEL: 'error',
    PUBLIC_URL: 'http://lendtools.test',
    RATE_LIMIT_FACTOR: '1000',
    AMQP_URL: reach(broker.url),
    ACCOUNTS_URL: reach(tokens.url),
    DATABASE_URL: reach(database.url),
    MONGO_URL: reach(documents.url),
    JWT_PRIVATE_KEY: signingKey,
    IMAGES_DIR: images,
  };
};
const signingKey = JSON.stringify(
  generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
);

/** Starts a service on the host that will vanish. */
const startThere = async (service: string): Promise<string> => {
  const main = join(folder, `services/${service}/src/main.ts`);
  processes.push(host.start(process.execPath, [main], envOf(gonePort, true)));
  return whenReady(`http://${host.address}:${gonePort}`);
};
const startHere = async (service: string): Promise<string> => {
  const { spawn } = await import('node:child_process');
  const main = join(folder, `services/${service}/src/main.ts`);
  const env = envOf(stayingPort, false);
  processes.push(spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] }));
  return whenReady(`http://127.0.0.1:${stayingPort}`);
};
const whenReady = async (url: string): Promise<string> => {
  await waitFor(url, async () => (await fetch(`${url}/readyz`)).ok, patienceMs);
  return url;
};
const endProcesses = async (): Promise<void> => {
  for (const child of processes.splice(0)) {
    if (child.exitCode !== null) continue;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const timed = async (work: () => Promise<unknown>): Promise<string> => {
  const started = performance.now();
  return work().then(
    () => seconds(performance.now() - started),
    () => `not within ${seconds(patienceMs)}`,
  );
};

/** Sends a request every half second for `forMs`; returns the count of each status and the slowest reply. */
const askRepeatedly = async (ask: () => Promise<Response>, forMs: number): Promise<string> => {
  const answers: Promise<{ status: number | string; ms: number }>[] = [];
  for (const end = performance.now() + forMs; performance.now() < end; await delay(500)) {
    const started = performance.now();
    answers.push(
      ask().then(
        ({ status }) => ({ status, ms: performance.now() - started }),
        () => ({ status: 'no reply', ms: performance.now() - started }),
      ),
    );
  }
  const all = await Promise.all(answers);
  const counts = Map.groupBy(all, ({ status }) => status);
  const slowest = Math.max(...all.map(({ ms }) => ms));
  return `${[...counts].map(([status, of]) => `${of.length} × ${status}`).join(', ')}; the slowest after ${seconds(slowest)}`;
};

const person = (email: string) => ({
  user_name: 'sam',
  first_name: 'Sam',
  last_name: 'Rivers',
  phone: '+1 512 555 0134',
  email,
  country: 'United States',
  state: 'Texas',
  city: 'Austin',
  address: '12 Elm Street',
  password: 'correct horse battery',
});
const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  });

/** Drops the host whose relay holds the lock in the database; nothing closes its connection. */
const relayHostVanishes = async (): Promise<string> => {
  const there = await startThere('accounts');
  await post(`${there}/api/create-account`, person('first@example.com'));
  const allPublished = () =>
    waitFor(
      'the outbox to be empty',
      async () => {
        const { rows } = await sql.query(
          'SELECT count(*)::int AS n FROM outbox_messages WHERE published_at IS NULL',
        );
        return rows[0].n === 0;
      },
      patienceMs,
    );
  await allPublished();
  const here = await startHere('accounts');

  host.drop();
  const took = await timed(async () => {
    const { status } = await post(`${here}/api/create-account`, person('second@example.com'));
    if (status !== 201) throw new Error(`sign-up answered ${status}`);
    await allPublished();
  });

  await endProcesses();
  host.restore();
  return took;
};

/** Drops the packets of a service's database for 30 seconds. */
const databaseVanishes = async (
  service: string,
  port: number,
  ask: (url: string) => Promise<Response>,
): Promise<{ meanwhile: string; recovered: string }> => {
  const url = await startThere(service);
  // Opens several pooled connections.
  const before = await Promise.all(Array.from({ length: 8 }, () => ask(url)));
  const expected = before[0]?.status;

  host.drop(port);
  const meanwhile = await askRepeatedly(() => ask(url), 30_000);
  host.restore();
  const recovered = await timed(() =>
    waitFor('the usual reply', async () => (await ask(url)).status === expected, patienceMs),
  );

  await endProcesses();
  return { meanwhile, recovered };
};

try {
  console.log(`Services of ${folder}`);
  console.log("\nA replica's host vanishes while its relay holds the lock");
  console.log(`  another replica takes over and publishes after: ${await relayHostVanishes()}`);

  const token = await tokens.sign();
  const thread = `/api/messaging/${randomUUIDv7()}/my-messages`;
  const cases = [
    [
      'PostgreSQL',
      'accounts',
      postgres,
      (url: string) => post(`${url}/api/login`, { email: 'no@example.com', password: 'nobody’s' }),
    ],
    [
      'MongoDB',
      'messaging',
      mongo,
      (url: string) =>
        fetch(url + thread, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(patienceMs),
        }),
    ],
  ] as const;
  for (const [name, service, port, ask] of cases) {
    const { meanwhile, recovered } = await databaseVanishes(service, port, ask);
    console.log(`\nThe host of ${name} vanishes for ${service}, for 30 s`);
    console.log(`  requests meanwhile: ${meanwhile}`);
    console.log(`  works again after: ${recovered}`);
  }
} finally {
  await endProcesses();
  host.remove();
  await sql.end();
  await Promise.all([database.drop(), documents.drop(), broker.drop(), tokens.stop()]);
  rmSync(images, { recursive: true });
}
