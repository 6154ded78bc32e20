import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient } from '@lendtools/testing';
import {
  type AccountsService,
  cookieOf,
  password,
  sameSite,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newSession = async () => accounts.logIn((await accounts.signUp()).email);

const letTimePass = async (userId: string, time: string) => {
  await accounts.pool.query(
    `UPDATE refresh_tokens SET used_at = used_at - $2::interval WHERE session_id IN
       (SELECT id FROM sessions WHERE user_id = $1)`,
    [userId, time],
  );
};

const canRead = async ({ userId, token }: { userId: string; token: string }) =>
  (await accounts.http.put(`/api/update-account/${userId}`, { token, body: {} })).status === 200;

describe('POST /api/refresh-token', () => {
  it('returns a new access token and the next refresh token', async () => {
    const session = await newSession();

    const reply = await accounts.refresh(session.cookie);
    const next = await accounts.refresh(cookieOf(reply.headers));

    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ user: { id: session.userId }, token: expect.any(String) });
    expect(cookieOf(reply.headers)).not.toBe(session.cookie);
    expect(await canRead({ ...session, token: reply.body.token })).toBe(true);
    expect(next.status).toBe(200);
  });

  it('returns the same successor for a token reused within two minutes, even concurrently on two replicas', async () => {
    const { cookie } = await newSession();
    const replica = await accounts.startReplica();
    try {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          accounts.refresh(cookie, i % 2 ? replica.http : accounts.http),
        ),
      );

      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(new Set(replies.map(({ headers }) => cookieOf(headers))).size).toBe(1);
    } finally {
      await replica.stop();
    }
  });

  it('ends the session and its access on every replica when a token is reused after two minutes', async () => {
    const session = await newSession();
    const refreshed = await accounts.refresh(session.cookie);
    await letTimePass(session.userId, '121 seconds');

    const stolen = await accounts.refresh(session.cookie);
    const successor = await accounts.refresh(cookieOf(refreshed.headers));
    const ended = await accounts.broker.expectEvent(
      'SessionEnded',
      ({ userId }) => userId === session.userId,
    );

    expect(stolen).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    expect(stolen.headers.get('set-cookie')).toContain('refresh_token=; ');
    expect(successor.status).toBe(401);
    expect(ended.data.sessionId).toBeDefined();
    expect(await canRead({ ...session, token: refreshed.body.token })).toBe(false);
  });

  it('ends the session only once if a thief and the owner concurrently send a used token', async () => {
    const session = await newSession();
    const { headers } = await accounts.refresh(session.cookie);
    await letTimePass(session.userId, '3 minutes');

    const replies = await Promise.all(
      Array.from({ length: 10 }, () => accounts.refresh(session.cookie)),
    );
    const after = await accounts.refresh(cookieOf(headers));

    const { rows } = await accounts.pool.query(
      `SELECT 1 FROM outbox_messages WHERE type = 'SessionEnded' AND envelope->'data'->>'userId' = $1`,
      [session.userId],
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(401));
    expect(after.status).toBe(401);
    expect(rows).toHaveLength(1);
  });

  it("keeps the user's other sessions when it ends one", async () => {
    const { email } = await accounts.signUp();
    const [phone, laptop] = [await accounts.logIn(email), await accounts.logIn(email)];
    await accounts.refresh(phone.cookie);
    await letTimePass(phone.userId, '1 hour');
    await accounts.refresh(phone.cookie);

    const reply = await accounts.refresh(laptop.cookie);

    expect(reply.status).toBe(200);
    expect(await canRead(laptop)).toBe(true);
  });

  it('stores only hashes of tokens', async () => {
    const { cookie } = await newSession();
    const token = cookie.split('=')[1] as string;

    const { rows } = await accounts.pool.query(
      `SELECT 1 FROM refresh_tokens WHERE encode(hash, 'escape') LIKE '%' || $1 || '%'`,
      [token],
    );

    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(rows).toHaveLength(0);
  });

  it('rejects an expired session', async () => {
    const { cookie, userId } = await newSession();
    await accounts.pool.query('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [
      userId,
    ]);

    expect((await accounts.refresh(cookie)).status).toBe(401);
  });

  it('ends a session 90 days after its login, however often it is used', async () => {
    const { cookie, userId } = await newSession();
    const age = (days: number) =>
      accounts.pool.query(
        `UPDATE sessions SET created_at = now() - $2 * interval '1 day' WHERE user_id = $1`,
        [userId, days],
      );
    await age(89);

    const used = await accounts.refresh(cookie);
    const { rows } = await accounts.pool.query(
      `SELECT expires_at < now() + interval '25 hours' AS "isCapped" FROM sessions WHERE user_id = $1`,
      [userId],
    );
    await age(90);
    const late = await accounts.refresh(cookieOf(used.headers));

    expect(used.status).toBe(200);
    expect(rows).toEqual([{ isCapped: true }]);
    expect(late).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
  });

  it('rejects a disabled user with ACCOUNT_DISABLED', async () => {
    const { cookie, userId } = await newSession();
    await accounts.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);

    const reply = await accounts.refresh(cookie);

    expect(reply).toMatchObject({ status: 403, body: { code: 'ACCOUNT_DISABLED' } });
  });

  it.each([
    '',
    'refresh_token=',
    'refresh_token=unknown',
    'other=1',
    `refresh_token=${'x'.repeat(5000)}`,
  ])('replies 401 to the cookie %s', async (cookie) => {
    const reply = await accounts.refresh(cookie);

    expect(reply).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
  });

  it('rejects an access token in place of a refresh token, and vice versa', async () => {
    const session = await newSession();

    const asRefresh = await accounts.refresh(`refresh_token=${session.token}`);
    const asAccess = await canRead({ ...session, token: session.cookie.split('=')[1] as string });

    expect(asRefresh.status).toBe(401);
    expect(asAccess).toBe(false);
  });
});

