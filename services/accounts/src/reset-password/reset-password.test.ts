import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  cookieOf,
  medianGapMs,
  password,
  startAccountsService,
  timeMs,
} from '../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newPassword = 'a quite different one';

const newUser = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const request = (email: string, headers: Record<string, string> = {}) =>
  accounts.http.post('/api/request-password-token', { body: { email }, headers });

const mailedTokens = (userId: string): string[] =>
  accounts.broker.heard
    .filter((event) => event.type === 'PasswordResetRequested')
    .filter((event) => event.data.userId === userId)
    .map((event) => event.data.token);

const requestToken = async (user: { email: string; userId: string }): Promise<string> => {
  const before = mailedTokens(user.userId);
  await request(user.email);
  const { data } = await accounts.broker.expectEvent(
    'PasswordResetRequested',
    ({ userId, token }) => userId === user.userId && !before.includes(token),
  );
  return data.token;
};

const reset = (body: unknown, token?: string) =>
  accounts.http.post('/api/reset-password', { body, token });

const statusOf = async ({ userId, token }: { userId: string; token: string }) =>
  (await accounts.http.put(`/api/update-account/${userId}`, { token, body: {} })).status;

describe.each(['/api/request-password-token', '/api/user-request-password-token'])(
  'POST %s',
  (path) => {
    it('answers the same for a known and an unknown email, in the same time', async () => {
      const { email } = await accounts.signUp();
      const ask = (typed: string) => accounts.http.post(path, { body: { email: typed } });

      const [known, unknown] = [await ask(email), await ask(`no-${email}`)];
      const gapMs = await medianGapMs(
        () => ask(email),
        () => ask(`no-${email}`),
        11,
      );
      const unknownMs = await timeMs(() => ask(`no-${email}`));

      expect(known.status).toBe(200);
      expect(unknown).toMatchObject({ status: 200, body: known.body });
      expect(gapMs).toBeLessThan(10);
      // Not before the work of the one that is known is long done.
      expect(unknownMs).toBeGreaterThan(98);
    });
  },
);

describe('a mailed token', () => {
  it('is 256 bits, stored as a hash, and gone from the outbox once it is on its way', async () => {
    const user = await newUser();
    const token = await requestToken(user);

    const { rows } = await accounts.pool.query<{ hash: Buffer; minutes: number }>(
      `SELECT hash, extract(epoch FROM expires_at - now())::float8 / 60 AS minutes
       FROM mailed_tokens WHERE user_id = $1`,
      [user.userId],
    );

    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(rows[0]?.hash.toString()).not.toContain(token);
    expect(rows[0]?.minutes).toBeGreaterThan(29);
    expect(rows[0]?.minutes).toBeLessThanOrEqual(30);
  });

  it('goes to the address of the account, whatever Host was asked', async () => {
    const user = await newUser();

    await request(user.email, { 'x-forwarded-host': 'evil.example', host: 'evil.example' });
    const { data } = await accounts.broker.expectEvent(
      'PasswordResetRequested',
      ({ userId }) => userId === user.userId,
    );

    expect(data).toEqual({
      userId: user.userId,
      email: user.email,
      firstName: 'Sam',
      token: expect.any(String),
    });
  });

  it('is not made for a disabled user', async () => {
    const user = await newUser();
    await accounts.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.userId]);

    const reply = await request(user.email);

    const { rows } = await accounts.pool.query('SELECT 1 FROM mailed_tokens WHERE user_id = $1', [
      user.userId,
    ]);
    expect(reply.status).toBe(200);
    expect(rows).toHaveLength(0);
  });
});

