import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request, type ServerResponse } from 'node:http';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import {
  type AdminAct,
  id,
  message,
  type Permission,
  type Role,
  routeOf,
  text,
  type Who,
} from '@lendtools/contracts';
import { httpClient, startTestAccounts, type TestAccounts, waitFor } from '@lendtools/testing';
import { pino } from 'pino';
import { z } from 'zod';
import { Authenticator } from '../src/auth.ts';
import { AppError, forbidden } from '../src/errors.ts';
import { type BoundRoute, handle } from '../src/handle.ts';
import { createApp } from '../src/http-app.ts';
import { listen, type Running } from '../src/lifecycle.ts';
import { createMetrics } from '../src/metrics.ts';

const route = routeOf('catalog');

const read = route('GET /:userId', {
  who: 'admin',
  permission: 'read',
  origin: 'ours',
  summary: '',
  params: z.object({ userId: id }),
  status: 200,
  reply: message,
});
const policy = <const W extends Who>(who: W) => ({
  ...read,
  who,
  path: `/${who.replaceAll(' ', '-')}/:userId`,
});

/** A route that records its admins, as such or as the owner of the thing. */
const changeBase = route('POST /:userId', {
  who: 'owner or admin',
  permission: 'read',
  audited: ['cents', 'reason'],
  origin: 'ours',
  summary: '',
  params: z.object({ userId: id }),
  body: z.object({ cents: z.int().optional(), reason: z.string().optional() }),
  status: 200,
  reply: message,
});
const change = (permission: Permission) => ({
  ...changeBase,
  permission,
  path: `/change/${permission}/:userId`,
});

const countUsers = route('GET /counts', {
  who: 'admin',
  permission: 'read',
  audited: false,
  origin: 'ours',
  summary: '',
  status: 200,
  reply: message,
});

const search = route('GET /search', {
  who: 'admin',
  permission: 'read',
  audited: ['text?', 'state', 'page'],
  origin: 'ours',
  summary: '',
  query: z.object({ text: z.string(), state: z.string(), page: z.string().optional() }),
  status: 200,
  reply: message,
});

const permissions = ['read', 'moderate', 'money', 'administer'] as const;

const save = route('POST /save', {
  who: 'anyone',
  origin: 'ours',
  summary: '',
  body: z.object({
    name: text('a name', 10),
    lines: z.array(z.object({ quantity: z.int() })).optional(),
  }),
  images: ['image'],
  status: 201,
  reply: z.object({ name: z.string() }),
});

const decline = route('POST /decline', {
  who: 'anyone',
  origin: 'ours',
  summary: '',
  body: z.object({ note: z.string().optional() }),
  status: 200,
  reply: message,
});

const list = route('GET /list/:length', {
  who: 'anyone',
  origin: 'ours',
  summary: '',
  params: z.object({ length: z.coerce.number() }),
  status: 200,
  reply: message,
});

const outcomes: Record<string, () => { name: string }> = {
  long: () => ({ name: 'x'.repeat(2_000) }),
  rejected: () => {
    throw new AppError('EMAIL_TAKEN', 'This name is taken.', {
      path: 'name',
      details: { best: 'Saw' },
    });
  },
  broken: () => {
    throw new Error('password=canary at /secret/path');
  },
  'read-only': () => {
    throw Object.assign(new Error('canary: cannot execute INSERT'), { code: '25006' });
  },
  'too slow': () => {
    throw Object.assign(new Error('canary: canceling statement'), { code: '57014' });
  },
  'disk full': () => {
    throw Object.assign(new Error('canary: available disk space'), { code: 14_031 });
  },
  lying: () => ({ title: 'Saw' }) as never,
};

const freshFor = ['all', 'admins'] as const;
const freshly = (needsFreshLogin: (typeof freshFor)[number]) =>
  route(`POST /fresh/${needsFreshLogin}`, {
    who: 'user',
    origin: 'ours',
    summary: '',
    needsFreshLogin,
    status: 200,
    reply: message,
  });

