import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RouteName, routes, type ServiceName, serviceNames } from '@lendtools/contracts';
import { httpClient, type Reply, waitFor } from '@lendtools/testing';
import pg from 'pg';
import { logsFolder, mailedToken, marketplace } from '../src/marketplace.ts';
import { anyCategory, api, formOf, newPerson, type Person, signUpFields } from '../src/people.ts';
import { createWorld, pathFor, type World } from '../src/world.ts';

const onPostgres = Object.entries(marketplace().databases).flatMap(([name, url]) =>
  url.startsWith('postgres:') ? [name] : [],
);
const kept = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].who !== 'anyone');
const portOf = (name: string): number =>
  marketplace().processes.find((each) => each.name === name)?.port as number;
const logOf = (name: string): string =>
  readdirSync(logsFolder())
    .filter((file) => new RegExp(`^${name}(-\\d+)?\\.log$`).test(file))
    .map((file) => readFileSync(path.join(logsFolder(), file), 'utf8'))
    .join('');

/** Every text that users of this world write contains this unique word. */
const words = `Canary${randomInt(1e9)}`;

let world: World;
beforeAll(async () => {
  world = await createWorld(words);
});

describe('authentication', () => {
  /** Headers that a service might trust if it believed that a proxy had set them. */
  const claims = () => ({
    'x-user-id': world.people.admin.id,
    'x-user-role': 'Admin',
    'x-forwarded-user': world.people.admin.id,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': 'localhost',
  });
  const statusAt = async (site: string, name: RouteName): Promise<number> => {
    const verb = routes[name].method.toLowerCase() as 'get';
    const url = pathFor(world, name, 'admin');
    return (await httpClient(site)[verb](url, { headers: claims() })).status;
  };

  it('rejects a caller without a token at the gateway, whatever its headers claim', async () => {
    const statuses = await Promise.all(kept.map((name) => statusAt(marketplace().site, name)));

    expect(statuses).toEqual(kept.map(() => 401));
  });

  it("rejects a caller without a token at each service's own port", async () => {
    const statuses = await Promise.all(
      kept.map((name) => statusAt(`http://127.0.0.1:${portOf(routes[name].service)}`, name)),
    );

    expect(statuses).toEqual(kept.map(() => 401));
  });

  it('rejects a caller without a token at the internal calls between services', async () => {
    const ask = async (service: ServiceName, method: 'get' | 'post', url: string) =>
      (await httpClient(`http://127.0.0.1:${portOf(service)}`)[method](url, { headers: claims() }))
        .status;

    expect(await ask('bookings', 'post', `/internal/holds/${randomUUID()}/checkout`)).toBe(401);
    expect(await ask('payments', 'get', `/internal/users/${randomUUID()}/payments`)).toBe(401);
    expect(await ask('payments', 'get', '/internal/payments')).toBe(401);
    expect(await ask('bookings', 'get', '/internal/refunds')).toBe(401);
    expect(await ask('bookings', 'get', `/internal/payments/${randomUUID()}/refunds`)).toBe(401);
    expect(await ask('bookings', 'get', `/internal/payments/${randomUUID()}/orders`)).toBe(401);
  });
});

describe('the database user of a service', () => {
  const pairs = onPostgres.flatMap((user) =>
    onPostgres.filter((other) => other !== user).map((other) => [user, other] as const),
  );

  it.each(pairs)('%s cannot connect to the database of %s', async (user, other) => {
    const url = new URL(marketplace().databases[user] as string);
    url.pathname = new URL(marketplace().databases[other] as string).pathname;
    const client = new pg.Client({ connectionString: url.toString() });

    await expect(client.connect()).rejects.toMatchObject({ code: '42501' });
  });

  it.each(onPostgres)('%s is no superuser and cannot create databases or users', async (user) => {
    const client = new pg.Client({ connectionString: marketplace().databases[user] as string });
    await client.connect();
    const { rows } = await client.query(
      'SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = user',
    );
    await client.end();

    expect(rows).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false },
    ]);
  });
});

