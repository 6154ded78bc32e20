import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger, createPool, type Pool, readConfig } from '@lendtools/service-kit';
import {
  type HttpClient,
  httpClient,
  startFakeCatalog,
  startPostgresEnvironment,
} from '@lendtools/testing';
import { config } from '../src/config.ts';
import { migrations, startAccounts } from '../src/start-accounts.ts';
import { createFakeContents } from './fake-contents.ts';
import { internalSecret, startFakeServices } from './fake-services.ts';

export const password = 'correct horse battery';
export const adminLogin = { email: 'admin@lendtools.test', password: 'the first admin of all' };

export const newPerson = (overrides: Record<string, string> = {}) => ({
  user_name: 'sam',
  first_name: 'Sam',
  last_name: 'Rivers',
  phone: '+1 512 555 0134',
  email: `sam-${randomBytes(6).toString('hex')}@example.com`,
  country: 'United States',
  state: 'Texas',
  city: 'Austin',
  address: '12 Elm Street',
  password,
  ...overrides,
});

export interface Session {
  userId: string;
  token: string;
  cookie: string;
}

export const sameSite = { 'sec-fetch-site': 'same-origin' };

/** The `name=value` of the refresh cookie that a reply sets; empty if the reply clears the cookie or sets none. */
export const cookieOf = (headers: Headers): string =>
  /^refresh_token=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';

/** Starts the accounts service with its own database and broker. `startReplica` adds a second replica. */
export const startAccountsService = async (overrides: Record<string, string> = {}) => {
  const environment = await startPostgresEnvironment(migrations, [
    'accounts.record-acts-of-admins',
  ]);
  const catalog = await startFakeCatalog();
  const contents = createFakeContents();
  const imagesFolder = await mkdtemp(path.join(tmpdir(), 'accounts-'));
  const services = await startFakeServices(contents);
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const env = {
    ...environment.env,
    JWT_PRIVATE_KEY: JSON.stringify(privateKey),
    IMAGES_DIR: imagesFolder,
    ADMIN_EMAIL: adminLogin.email,
    ADMIN_PASSWORD: adminLogin.password,
    FACTOR_KEY: 'a key of the tests of second factors',
    CATALOG_URL: catalog.url,
    INTERNAL_SECRET: internalSecret,
    BOOKINGS_URL: services.url,
    PAYMENTS_URL: services.url,
    MESSAGING_URL: services.url,
    NOTIFICATIONS_URL: services.url,
    ...overrides,
  };
  const start = (more: Record<string, string> = {}) =>
    startAccounts(readConfig(config, { ...env, ...more }), { topology: environment.topology });
  const running = await start();
  const http = httpClient(running.url);
  const pool: Pool = createPool(environment.databaseUrl, createLogger('test', 'silent'), {
    max: 3,
  });

  const logIn = async (email: string, typed = password, client: HttpClient = http) => {
    const reply = await client.post('/api/login', {
      body: { email, password: typed },
      headers: { 'x-forwarded-for': randomAddress() },
    });
    if (reply.status !== 200) throw new Error(`login answered ${reply.status}`);
    return {
      userId: reply.body.user.id as string,
      token: reply.body.token as string,
      cookie: cookieOf(reply.headers),
    };
  };

  return {
    ...environment,
    catalog,
    contents,
    config: readConfig(config, env),
    env,
    imagesFolder,
    /** Open matters by user, as the stubs of bookings and payments reply. */
    openMatters: services.matters,
    /** Data exports by service, the same for every user. */
    exportedData: services.data,
    servicesOutage: services.outage,
    url: running.url,
    http,
    pool,
    logIn,
    logInAdmin: (client?: HttpClient) => logIn(adminLogin.email, adminLogin.password, client),
    async signUp(typed: Record<string, string> = {}) {
      const person = newPerson(typed);
      const reply = await http.post('/api/create-account', { body: person });
      if (reply.status !== 201) throw new Error(`sign-up answered ${JSON.stringify(reply.body)}`);
      return { ...person, id: reply.body.user.id as string };
    },
    refresh: (cookie: string, client: HttpClient = http) =>
      client.post('/api/refresh-token', { headers: { cookie, ...sameSite } }),
    /** Requests a change of the email. The returned function follows the emailed link. */
    async requestNewEmail(email: string) {
      const { userId, token } = await logIn(email);
      const body = { email: `new-${email}`, password };
      await http.put(`/api/update-account/${userId}`, { token, body });
      const { data } = await environment.broker.expectEvent(
        'EmailChangeRequested',
        (change) => change.userId === userId,
      );
      return () => http.post('/api/confirm-email', { body: { token: data.token } });
    },
    async startReplica(more: Record<string, string> = {}) {
      const replica = await start(more);
      return { url: replica.url, http: httpClient(replica.url), stop: () => replica.stop() };
    },
    async stop() {
      await pool.end();
      await running.stop();
      await services.stop();
      await environment.stop();
      await catalog.stop();
      await rm(imagesFolder, { recursive: true });
    },
  };
};
export type AccountsService = Awaited<ReturnType<typeof startAccountsService>>;

export const randomAddress = (): string => `10.${[...randomBytes(3)].join('.')}`;
export const anyId = (): string => randomUUID();

export const timeMs = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Durations that differ by less than this fraction count as equal. A skipped password hash would cause twice the difference. */
export const noGap = 0.3;

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;

/** The relative difference between the median times of two kinds of work: the smallest of three measurements, to reduce noise. */
export const medianGap = async (
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  rounds: number,
): Promise<number> => {
  let smallest = 1;
  for (let measurement = 0; measurement < 3 && smallest >= noGap; measurement++) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      times[0].push(await timeMs(one));
      times[1].push(await timeMs(other));
    }
    const [a, b] = times.map(median) as [number, number];
    smallest = Math.min(smallest, Math.abs(a - b) / Math.max(a, b));
  }
  return smallest;
};