const all: Who[] = ['anyone', 'user', 'self', 'admin', 'service'];
const aboutThing = ['owner or admin', 'party', 'party or admin'] as const;
const internalSecret = 'what-only-the-services-themselves-know';
const oldSecret = 'what-they-knew-each-other-by-until-now';
const routes: BoundRoute[] = [
  ...all.map((who) => handle(policy(who), () => ({ message: 'in' }))),
  ...aboutThing.map((who) =>
    handle(policy(who), ({ params, allow }) =>
      allow([undefined, params.userId], forbidden)({ message: 'in' }),
    ),
  ),
  ...freshFor.map((whom) => handle(freshly(whom), () => ({ message: 'in' }))),
  ...permissions.map((permission) =>
    handle(change(permission), ({ params, body, allow }) => {
      const answer = allow([params.userId], forbidden);
      if (body.cents === 0) throw forbidden();
      return answer({ message: 'changed' });
    }),
  ),
  handle(search, () => ({ message: 'found' })),
  handle(countUsers, () => ({ message: 'none' })),
  handle(decline, ({ body }) => ({ message: body.note ?? 'no note' })),
  handle(list, ({ params }) => ({ message: 'x'.repeat(params.length) })),
  handle(save, ({ body }) => outcomes[body.name]?.() ?? { name: body.name }),
  handle({ ...save, path: '/short', bodyKb: 1 }, ({ body }) => ({ name: body.name })),
];

const logged: { msg: string; path?: string; err?: { message: string } }[] = [];

/** What the audit log contains, and whether it can be written. */
const audit = { acts: [] as AdminAct[], isDown: false };
const auditLog = {
  add: async (act: AdminAct) => {
    if (audit.isDown) throw new Error('the audit log is down');
    audit.acts.push(act);
  },
};

let accounts: TestAccounts;
let authenticator: Authenticator;
let running: Running;
let client: ReturnType<typeof httpClient>;

beforeAll(async () => {
  accounts = await startTestAccounts();
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  authenticator = new Authenticator([accounts.url], logger);
  const app = createApp(
    {
      logger,
      authenticator,
      metrics: createMetrics('test'),
      stopping: new AbortController().signal,
      checkReady: async () => undefined,
      checkReplies: true,
      internalSecrets: [oldSecret, internalSecret],
      auditLog,
    },
    routes,
  );
  running = await listen(app, { host: '127.0.0.1', port: 0 });
  client = httpClient(running.url);
});

afterAll(async () => {
  await running.stop();
  await accounts.stop();
});