describe('the accounts service, which can also return refresh tokens in the body', () => {
  const logIn = async (headers: Record<string, string> = {}) => {
    const { email } = await accounts.signUp();
    const body = { email, password, returnRefreshToken: true };
    return accounts.http.post('/api/login', { body, headers });
  };
  const refresh = (refreshToken: string, headers: Record<string, string> = {}) =>
    accounts.http.post('/api/refresh-token', { body: { refreshToken }, headers });

  it('returns the refresh token to a client without cookies, and exchanges it for the next one', async () => {
    const first = await logIn();

    const second = await refresh(first.body.refreshToken);
    const third = await refresh(second.body.refreshToken);

    const tokens = [first, second, third].map(({ body }) => body.refreshToken);
    expect([first, second, third].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(tokens).size).toBe(3);
    for (const { headers } of [first, second, third]) expect(headers.get('set-cookie')).toBeNull();
    expect(await canRead({ userId: first.body.user.id, token: third.body.token })).toBe(true);
  });

  it('ends the session at a logout with the refresh token in the body', async () => {
    const { body } = await logIn();

    await accounts.http.post('/api/logout', { body: { refreshToken: body.refreshToken } });

    expect((await refresh(body.refreshToken)).status).toBe(401);
  });

  it.each([
    ['our own page', sameSite],
    ['our own page in an old browser', { origin: 'http://lendtools.test' }],
  ])('returns the refresh token to %s only as a cookie', async (_name, headers) => {
    const login = await logIn(headers as Record<string, string>);
    const { body } = await logIn();

    const refreshed = await refresh(body.refreshToken, headers as Record<string, string>);

    for (const reply of [login, refreshed]) {
      expect(reply.status).toBe(200);
      expect(reply.body.refreshToken).toBeUndefined();
      expect(cookieOf(reply.headers)).toMatch(/^refresh_token=[\w-]{43}$/);
    }
  });

  it('rejects a request for the refresh token by a page of another site', async () => {
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    const { body } = await logIn();

    const replies = [await logIn(elsewhere), await refresh(body.refreshToken, elsewhere)];

    expect(replies.map((reply) => reply.body.code)).toEqual(['CROSS_SITE', 'CROSS_SITE']);
    expect(JSON.stringify(replies)).not.toContain('refreshToken');
  });

  it('returns no refresh token in the body of a login or refresh that did not request it', async () => {
    const { email } = await accounts.signUp();
    const { body, headers } = await accounts.http.post('/api/login', { body: { email, password } });

    const refreshed = await accounts.refresh(cookieOf(headers));

    expect([body.refreshToken, refreshed.body.refreshToken]).toEqual([undefined, undefined]);
    expect([body, refreshed.body].map(({ token }) => typeof token)).toEqual(['string', 'string']);
  });
});

describe.each(['/api/refresh-token', '/api/logout'])('POST %s with a refresh cookie', (path) => {
  const post = async (headers: Record<string, string>) => {
    const { cookie } = await newSession();
    return httpClient(accounts.url).post(path, { headers: { cookie, ...headers } });
  };

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'http://lendtools.test' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['an old browser on another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a form without origin headers', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a client without any of these headers', {}],
  ])('rejects a request from %s', async (_name, headers) => {
    const reply = await post(headers as Record<string, string>);

    expect(reply).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } });
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it.each([
    ['our own page', sameSite],
    ['our own page in an old browser', { origin: 'http://lendtools.test' }],
    ['a client with a header of its own', { 'x-requested-with': 'curl' }],
  ])('accepts a request from %s', async (_name, headers) => {
    expect((await post(headers as Record<string, string>)).status).toBe(200);
  });
});