describe('a marketplace', () => {
  const lines = (service: string, requestId: string | null): { msg: string; code?: string }[] =>
    logOf(service)
      .split('\n')
      .filter((line) => requestId && line.includes(requestId))
      .map((line) => JSON.parse(line));

  it.each<[string, string, () => Promise<Reply>]>([
    ['accounts', 'LOGIN_FAILED', () => logIn(world.people.other, 'wrong')],
    ['accounts', 'CROSS_SITE', () => fromElsewhere('/api/refresh-token')],
    ['accounts', 'VALIDATION_FAILED', () => api().post('/api/login', { body: { email: 'none' } })],
    ['catalog', 'UNAUTHORIZED', () => api().get(`/api/user/${randomUUID()}/rentals/my-rentals`)],
    ['bookings', 'FORBIDDEN', () => api().get('/api/all-bookings', world.people.other)],
    ['payments', 'UNAUTHORIZED', () => api().post('/api/payment/create-payment-intent')],
    ['messaging', 'UNAUTHORIZED', () => api().get(pathFor(world, 'myMessages', 'other'))],
    [
      'notifications',
      'FORBIDDEN',
      () => api().get(pathFor(world, 'myNotices', 'owner'), world.people.other),
    ],
  ])('logs exactly one line in %s for a reply %s', async (service, code, ask) => {
    const requestId = (await ask()).headers.get('x-request-id');

    const found = await waitFor('the log line', () => {
      const all = lines(service, requestId);
      return all.length > 0 && all;
    });
    expect(found).toMatchObject([{ msg: 'refused', code }]);
  });

  it('logs the id of a user who logs in, and whether with a second factor', async () => {
    const { other } = world.people;
    const requestId = (await logIn(other, other.password)).headers.get('x-request-id');

    const found = await waitFor('the log line', () => lines('accounts', requestId)[0]);
    expect(found).toMatchObject({ msg: 'logged in', userId: other.id, withSecondFactor: false });
  });

  it('logs no password, token or secret', async () => {
    const canaries = await spendSecrets();
    const { stripe, databases } = marketplace();
    const passwords = onPostgres.map((name) => new URL(databases[name] as string).password);
    const ofStripe = [stripe.secretKey, stripe.webhookSecret, stripe.connectWebhookSecret];
    const secrets = [...canaries, ...ofStripe, ...passwords];
    expect(secrets.every((secret) => secret.length >= 16)).toBe(true);

    expect(foundInLogs(secrets)).toEqual([]);
  });

  it('logs no personal data, typed text or card number', async () => {
    const typed = await sayThings();
    const people = Object.entries(world.people).flatMap(([role, { email, phone, address }]) =>
      role === 'admin' ? [email] : [email, phone, address],
    );
    const cards = ['4242424242424242', '4000000000000002', '4000002500003155'];

    expect(foundInLogs([words, ...typed, ...people, ...cards])).toEqual([]);
  });

  it('logs JSON lines with time and service, and the request id for rejections and logins', () => {
    const written = [...serviceNames, 'gateway'].flatMap((name) =>
      logOf(name)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );

    expect(written.filter(({ time, service, msg }) => !time || !service || !msg)).toEqual([]);
    const rejected = written.filter(({ msg }) => msg === 'refused' || msg === 'logged in');
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.filter(({ correlationId }) => !correlationId)).toEqual([]);
  });

  const foundInLogs = (texts: string[]): string[] =>
    readdirSync(logsFolder()).flatMap((file) => {
      const log = readFileSync(path.join(logsFolder(), file), 'utf8');
      return texts.flatMap((text, i) => (log.includes(text) ? [`${file}: text ${i}`] : []));
    });

  /** Sends valid and invalid requests, and returns the texts in them, which must not be logged. */
  const sayThings = async (): Promise<string[]> => {
    const { owner, renter } = world.people;
    const typed = (kind: string) => `${kind}-of-${words.toLowerCase()}-${randomUUID()}`;
    const [reply, review, inPath, inQuery] = ['reply', 'review', 'path', 'query'].map(typed);
    const stranger = `${typed('stranger')}@lendtools.test`;
    const { messageId, bookingId: rentalBooking_id, toolId: rental_id } = world;
    const replies = [
      await api().post(`/api/user/${owner.id}/messaging/${messageId}/send-reply`, {
        token: owner.token,
        body: { message: reply },
      }),
      await api().post(`/api/user/${renter.id}/reviews/add-review`, {
        token: renter.token,
        body: { rentalBooking_id, userId: renter.id, rating: 4, rental_id, comment: review },
      }),
      // Each request fails for another reason: a taken or unknown email, an unknown path, an invalid parameter, no
      // body.
      await api().post('/api/create-account', {
        body: formOf(signUpFields({ email: owner.email, address: inPath as string })),
      }),
      await api().post('/api/request-password-token', { body: { email: stranger } }),
      await logIn({ ...owner, email: stranger }, typed('password')),
      await api().get(`/api/${inPath}`),
      await api().get(`/api/all-rentals?q=${inQuery}&page=${inQuery}`),
      await api().post('/api/login', { headers: { 'content-type': 'application/json' } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 409, 200, 401, 404, 200, 400]);
    return [reply, review, inPath, inQuery, stranger].map(String);
  };

  const logIn = ({ email }: Person, password: string) =>
    api().post('/api/login', { body: { email, password } });
  const fromElsewhere = (url: string) =>
    api().post(url, { headers: { 'sec-fetch-site': 'cross-site', cookie: 'refresh_token=mine' } });

  /** Uses every kind of secret, validly and invalidly, and returns them all. */
  const spendSecrets = async (): Promise<string[]> => {
    const person = await newPerson();
    const wrong = `canary-wrong-${randomUUID()}`;
    await logIn(person, wrong);
    const loggedIn = await logIn(person, person.password);
    const refresh =
      /refresh_token=([^;]+)/.exec(loggedIn.headers.get('set-cookie') ?? '')?.[1] ?? '';
    await api().post('/api/refresh-token', {
      headers: { cookie: `refresh_token=${refresh}`, 'x-requested-with': 'test' },
    });
    await api().post('/api/request-password-token', { body: { email: person.email } });
    const mailed = await mailedToken(person.email, 'reset-password');
    const newPassword = `canary-new-${randomUUID()}`;
    // The first password is too short, the second is accepted, and the third fails because the token is used up.
    for (const password of ['short', newPassword, newPassword])
      await api().post('/api/reset-password', { body: { token: mailed, newPassword: password } });
    const inQuery = `canary-query-${randomUUID()}`;
    await api().get(`/api/all-bookings?token=${inQuery}&password=${inQuery}`, { token: inQuery });
    return [person.password, wrong, newPassword, person.token, refresh, mailed, inQuery];
  };
});