describe('a route', () => {
  const [self, other] = [randomUUID(), randomUUID()];
  const callers = {
    visitor: async () => undefined,
    self: () => accounts.sign({ userId: self }),
    other: () => accounts.sign({ userId: other }),
    admin: () => accounts.sign({ userId: randomUUID(), role: 'Admin' }),
    service: async () => internalSecret,
    'service with the old secret': async () => oldSecret,
  };

  it.each<[Who, Record<keyof typeof callers, number>]>([
    [
      'anyone',
      {
        visitor: 200,
        self: 200,
        other: 200,
        admin: 200,
        service: 200,
        'service with the old secret': 200,
      },
    ],
    [
      'user',
      {
        visitor: 401,
        self: 200,
        other: 200,
        admin: 200,
        service: 401,
        'service with the old secret': 401,
      },
    ],
    [
      'self',
      {
        visitor: 401,
        self: 200,
        other: 403,
        admin: 403,
        service: 401,
        'service with the old secret': 401,
      },
    ],
    [
      'admin',
      {
        visitor: 401,
        self: 403,
        other: 403,
        admin: 200,
        service: 401,
        'service with the old secret': 401,
      },
    ],
    [
      'service',
      {
        visitor: 401,
        self: 401,
        other: 401,
        admin: 401,
        service: 200,
        'service with the old secret': 200,
      },
    ],
    [
      'owner or admin',
      {
        visitor: 401,
        self: 200,
        other: 403,
        admin: 200,
        service: 401,
        'service with the old secret': 401,
      },
    ],
    [
      'party',
      {
        visitor: 401,
        self: 200,
        other: 403,
        admin: 403,
        service: 401,
        'service with the old secret': 401,
      },
    ],
    [
      'party or admin',
      {
        visitor: 401,
        self: 200,
        other: 403,
        admin: 200,
        service: 401,
        'service with the old secret': 401,
      },
    ],
  ])('admits only the callers that its policy allows: %s', async (who, expected) => {
    const got: Record<string, number> = {};
    for (const [name, sign] of Object.entries(callers)) {
      const path = policy(who).path.replace(':userId', self);
      got[name] = (await client.get(path, { token: await sign() })).status;
    }

    expect(got).toEqual(expected);
  });

  it('rejects forged and expired tokens, and tokens of ended sessions', async () => {
    const stranger = await startTestAccounts();
    const sessionId = randomUUID();
    const ended = await accounts.sign({ userId: self, sessionId });
    const tokens = [
      await stranger.sign({ userId: self }),
      await accounts.sign({ userId: self, expiresInSeconds: -1 }),
      `${(await accounts.sign({ userId: self })).split('.').slice(0, 2).join('.')}.`,
      'none',
      ended,
    ];
    expect((await client.get(`/user/${self}`, { token: ended })).status).toBe(200);

    const accessUntil = new Date(Date.now() + 900_000).toISOString();
    authenticator.revocations.load({ sessions: [{ sessionId, accessUntil }], users: [] });

    for (const token of tokens)
      expect((await client.get(`/user/${self}`, { token })).status).toBe(401);
    await stranger.stop();
  });

  it.each([
    ['all', { member: 403, admin: 403 }],
    ['admins', { member: 200, admin: 403 }],
  ] as const)(
    'rejects stale logins, and tokens without a login time, on routes that need a fresh login of %s',
    async (whom, expected) => {
      const statusOf = async (role: 'User' | 'Admin', authenticatedSecondsAgo: number) => {
        const token = await accounts.sign({ role, authenticatedSecondsAgo });
        return (await client.post(freshly(whom).path, { token })).status;
      };

      for (const seconds of [15 * 60 + 1, Math.floor(Date.now() / 1000)]) {
        const got = {
          member: await statusOf('User', seconds),
          admin: await statusOf('Admin', seconds),
        };
        expect(got).toEqual(expected);
      }
      expect([await statusOf('User', 14 * 60), await statusOf('Admin', 14 * 60)]).toEqual([
        200, 200,
      ]);
    },
  );

  it('ignores an expired token on public routes', async () => {
    const token = await accounts.sign({ userId: self, expiresInSeconds: -1 });

    expect((await client.get(`/anyone/${self}`, { token })).status).toBe(200);
  });
});

