import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hangsAfterMs } from '@lendtools/testing';
import { decodeJwt } from 'jose';
import {
  type AccountsService,
  cookieOf,
  medianGap,
  noGap,
  password,
  randomAddress,
  startAccountsService,
  timeMs,
} from '../../../test/accounts-service.ts';
import { createPasswordHasher } from '../../credentials/password-hasher.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const logIn = (body: unknown, headers: Record<string, string> = {}, service = accounts) =>
  service.http.post('/api/login', { body, headers });

describe('POST /api/login', () => {
  it('returns the user with a token that grants access to their account', async () => {
    const person = await accounts.signUp();

    const reply = await logIn({ email: person.email.toUpperCase(), password });
    const self = await accounts.http.get(`/api/get-user-by-email/${person.email}`, {
      token: reply.body.token,
    });

    expect(reply.status).toBe(200);
    expect(reply.body.user).toMatchObject({ id: person.id, token: reply.body.token, role: 'User' });
    expect(self.body.user).toMatchObject({ id: person.id, email: person.email });
  });

  it('accepts a password from before the current rules', async () => {
    const { email } = await accounts.signUp();
    const passwordHash = await (await createPasswordHasher()).hash('sunny');
    await accounts.pool.query('UPDATE users SET password_hash = $2 WHERE email = $1', [
      email,
      passwordHash,
    ]);

    expect((await logIn({ email, password: 'sunny' })).status).toBe(200);
  });

  it('sets the refresh token as an HttpOnly, SameSite=Strict cookie', async () => {
    const { email } = await accounts.signUp();

    const reply = await logIn({ email, password });

    const [cookie = ''] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^refresh_token=[\w-]{43}; .*Path=\/api;.* HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain('Secure');
    expect(JSON.stringify(reply.body)).not.toContain(cookieOf(reply.headers).split('=')[1]);
  });

  it('marks the cookie Secure on an https site', async () => {
    const secure = await startAccountsService({ PUBLIC_URL: 'https://lendtools.test' });
    try {
      const { email } = await secure.signUp();
      const reply = await logIn({ email, password }, {}, secure);

      expect(reply.headers.getSetCookie().filter((cookie) => !/; Secure;/.test(cookie))).toEqual(
        [],
      );
    } finally {
      await secure.stop();
    }
  });

  it('sends the same reply to a wrong password and an unknown email, in the same time', async () => {
    const { email } = await accounts.signUp();
    const wrong = { email, password: 'not the password' };
    const unknown = { email: `no-${email}`, password };

    const [first, second] = await Promise.all([logIn(wrong), logIn(unknown)]);
    const gap = await medianGap(
      () => logIn(wrong),
      () => logIn(unknown),
      21,
    );

    const { requestId: _, ...words } = first.body;
    expect(first.status).toBe(401);
    expect(second.status).toBe(401);
    expect(second.body).toMatchObject(words);
    expect(words).toMatchObject({
      code: 'LOGIN_FAILED',
      message: 'The email or the password is wrong.',
    });
    expect(gap).toBeLessThan(noGap);
  });

  it.each([
    [{ email: { $ne: null }, password }],
    [{ email: 'sam@example.com', password: { $ne: null } }],
    [{ email: ['sam@example.com'], password }],
    [[]],
  ])('rejects a login with the body %j', async (body) => {
    expect((await logIn(body)).status).toBe(400);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('rejects a login from a page that sends %j', async (headers) => {
    const { email } = await accounts.signUp();

    const reply = await logIn({ email, password }, headers as Record<string, string>);

    expect(reply.status).toBe(403);
    expect(reply.body.code).toBe('CROSS_SITE');
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it('starts a new session even if the client brings the cookie and token of another one', async () => {
    const { email } = await accounts.signUp();
    const attacker = await accounts.logIn((await accounts.signUp()).email);
    const { cookie, token } = attacker;

    const reply = await accounts.http.post('/api/login', {
      body: { email, password },
      token,
      headers: { cookie },
    });
    await accounts.http.post('/api/logout', { token });

    const own = { cookie: cookieOf(reply.headers), token: reply.body.token as string };
    expect(own.cookie).not.toBe(cookie);
    expect(decodeJwt(own.token).sid).not.toBe(decodeJwt(token).sid);
    expect((await accounts.refresh(own.cookie)).body.user.email).toBe(email);
  });

  describe('from any device', () => {
    const from = (network: string, cookie = '') => ({
      'x-forwarded-for': network,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      cookie,
    });
    const warningsTo = async (email: string) => {
      const { rows } = await accounts.pool.query(
        `SELECT envelope->'data' AS data FROM outbox_messages
         WHERE type = 'NewDeviceLoggedIn' AND envelope->'data'->>'email' = $1`,
        [email],
      );
      return rows.map(({ data }) => data);
    };

    it('warns of a new device, but not at the first login of a new account', async () => {
      const { email, id } = await accounts.signUp();
      await logIn({ email, password }, from('192.0.2.1'));
      expect(await warningsTo(email)).toEqual([]);

      await logIn({ email, password }, from('8.8.8.8'));

      expect(await warningsTo(email)).toMatchObject([
        { userId: id, device: 'Firefox on Linux', place: 'United States' },
      ]);
    });

    it('does not warn of a device with its cookie, or with the same browser and network as before', async () => {
      const { email } = await accounts.signUp();
      const { headers } = await logIn({ email, password }, from('192.0.2.1'));
      const device = deviceOf(headers);

      await logIn({ email, password }, from('8.8.8.8', device));
      await logIn({ email, password }, from('192.0.2.77'));

      expect(await warningsTo(email)).toEqual([]);
    });

    it('warns if an old account has no stored session', async () => {
      const { email } = await accounts.signUp();
      await accounts.pool.query(
        `UPDATE users SET created_at = now() - interval '1 year' WHERE email = $1`,
        [email],
      );

      await logIn({ email, password }, from('192.0.2.1'));

      expect(await warningsTo(email)).toMatchObject([{ device: 'Firefox on Linux', place: null }]);
    });
  });

  it('reports that the user is disabled only if the password is right', async () => {
    const { email, id } = await accounts.signUp();
    const { token } = await accounts.logInAdmin();
    await accounts.http.put(`/api/users/${id}`, { token, body: { disabled: true } });

    const right = await logIn({ email, password });
    const wrong = await logIn({ email, password: 'not the password' });

    expect(right).toMatchObject({ status: 403, body: { code: 'ACCOUNT_DISABLED' } });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'LOGIN_FAILED' } });
  });
});

describe('POST /api/login under attack', () => {
  let limited: AccountsService;
  beforeAll(async () => {
    limited = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
  });
  afterAll(() => limited.stop());

  /** Guesses again if the service was too busy to decide. */
  const guess = async (email: string, address: string): ReturnType<typeof logIn> => {
    const headers = { 'x-forwarded-for': address };
    const reply = await logIn({ email, password: 'a guess' }, headers, limited);
    return reply.status === 503 ? guess(email, address) : reply;
  };

  it("checks ten of a thousand guesses from one address, and still lets the account's owner log in", async () => {
    const { email } = await limited.signUp();
    const address = randomAddress();

    const replies = await inParallel(1000, 50, () => guess(email, address));
    const owner = await limited.logIn(email);

    const looked = replies.filter(({ status }) => status === 401);
    const rejected = replies.filter(({ status }) => status === 429);
    expect([looked.length, rejected.length]).toEqual([10, 990]);
    expect(Number(rejected[0]?.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(owner.token).toBeDefined();
  });

  it("slows down guesses from a hundred addresses, and still lets the account's owner log in", async () => {
    const { email } = await limited.signUp();
    const addresses = Array.from({ length: 100 }, randomAddress);

    await inParallel(100, 100, (i) => guess(email, addresses[i] as string));
    const ownerMs = await timeMs(() => expect(limited.logIn(email)).resolves.toBeDefined());

    expect(ownerMs).toBeGreaterThan(1_400);
    expect(ownerMs).toBeLessThan(hangsAfterMs);
  });

  it('limits all logins from one address together, whether or not the accounts exist', async () => {
    const address = randomAddress();

    const replies = await inParallel(110, 10, (i) => guess(`nobody-${i}@example.com`, address));

    expect(replies.filter(({ status }) => status === 401)).toHaveLength(100);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('limits the networks of an IPv6 /48 together, at sixteen times the limit of one network', async () => {
    const { email } = await limited.signUp();

    const replies = await inParallel(200, 50, (i) =>
      guess(email, `2001:db8:1:${(i << 8).toString(16)}::1`),
    );
    const elsewhere = await guess(email, '2001:db8:2::1');

    expect(replies.filter(({ status }) => status === 401)).toHaveLength(160);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40);
    expect(elsewhere.status).toBe(401);
  });

  it('accepts a login from a known device despite guesses from its network', async () => {
    const { email } = await limited.signUp();
    const address = randomAddress();
    const logInWith = (cookie: string, typed = password) =>
      logIn({ email, password: typed }, { 'x-forwarded-for': address, cookie }, limited);
    const first = await logInWith('');
    const cookie = deviceOf(first.headers);
    await inParallel(110, 10, (i) => guess(i < 20 ? email : `nobody-${i}@example.com`, address));

    const stranger = await logInWith('');
    const known = await logInWith(cookie);
    const other = await logIn(
      { email: (await limited.signUp()).email, password },
      { 'x-forwarded-for': address, cookie },
      limited,
    );

    expect([first.status, stranger.status, known.status, other.status]).toEqual([
      ...[200, 429, 200, 429],
    ]);
  });

  it('allows ten guesses from a known device in addition to the guesses from unknown devices', async () => {
    const { email } = await limited.signUp();
    const headers = { 'x-forwarded-for': randomAddress() };
    const first = await logIn({ email, password }, headers, limited);
    const known = { ...headers, cookie: deviceOf(first.headers) };

    const replies = await inParallel(25, 1, () =>
      logIn({ email, password: 'a guess' }, known, limited),
    );

    expect(replies.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  it('does not count successful logins towards the limits', async () => {
    const { email } = await limited.signUp();
    const address = randomAddress();

    const replies = await inParallel(15, 1, () =>
      logIn({ email, password }, { 'x-forwarded-for': address }, limited),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array(15).fill(200));
  });
});

const deviceOf = (headers: Headers): string =>
  /device=[^;]+/.exec(headers.getSetCookie().join())?.[0] ?? '';

const inParallel = async <T>(times: number, atOnce: number, work: (i: number) => Promise<T>) => {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const i = next++;
      results[i] = await work(i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};
