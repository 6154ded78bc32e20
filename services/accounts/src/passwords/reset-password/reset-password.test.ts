import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  cookieOf,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { addPasskey, loginOptions, passkeyLogin } from '../../../test/passkeys.ts';
import { withSecondFactor } from '../../../test/second-factor.ts';

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
  accounts.broker.received
    .filter((event) => event.type === 'PasswordResetRequested')
    .filter((event) => event.data.userId === userId)
    .map((event) => event.data.token);

const requestToken = async (user: { email: string; userId: string }): Promise<string> => {
  const before = mailedTokens(user.userId);
  // Backdate the link: for 15 minutes after a link, no further link is sent.
  await accounts.pool.query(
    `UPDATE mailed_tokens SET expires_at = expires_at - interval '15 minutes' WHERE user_id = $1`,
    [user.userId],
  );
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

describe('POST /api/reset-password with an emailed token', () => {
  it('rejects a passkey alone after a reset, until it is used after the new password', async () => {
    const user = await newUser();
    const { authenticator } = await addPasskey(accounts, user);
    const alone = async () =>
      passkeyLogin(accounts, authenticator.get(await loginOptions(accounts)));
    expect((await alone()).status).toBe(200);

    await reset({ token: await requestToken(user), newPassword });
    const before = await alone();
    const first = await accounts.http.post('/api/login', {
      body: { email: user.email, password: newPassword },
    });
    const second = await accounts.http.post('/api/login/second-factor', {
      body: {
        challenge: first.body.challenge,
        passkey: authenticator.get(first.body.passkey),
      },
    });
    const after = await alone();

    expect([before.status, first.status, second.status, after.status]).toEqual([
      403, 403, 200, 200,
    ]);
  });

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
    await accounts.broker.expectEvent(
      'PasswordChanged',
      ({ userId, email }) => userId === user.userId && email === user.email,
    );
  });

  it('does not bypass the second factor', async () => {
    const user = await withSecondFactor(accounts);

    await reset({ token: await requestToken(user), newPassword, userId: user.userId });
    const login = await accounts.http.post('/api/login', {
      body: { email: user.email, password: newPassword },
    });

    expect(login).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } });
  });

  it("accepts a token once, even if used concurrently, and invalidates the user's other links", async () => {
    const user = await newUser();
    const [token, another] = [await requestToken(user), await requestToken(user)];

    const replies = await Promise.all([1, 2, 3].map(() => reset({ token, newPassword })));
    const later = await reset({ token: another, newPassword });

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(later.status).toBe(400);
  });

  it('accepts only one of two links that are used concurrently', async () => {
    const user = await newUser();
    const tokens = [await requestToken(user), await requestToken(user)];

    const replies = await Promise.all(tokens.map((token) => reset({ token, newPassword })));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.each([
    ['an unknown token', () => Promise.resolve('unknown')],
    [
      'an expired token',
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
      'a token for another email',
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
  ])('rejects %s, with the documented message', async (_name, make) => {
    const reply = await reset({ token: await make(), newPassword });

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      code: 'RESET_TOKEN_INVALID',
      message: 'Error resetting password',
      errors: [{ path: 'token', msg: expect.stringContaining('Please ask for a new one') }],
    });
  });

  it.each([['short'], ['password1'], ['samrivers7'], ['x'.repeat(257)], ['']])(
    'rejects the new password %j and keeps the token valid',
    async (typed) => {
      const token = await requestToken(await newUser());

      const rejected = await reset({ token, newPassword: typed });
      const taken = await reset({ token, newPassword });

      expect([rejected.status, taken.status]).toEqual([400, 200]);
    },
  );
});

describe('POST /api/reset-password by a signed-in user', () => {
  it("rejects the account's email as the new password", async () => {
    const user = await newUser();

    const reply = await reset({ currentPassword: password, newPassword: user.email }, user.token);

    expect(reply).toMatchObject({
      status: 400,
      body: {
        code: 'PASSWORD_TOO_WEAK',
        errors: [{ path: 'newPassword', msg: expect.stringContaining('Add more words') }],
      },
    });
    expect(await statusOf(user)).toBe(200);
  });

  it('ends every session and starts a new one, given the current password', async () => {
    const user = await newUser();

    const reply = await reset({ currentPassword: password, newPassword }, user.token);
    const renewed = await accounts.refresh(cookieOf(reply.headers));

    expect(reply.status).toBe(200);
    expect(await statusOf(user)).toBe(401);
    expect((await accounts.refresh(user.cookie)).status).toBe(401);
    expect(await statusOf({ ...user, token: renewed.body.token })).toBe(200);
  });

  it('rejects a stolen access token without the current password', async () => {
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

describe('POST /api/reset-password with a guessed password', () => {
  let limited: AccountsService;
  beforeAll(async () => {
    limited = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
  });
  afterAll(() => limited.stop());

  it('checks ten guesses at the current password, then replies 429', async () => {
    const { email } = await limited.signUp();
    const { token } = await limited.logIn(email);
    const guess = (currentPassword: string) =>
      limited.http.post('/api/reset-password', { token, body: { currentPassword, newPassword } });

    const replies = await Promise.all(Array.from({ length: 15 }, (_, i) => guess(`guess ${i}`)));
    const right = await guess(password);

    expect(replies.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(right.status).toBe(429);
  });

  it('checks twenty new passwords, then replies 429', async () => {
    const { email } = await limited.signUp();
    const { token } = await limited.logIn(email);
    const body = { currentPassword: password, newPassword: 'password1' };

    const replies = [];
    for (let i = 0; i < 21; i++)
      replies.push(await limited.http.post('/api/reset-password', { token, body }));

    expect(replies.map(({ status }) => status)).toEqual([...Array(20).fill(400), 429]);
  });
});