describe('a route for admins', () => {
  const owner = randomUUID();
  const adminId = randomUUID();
  const call = async (permission: Permission, role: Role, body: object = {}) => {
    const token = await accounts.sign({ userId: adminId, role });
    return client.post(`/change/${permission}/${owner}`, { token, body });
  };
  const actsOf = (requestId: string | null) =>
    audit.acts.filter((act) => act.requestId === requestId);

  it.each<[Role, Record<Permission, number>]>([
    ['User', { read: 403, moderate: 403, money: 403, administer: 403 }],
    ['Support', { read: 200, moderate: 200, money: 403, administer: 403 }],
    ['Finance', { read: 200, moderate: 403, money: 200, administer: 403 }],
    ['Admin', { read: 200, moderate: 200, money: 200, administer: 200 }],
  ])('admits only roles with its permission: %s', async (role, expected) => {
    const got: Record<string, number> = {};
    for (const permission of permissions) got[permission] = (await call(permission, role)).status;

    expect(got).toEqual(expected);
  });

  it('records an admin once, with the role, the subject and the fields that it names', async () => {
    const { headers } = await call('money', 'Finance', { cents: 5, reason: 'Broken.' });

    expect(actsOf(headers.get('x-request-id'))).toEqual([
      expect.objectContaining({
        actorId: adminId,
        actorRole: 'Finance',
        action: 'POST /change/money/:userId',
        subject: owner,
        details: { cents: 5, reason: 'Broken.' },
      }),
    ]);
  });

  it('records neither an owner, nor a rejected admin, nor a change that fails', async () => {
    const token = await accounts.sign({ userId: owner, role: 'Admin' });
    const replies = [
      await client.post(`/change/money/${owner}`, { token, body: {} }),
      await call('money', 'Support'),
      await call('money', 'Finance', { cents: 0 }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 403, 403]);
    expect(replies.flatMap(({ headers }) => actsOf(headers.get('x-request-id')))).toEqual([]);
  });

  it('records the subject also if an administrator acts on their own account', async () => {
    const token = await accounts.sign({ userId: owner, role: 'Admin' });

    const { headers } = await client.get(`/admin/${owner}`, { token });

    expect(actsOf(headers.get('x-request-id'))).toMatchObject([{ subject: owner }]);
  });

  it('records fields of the query, and of a search text only that it was given', async () => {
    const token = await accounts.sign({ role: 'Support' });

    const { headers } = await client.get('/search?text=ann@example.org&state=open', { token });

    expect(actsOf(headers.get('x-request-id'))).toMatchObject([
      { details: { text: true, state: 'open' } },
    ]);
  });

  it('does not record counts', async () => {
    const token = await accounts.sign({ role: 'Support' });

    const { status, headers } = await client.get('/counts', { token });

    expect(status).toBe(200);
    expect(actsOf(headers.get('x-request-id'))).toEqual([]);
  });

  it('replies with an error if it cannot record', async () => {
    audit.isDown = true;
    const { status, body } = await call('read', 'Admin').finally(() => {
      audit.isDown = false;
    });

    expect(status).toBe(500);
    expect(body.message).not.toContain('changed');
  });
});