describe('a service that receives a URL', () => {
  const requested: string[] = [];
  const canary = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.end();
  });
  beforeAll(() => new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void canary.close());

  it('does not fetch a URL sent in a picture field', async () => {
    const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/latest/meta-data`;
    const { owner, renter, admin } = world.people;
    const images = { image: url, cover_image: url, image1: url, googleMap: url, webhook: url };
    const tool = { name: url, description: url, price: 5, categoryId: await anyCategory() };

    const replies = await Promise.all([
      api().put(pathFor(world, 'updateAccount', 'owner'), {
        ...owner,
        body: { ...images, address: url },
      }),
      api().post(pathFor(world, 'addRental', 'owner'), { ...owner, body: { ...tool, ...images } }),
      api().put(pathFor(world, 'updateCategory', 'admin'), { ...admin, body: images }),
      api().post(pathFor(world, 'sendReply', 'renter'), {
        ...renter,
        body: { message: url, ...images },
      }),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200, 201]);
    expect(replies[0]?.body.user.image).toBe('null');
    expect(replies[1]?.body.rental.cover_image).toBe('null');
    expect(requested).toEqual([]);
  });
});

describe('a process without its secrets', () => {
  const startBare = (main: string): Promise<{ code: number | null; said: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [main], { env: { NODE_ENV: 'production' } });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said += chunk;
        });
      child.once('close', (code) => resolve({ code, said }));
    });

  it.each([
    ['accounts', ['DATABASE_URL', 'AMQP_URL', 'JWT_PRIVATE_KEY', 'INTERNAL_SECRET']],
    ['catalog', ['DATABASE_URL', 'AMQP_URL']],
    ['bookings', ['DATABASE_URL', 'AMQP_URL', 'INTERNAL_SECRET']],
    ['payments', ['DATABASE_URL', 'AMQP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']],
    ['messaging', ['MONGO_URL', 'AMQP_URL']],
    ['notifications', ['MONGO_URL', 'AMQP_URL', 'SMTP_URL', 'INTERNAL_SECRET']],
  ])('%s does not start, and names each missing secret', async (service, secrets) => {
    const { code, said } = await startBare(path.resolve(`services/${service}/src/main.ts`));

    expect(code).toBe(1);
    for (const secret of secrets) expect(said).toContain(`${secret}: is missing`);
  });
});
