import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  medianGap,
  noGap,
  randomAddress,
  startAccountsService,
  timeMs,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const request = (email: string, headers: Record<string, string> = {}) =>
  accounts.http.post('/api/request-password-token', { body: { email }, headers });

describe.each(['/api/request-password-token', '/api/user-request-password-token'])(
  'POST %s',
  (path) => {
    it('sends the same reply for a known and an unknown email, in the same time', async () => {
      const { email } = await accounts.signUp();
      const ask = (typed: string) => accounts.http.post(path, { body: { email: typed } });

      const [known, unknown] = [await ask(email), await ask(`no-${email}`)];
      const gap = await medianGap(
        () => ask(email),
        () => ask(`no-${email}`),
        11,
      );
      const unknownMs = await timeMs(() => ask(`no-${email}`));

      expect(known.status).toBe(200);
      expect(unknown).toMatchObject({ status: 200, body: known.body });
      expect(gap).toBeLessThan(noGap);
      // Every reply is delayed by 100 ms, which is far longer than the work for a known email takes.
      expect(unknownMs).toBeGreaterThan(98);
    });
  },
);

describe('a request for a password link', () => {
  it('creates a token of 256 bits, stores only its hash, and removes the token from the outbox once published', async () => {
    const user = await accounts.signUp();
    await request(user.email);
    const { data } = await accounts.broker.expectEvent(
      'PasswordResetRequested',
      ({ userId }) => userId === user.id,
    );

    const { rows } = await accounts.pool.query<{ hash: Buffer; minutes: number }>(
      `SELECT hash, extract(epoch FROM expires_at - now())::float8 / 60 AS minutes
       FROM mailed_tokens WHERE user_id = $1 AND purpose = 'password'`,
      [user.id],
    );

    expect(Buffer.from(data.token, 'base64url')).toHaveLength(32);
    expect(rows[0]?.hash.toString()).not.toContain(data.token);
    expect(rows[0]?.minutes).toBeGreaterThan(29);
    expect(rows[0]?.minutes).toBeLessThanOrEqual(30);
  });

  it("sends the link to the account's address, whatever the Host header", async () => {
    const user = await accounts.signUp();

    await request(user.email, { 'x-forwarded-host': 'evil.example', host: 'evil.example' });
    const { data } = await accounts.broker.expectEvent(
      'PasswordResetRequested',
      ({ userId }) => userId === user.id,
    );

    expect(data).toEqual({
      userId: user.id,
      email: user.email,
      firstName: 'Sam',
      token: expect.any(String),
    });
  });

  it('creates no token for a disabled user', async () => {
    const user = await accounts.signUp();
    await accounts.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);

    const reply = await request(user.email);

    const { rows } = await accounts.pool.query(
      `SELECT 1 FROM mailed_tokens WHERE user_id = $1 AND purpose = 'password'`,
      [user.id],
    );
    expect(reply.status).toBe(200);
    expect(rows).toHaveLength(0);
  });
});

describe('a route that sends or uses an emailed link', () => {
  it.each([
    '/api/request-password-token',
    '/api/user-request-password-token',
    '/api/reset-password',
    '/api/confirm-email',
  ])('rejects a request to %s by a page of another site', async (path) => {
    const { email } = await accounts.signUp();
    const body = { email, token: 'guessed', newPassword: 'a quite different one' };

    const reply = await accounts.http.post(path, {
      body,
      headers: { 'sec-fetch-site': 'cross-site' },
    });

    expect(reply).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } });
  });
});

describe('the accounts service', () => {
  let limited: AccountsService;
  beforeAll(async () => {
    limited = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
  });
  afterAll(() => limited.stop());

  const ask = (email: string, address = randomAddress()) =>
    limited.http.post('/api/user-request-password-token', {
      body: { email },
      headers: { 'x-forwarded-for': address },
    });
  const statuses = async (requests: ReturnType<typeof ask>[]) =>
    (await Promise.all(requests)).map(({ status }) => status).sort();
  const countLinks = async (userId: string): Promise<number | null> => {
    const { rowCount } = await limited.pool.query(
      `SELECT FROM mailed_tokens WHERE user_id = $1 AND purpose = 'password'`,
      [userId],
    );
    return rowCount;
  };

  it('accepts five requests for a password link per hour, email and network, whether or not the email is known', async () => {
    const { email } = await limited.signUp();

    for (const typed of [email, `no-${email}`]) {
      const address = randomAddress();
      const six = Array.from({ length: 6 }, () => ask(typed, address));

      expect(await statuses(six)).toEqual([200, 200, 200, 200, 200, 429]);
      // Requests from other networks are still accepted.
      expect((await ask(typed)).status).toBe(200);
    }
  });

  it('sends one link in 15 minutes, however many are requested, and the same reply to each request', async () => {
    const { email, id } = await limited.signUp();

    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(email)));
    const first = await countLinks(id);
    await limited.pool.query(
      `UPDATE mailed_tokens SET expires_at = expires_at - interval '15 minutes' WHERE user_id = $1`,
      [id],
    );
    const later = await ask(email);

    expect(first).toBe(1);
    expect(await countLinks(id)).toBe(2);
    expect(new Set([...replies, later].map(({ status, body }) => status + body.message)).size).toBe(
      1,
    );
  });

  it('sends another link immediately if the previous link was used', async () => {
    const { email, id } = await limited.signUp();
    await ask(email);
    const { data } = await limited.broker.expectEvent(
      'PasswordResetRequested',
      ({ userId }) => userId === id,
    );
    const body = { token: data.token, newPassword: 'a quite different one' };
    await limited.http.post('/api/reset-password', { body });

    await ask(email);

    expect(await countLinks(id)).toBe(1);
  });
});