describe('a service', () => {
  it('replies with the status that the route defines', async () => {
    const { status, body } = await client.post('/save', { body: { name: 'Saw' } });

    expect({ status, body }).toEqual({ status: 201, body: { name: 'Saw' } });
  });

  it('forbids caching a reply to a signed-in user', async () => {
    const path = `/anyone/${randomUUID()}`;
    const userId = randomUUID();
    const token = await accounts.sign({ userId });
    const { headers: unknown } = await client.get(path);
    const headers = { 'if-none-match': unknown.get('etag') as string };

    const known = await client.get(path, { token, headers });
    const stale = await client.get(path, { token: 'stale', headers });
    const own = await client.get(`/user/${userId}`, { token, headers });

    for (const { status, headers: answered } of [known, stale, own]) {
      expect(status).toBe(200);
      expect(answered.get('cache-control')).toBe('no-store');
      expect(answered.get('etag')).toBeNull();
    }
  });

  it('lets anonymous callers cache a reply with revalidation, and sends a changed reply again', async () => {
    const path = '/list/2000';

    const first = await client.get(path);
    const headers = { 'if-none-match': first.headers.get('etag') as string };
    const [same, other] = [
      await client.get(path, { headers }),
      await client.get('/list/2001', { headers }),
    ];

    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    expect(first.headers.get('vary')).toBe('Authorization, Accept-Encoding');
    expect(same).toMatchObject({ status: 304, body: '' });
    expect(same.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(other).toMatchObject({ status: 200, body: { message: 'x'.repeat(2001) } });
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5, identity', null],
    ['zstd', null],
    ['', null],
  ])('compresses a reply for Accept-Encoding "%s"', async (accepted, packing) => {
    const headers = { 'accept-encoding': accepted };

    const long = await client.get('/list/2000', { headers });
    const short = await client.get('/list/20', { headers });

    expect(long.headers.get('content-encoding')).toBe(packing);
    expect(long.body).toEqual({ message: 'x'.repeat(2000) });
    expect(short.headers.get('content-encoding')).toBeNull();
  });

  it('does not compress the reply to a POST, because it may contain a token', async () => {
    const body = { name: 'long' };

    const { headers } = await client.post('/save', { body, headers: { 'accept-encoding': 'br' } });

    expect(headers.get('content-encoding')).toBeNull();
  });

  it('names each invalid field of a request in the reply', async () => {
    const { status, headers, body } = await client.post('/save', {
      body: { lines: [{ quantity: 1 }, { quantity: 1.5 }] },
    });

    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: 'Please enter a name',
      message: 'Please enter a name',
      requestId: headers.get('x-request-id'),
    });
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual([
      'name',
      'lines[1].quantity',
    ]);
  });

  it.each([['text/plain'], ['text/xml'], ['multipart/form-data; boundary=x']])(
    'rejects a body of type %s instead of ignoring it',
    async (type) => {
      const headers = { 'content-type': type };
      const send = (body: string) =>
        fetch(`${running.url}/decline`, { method: 'POST', headers, body });

      const reply = await send('{"note":"hello"}');

      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ code: 'REQUEST_UNREADABLE' });
      expect(await (await send('')).json()).toEqual({ message: 'no note' });
    },
  );

  it('names each invalid field once, even if it breaks several rules', async () => {
    const { body } = await client.post('/save', { body: { name: '' } });

    expect(body.errors).toEqual([{ msg: 'Please enter a name', path: 'name' }]);
  });

  it('names at most fifty invalid fields', async () => {
    const lines = Array.from({ length: 1_000 }, () => ({ quantity: 'many' }));

    const { status, body } = await client.post('/save', { body: { name: 'Saw', lines } });

    expect([status, body.errors.length]).toEqual([400, 50]);
  });

  it.each([
    ['32 kB', '/save', 32],
    ['the limit of the route', '/short', 1],
  ])('rejects a JSON body beyond %s', async (_, path, kb) => {
    const ask = (bytes: number) =>
      client.post(path, { body: { name: 'Saw', more: 'x'.repeat(bytes) } });

    const [most, more] = [await ask(kb * 1024 - 100), await ask(kb * 1024)];

    expect(most.status).toBe(201);
    expect(more).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
  });

  it('sends the code, field and details of an error', async () => {
    const { status, body } = await client.post('/save', { body: { name: 'rejected' } });

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'EMAIL_TAKEN',
      best: 'Saw',
      errors: [{ msg: 'This name is taken.', path: 'name' }],
    });
  });

  it.each([['read-only'], ['too slow'], ['disk full']])(
    'replies 503 with Retry-After and no details when the database is %s',
    async (name) => {
      const { status, body, headers } = await client.post('/save', { body: { name } });

      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('5');
      expect(body).toMatchObject({ code: 'UNAVAILABLE', detail: body.message });
      expect(JSON.stringify(body)).not.toContain('canary');
    },
  );

  it.each([['broken'], ['lying']])(
    'does not reveal the cause of an unexpected error (%s)',
    async (name) => {
      const { status, body } = await client.post('/save', { body: { name } });

      expect(status).toBe(500);
      expect(body).toMatchObject({ code: 'INTERNAL_ERROR' });
      expect(JSON.stringify(body)).not.toMatch(/canary|secret|schema/);
    },
  );

  it.each([
    ['malformed JSON', { headers: { 'content-type': 'application/json' }, body: '{"name":' }, 400],
    ['a body that is too large', { body: JSON.stringify({ name: 'x'.repeat(200_000) }) }, 413],
    [
      'a truncated form',
      { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x\r\n' },
      400,
    ],
  ])(
    'rejects %s',
    async (_, { headers, body }: { headers?: Record<string, string>; body: string }, expected) => {
      const reply = await fetch(`${running.url}/save`, {
        method: 'POST',
        headers: headers ?? { 'content-type': 'application/json' },
        body,
      });

      expect(reply.status).toBe(expected);
      expect(await reply.json()).toMatchObject({ status: expected, errors: [{ path: '' }] });
    },
  );

  it('rejects a picture in an unexpected field and one that is too large', async () => {
    const [stray, huge] = [new FormData(), new FormData()];
    stray.set('passport', new Blob(['x']), 'x.png');
    huge.set('image', new Blob([new Uint8Array(11 * 1024 * 1024)]), 'x.png');

    expect((await client.post('/save', { body: stray })).body.code).toBe('UPLOAD_REJECTED');
    expect((await client.post('/save', { body: huge })).status).toBe(413);
  });

  it('replies with a 404 problem document to an unknown path', async () => {
    expect(await client.get('/nothing')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });
});