describe('POST /api/reset-password with a mailed token', () => {
  it('sets the password and ends every session', async () => {
    const user = await newUser();
    const other = await accounts.logIn(user.email);
    const token = await requestToken(user);

    const reply = await reset({ token, newPassword, userId: user.userId });

    expect(reply).toMatchObject({ status: 200, body: { message: 'Your password is changed.' } });
    expect([await statusOf(user), await statusOf(other)]).toEqual([401, 401]);
    expect((await accounts.refresh(user.cookie)).status).toBe(401);
    await expect(accounts.logIn(user.email)).rejects.toThrow('401');
    await expect(accounts.logIn(user.email, newPassword)).resolves.toBeDefined();
  });

  it('works once, even twice at once, and ends the other links too', async () => {
    const user = await newUser();
    const [token, another] = [await requestToken(user), await requestToken(user)];

    const replies = await Promise.all([1, 2, 3].map(() => reset({ token, newPassword })));
    const later = await reset({ token: another, newPassword });

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(later.status).toBe(400);
  });

  it('by two links at once, takes one', async () => {
    const user = await newUser();
    const tokens = [await requestToken(user), await requestToken(user)];

    const replies = await Promise.all(tokens.map((token) => reset({ token, newPassword })));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.each([
    ['an unknown one', () => Promise.resolve('unknown')],
    [
      'one of half an hour ago',
      async () => {
        const user = await newUser();
        const token = await requestToken(user);
        await accounts.pool.query(
          `UPDATE mailed_tokens SET expires_at = expires_at - interval '30 minutes' WHERE user_id = $1`,
          [user.userId],
        );
        return token;
      },
    ],
    [
      'one for another email',
      async () => {
        const user = await newUser();
        const body = { email: `new-${user.email}`, password };
        await accounts.http.put(`/api/update-account/${user.userId}`, { token: user.token, body });
        const { data } = await accounts.broker.expectEvent(
          'EmailChangeRequested',
          ({ userId }) => userId === user.userId,
        );
        return data.token;
      },
    ],
  ])('when it is %s, refuses it in the documented words', async (_name, make) => {
    const reply = await reset({ token: await make(), newPassword });

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      code: 'RESET_TOKEN_INVALID',
      message: 'Error resetting password',
      errors: [{ path: 'token', msg: expect.stringContaining('Please ask for a new one') }],
    });
  });

  it.each([['short'], ['password1'], ['x'.repeat(257)], ['']])(
    'refuses the new password %j and keeps the token',
    async (typed) => {
      const token = await requestToken(await newUser());

      const refused = await reset({ token, newPassword: typed });
      const taken = await reset({ token, newPassword });

      expect([refused.status, taken.status]).toEqual([400, 200]);
    },
  );
});

describe('POST /api/reset-password signed in', () => {
  it('with the current password ends every session and starts one anew', async () => {
    const user = await newUser();

    const reply = await reset({ currentPassword: password, newPassword }, user.token);
    const renewed = await accounts.refresh(cookieOf(reply.headers));

    expect(reply.status).toBe(200);
    expect(await statusOf(user)).toBe(401);
    expect((await accounts.refresh(user.cookie)).status).toBe(401);
    expect(await statusOf({ ...user, token: renewed.body.token })).toBe(200);
  });

  it('with a stolen access token alone changes nothing', async () => {
    const user = await newUser();

    const replies = [
      await reset({ newPassword }, user.token),
      await reset({ newPassword, userId: user.userId }, user.token),
      await reset({ newPassword, currentPassword: 'a guess' }, user.token),
      await reset({ newPassword, currentPassword: password }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([400, 400, 403, 401]);
    expect(replies[2]?.body.message).toBe('Error resetting password');
    await expect(accounts.logIn(user.email)).resolves.toBeDefined();
  });
});

describe('guessing by reset', () => {
  let limited: AccountsService;
  beforeAll(async () => {
    limited = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
  });
  afterAll(() => limited.stop());

  it('is looked at ten times for the current password', async () => {
    const { email } = await limited.signUp();
    const { token } = await limited.logIn(email);
    const guess = (currentPassword: string) =>
      limited.http.post('/api/reset-password', { token, body: { currentPassword, newPassword } });

    const replies = await Promise.all(Array.from({ length: 15 }, (_, i) => guess(`guess ${i}`)));
    const right = await guess(password);

    expect(replies.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(right.status).toBe(429);
  });

  it('mails five times an hour, for an account or for none', async () => {
    const { email } = await limited.signUp();

    for (const typed of [email, `no-${email}`]) {
      const replies = await Promise.all(
        Array.from({ length: 6 }, () =>
          limited.http.post('/api/user-request-password-token', { body: { email: typed } }),
        ),
      );

      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    }
  });
});