describe('a rejected request', () => {
  it('is logged with the path of its route, not with the requested path', async () => {
    const requested = randomUUID();

    await client.get(`/self/${requested}`);

    expect(logged.at(-1)).toMatchObject({ msg: 'refused', path: '/self/:userId' });
    expect(JSON.stringify(logged)).not.toContain(requested);
  });

  it('is logged with the id of the user who sent it', async () => {
    const userId = randomUUID();
    await client.get(`/admin/${randomUUID()}`, { token: await accounts.sign({ userId }) });

    expect(logged.at(-1)).toMatchObject({ msg: 'refused', code: 'FORBIDDEN', userId });
  });

  it('is logged without the input if the input was invalid', async () => {
    await client.post('/save', { body: { name: 'a canary that is too long' } });

    expect(logged.at(-1)).toMatchObject({ msg: 'refused', code: 'VALIDATION_FAILED' });
    expect(JSON.stringify(logged)).not.toContain('a canary');
  });
});

describe('a service that accepts uploads', () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => void jest.restoreAllMocks());

  const open = new Set<ServerResponse>();
  beforeAll(() => {
    running.server.on('request', (_, response: ServerResponse) => {
      open.add(response);
      response.once('close', () => open.delete(response));
    });
  });
  const begun: ClientRequest[] = [];
  const endAll = async (): Promise<void> => {
    for (const requested of begun.splice(0)) requested.destroy();
    await waitFor('all to end', () => open.size === 0);
  };
  afterEach(endAll);

  /** One upload of this size does not fit beside five unfinished ones. */
  const upload = (
    address: string,
    { bytes = 8e6, token }: { bytes?: number; token?: string } = {},
  ) => {
    const body = new FormData();
    body.set('name', 'Saw');
    body.set('image', new Blob([new Uint8Array(bytes)]), 'x.png');
    return client.post('/save', { body, token, headers: { 'x-forwarded-for': address } });
  };
  /** Starts uploads of 11 MB that stall after some bytes. Five fit in the share of a network, ten in all. */
  const begin = async (
    addresses: string[],
    bytes = 0,
    token?: string,
  ): Promise<ClientRequest[]> => {
    const known = new Set(open);
    const uploads = addresses.map((address) => {
      const headers = {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 11e6,
        'x-forwarded-for': address,
        ...(token && { authorization: `Bearer ${token}` }),
      };
      const requested = request(`${running.url}/save`, { method: 'POST', headers, agent: false });
      requested.on('error', () => {}).write('--x\r\n');
      begun.push(requested);
      return requested;
    });
    const arrived = await waitFor('their places', () => {
      const begunHere = [...open].filter((response) => !known.has(response));
      return begunHere.length === uploads.length && begunHere;
    });
    for (const requested of uploads) requested.write('x'.repeat(bytes));
    await waitFor('their bytes', () => arrived.every(({ req }) => req.socket.bytesRead >= bytes));
    return uploads;
  };
  const statusOf = async (requested: ClientRequest): Promise<number | undefined> =>
    (await once(requested, 'response'))[0].statusCode;
  const times = (count: number, address: string) => Array<string>(count).fill(address);

  it('limits the concurrent uploads from all addresses of a network together', async () => {
    await begin([1, 2, 3, 4, 5].map((host) => `2001:db8:1:2::${host}`));

    const { status } = await upload('2001:db8:1:2::99');
    const other = await upload('2001:db8:1:3::1');

    expect([status, other.status]).toEqual([503, 201]);
    await endAll();
    expect((await upload('2001:db8:1:2::99')).status).toBe(201);
  });

  it('limits the concurrent uploads of an IPv6 /48, but less strictly than those of a /64', async () => {
    await begin([1, 2, 3, 4, 5, 6, 7, 8].map((network) => `2001:db8:1:${network}::1`));

    const { status } = await upload('2001:db8:1:99::1');
    const other = await upload('2001:db8:2:1::1');

    expect([status, other.status]).toEqual([503, 201]);
  });

  it('limits the concurrent uploads of a user, over IPv4 and IPv6 together', async () => {
    const token = await accounts.sign();
    await begin(times(3, '10.0.1.1'), 0, token);
    await begin(times(2, '2001:db8:1:2::1'), 0, token);

    const { status } = await upload('10.0.2.1', { token });
    const neighbor = await upload('10.0.1.1', { token: await accounts.sign() });

    expect([status, neighbor.status]).toEqual([503, 201]);
  });

  it('replies 503 to uploads beyond the limit of the process, until earlier uploads finish', async () => {
    await begin(times(5, '10.0.1.1'));
    const { status, headers, body } = await upload('10.0.1.1');
    const [small, other] = [await upload('10.0.1.1', { bytes: 1_000 }), await upload('10.0.2.1')];
    await begin(times(5, '10.0.3.1'));
    const beyond = await upload('10.0.2.1');

    await endAll();

    expect((await upload('10.0.1.1')).status).toBe(201);
    expect([status, body.code, beyond.status]).toEqual([503, 'UNAVAILABLE', 503]);
    expect(headers.get('retry-after')).toBe('5');
    expect([small.status, other.status]).toEqual([201, 201]);
    expect(logged.filter(({ err }) => err?.message.startsWith('Request'))).toEqual([]);
  });

  it('rejects an upload before reading it when it announces more than the form may contain', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 12e6 };
    const requested = request(`${running.url}/save`, { method: 'POST', headers, agent: false });
    begun.push(requested.on('error', () => {}));
    requested.flushHeaders();

    expect(await statusOf(requested)).toBe(413);
  });

  it('ends trickling uploads to make room for new ones, however many networks they come from', async () => {
    const [quick] = await begin(['10.0.1.1'], 50_000);
    const slow = await begin([...times(5, '10.0.2.1'), ...times(4, '10.0.3.1')]);
    nowMs += 3_000;

    const rejected = Promise.race(slow.map(statusOf));
    const third = await upload('10.0.4.1');

    expect(third.status).toBe(201);
    expect(await rejected).toBe(408);
    await waitFor('one to be gone', () => open.size === 9);
    expect(quick?.destroyed).toBe(false);
    await endAll();
    expect(logged.filter(({ err }) => err?.message.startsWith('Request'))).toEqual([]);
  });

  it('ends the slowest uploads of a network first to make room', async () => {
    const quick = await begin(times(4, '10.0.1.1'), 50_000);
    const [slow] = (await begin(['10.0.1.1'])) as [ClientRequest];
    nowMs += 3_000;

    const rejected = statusOf(slow);
    const { status } = await upload('10.0.1.1');

    expect(status).toBe(201);
    expect(await rejected).toBe(408);
    expect(quick.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  });
});

describe('the probe routes', () => {
  it('reports liveness, readiness and metrics', async () => {
    expect((await client.get('/livez')).status).toBe(200);
    expect((await client.get('/readyz')).status).toBe(200);
    expect((await client.get('/metrics')).body).toContain('http_request_duration_seconds_count');
  });
});
