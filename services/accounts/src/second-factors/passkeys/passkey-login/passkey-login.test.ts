import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type AccountsService,
  anyId,
  cookieOf,
  password,
  startAccountsService,
} from '../../../../test/accounts-service.ts';
import { addPasskey, loginOptions, passkeyLogin, withPasskey } from '../../../../test/passkeys.ts';
import { codeOf, withSecondFactor } from '../../../../test/second-factor.ts';
import { createAuthenticator } from '../../../../test/software-authenticator.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => accounts.stop());

const rejected = { status: 403, body: { code: 'PASSKEY_REJECTED' } };

const aged = async ({ userId, cookie }: { userId: string; cookie: string }): Promise<string> => {
  await accounts.pool.query(
    `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
    [userId],
  );
  return (await accounts.refresh(cookie)).body.token;
};

describe('POST /api/login/passkey', () => {
  it('replies like a login, without email, password or code', async () => {
    const { userId, authenticator } = await withPasskey(accounts);
    const options = await loginOptions(accounts);

    const reply = await passkeyLogin(accounts, authenticator.get(options));

    expect(options).toMatchObject({ rpId: 'lendtools.test', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
    expect(reply).toMatchObject({ status: 200, body: { user: { id: userId } } });
    expect((await accounts.refresh(cookieOf(reply.headers))).status).toBe(200);
    const { body } = await accounts.http.get(`/api/user/${userId}/second-factors`, {
      token: reply.body.token,
    });
    expect(body.passkeys[0].usedAt).not.toBeNull();
  });

  it.each([
    ['of another site’s page', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['of a passkey that did not verify its user', { userVerified: false }],
  ])('rejects an answer %s', async (_, overrides) => {
    const { authenticator } = await withPasskey(accounts);
    const answer = authenticator.get(await loginOptions(accounts), overrides);
    expect(await passkeyLogin(accounts, answer)).toMatchObject(rejected);
  });

  it('rejects an answer that was used, also by a concurrent login', async () => {
    const { authenticator } = await withPasskey(accounts);
    const answer = authenticator.get(await loginOptions(accounts), { counter: 0 });

    const replies = await Promise.all([answer, answer].map((one) => passkeyLogin(accounts, one)));
    const again = await passkeyLogin(accounts, answer);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(again).toMatchObject(rejected);
  });

  it('rejects a challenge that is forged, older than five minutes, or for something else', async () => {
    const { authenticator, userId, token, email } = await withPasskey(accounts);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 301_000);
    const expired = await loginOptions(accounts).finally(() => clock.mockRestore());
    const own = { token };
    const other = await accounts.http.post(
      `/api/user/${userId}/reauthenticate/passkey-options`,
      own,
    );
    const added = await accounts.http.post(`/api/user/${userId}/passkeys/options`, own);
    const second = await accounts.http.post('/api/login', { body: { email, password } });

    const challenges = [
      Buffer.from('forged').toString('base64url'),
      expired.challenge,
      other.body.challenge,
      added.body.challenge,
      second.body.passkey.challenge,
    ];
    for (const challenge of challenges) {
      const reply = await passkeyLogin(accounts, authenticator.get({ challenge }));
      expect(reply).toMatchObject(rejected);
    }
  });

  it('rejects a passkey that was removed, and one that was never added', async () => {
    const { authenticator, userId, token, passkeyId } = await withPasskey(accounts);
    await accounts.http.delete(`/api/user/${userId}/passkeys/${passkeyId}`, { token });

    for (const each of [authenticator, createAuthenticator()]) {
      const reply = await passkeyLogin(accounts, each.get(await loginOptions(accounts)));
      expect(reply).toMatchObject(rejected);
    }
  });

  it('rejects another key with the id of a passkey', async () => {
    const { authenticator } = await withPasskey(accounts);
    const forged = createAuthenticator().get(await loginOptions(accounts));
    const { id } = authenticator;
    expect(await passkeyLogin(accounts, { ...forged, id, rawId: id })).toMatchObject(rejected);
  });

  it('rejects the passkey of another user than the one it names', async () => {
    const { authenticator } = await withPasskey(accounts);
    const answer = authenticator.get(await loginOptions(accounts));
    const userHandle = Buffer.from(anyId()).toString('base64url');
    const response = { ...answer.response, userHandle };
    expect(await passkeyLogin(accounts, { ...answer, response })).toMatchObject(rejected);
  });

  it('rejects a copied passkey, whose counter falls behind', async () => {
    const { authenticator } = await withPasskey(accounts);
    const use = async (counter: number) =>
      passkeyLogin(accounts, authenticator.get(await loginOptions(accounts), { counter }));

    const original = await use(5);
    const copies = [await use(5), await use(4)];
    const next = await use(6);

    expect(original.status).toBe(200);
    for (const copy of copies) expect(copy).toMatchObject(rejected);
    expect(copies[0]?.body.message).toContain('may have been copied');
    expect(next.status).toBe(200);
  });

  it('rejects a page of another site, and a disabled user', async () => {
    const { authenticator, userId } = await withPasskey(accounts);
    const log = async (headers = {}) =>
      passkeyLogin(accounts, authenticator.get(await loginOptions(accounts)), headers);

    const crossSite = await log({ origin: 'https://evil.example' });
    await accounts.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
    const disabled = await log();

    expect(crossSite).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } });
    expect(disabled).toMatchObject({ status: 403, body: { code: 'ACCOUNT_DISABLED' } });
  });

  it('checks five answers in 15 minutes for a user, and does not lock out a known device', async () => {
    const { authenticator } = await withPasskey(accounts);
    const log = async (overrides: object, headers = {}) => {
      const answer = authenticator.get(await loginOptions(accounts), overrides);
      return passkeyLogin(accounts, answer, headers);
    };
    const { headers } = await log({});
    const cookie = /device=[^;]+/.exec(headers.getSetCookie().join())?.[0] ?? '';

    const guesses = [];
    for (let i = 0; i < 6; i++) guesses.push((await log({ userVerified: false })).status);

    expect(guesses).toEqual([403, 403, 403, 403, 403, 429]);
    expect((await log({})).status).toBe(429);
    expect((await log({}, { cookie })).status).toBe(200);
  });

  it('keeps an account whose deletion was requested, with the same answer', async () => {
    const { authenticator, userId, token } = await withPasskey(accounts);
    await accounts.http.post(`/api/user/${userId}/deletion`, { token });
    const passkey = authenticator.get(await loginOptions(accounts));

    const closed = await passkeyLogin(accounts, passkey);
    const kept = await accounts.http.post('/api/login/passkey', {
      body: { passkey, keepAccount: true },
    });

    expect(closed).toMatchObject({ status: 403, body: { code: 'ACCOUNT_CLOSED' } });
    expect(kept.status).toBe(200);
  });
});

describe('a passkey as the second factor', () => {
  const logInWithPassword = async (email: string) =>
    (await accounts.http.post('/api/login', { body: { email, password } })).body;
  const finish = (challenge: string, passkey: unknown) =>
    accounts.http.post('/api/login/second-factor', { body: { challenge, passkey } });

  it('finishes a login whose password was right', async () => {
    const { email, userId, authenticator } = await withPasskey(accounts);

    const { challenge, passkey, factors, code } = await logInWithPassword(email);
    const reply = await finish(challenge, authenticator.get(passkey));

    expect(code).toBe('SECOND_FACTOR_REQUIRED');
    expect(factors).toEqual(['passkey', 'recovery-code']);
    expect(passkey.allowCredentials).toEqual([
      { id: authenticator.id, type: 'public-key', transports: ['internal'] },
    ]);
    expect(reply).toMatchObject({ status: 200, body: { user: { id: userId } } });
  });

  it('is accepted only for the login that requested it, once', async () => {
    const { email, authenticator } = await withPasskey(accounts);
    const [one, other] = [await logInWithPassword(email), await logInWithPassword(email)];
    const answer = authenticator.get(one.passkey, { counter: 0 });
    const alone = authenticator.get(await loginOptions(accounts), { counter: 0 });

    const ofOther = await finish(other.challenge, answer);
    const ofLogin = await finish(one.challenge, alone);
    const right = await finish(one.challenge, answer);
    const again = await finish(one.challenge, answer);

    for (const reply of [ofOther, ofLogin, again]) expect(reply).toMatchObject(rejected);
    expect(right.status).toBe(200);
  });

  it('must be the user’s own', async () => {
    const [victim, attacker] = [await withPasskey(accounts), await withPasskey(accounts)];
    const { challenge, passkey } = await logInWithPassword(victim.email);
    const reply = await finish(challenge, attacker.authenticator.get(passkey));
    expect(reply).toMatchObject(rejected);
  });

  it('is one of several: the app and the recovery codes work too', async () => {
    const { email, userId, token, secret, startLogin, finishLogin, recoveryCodes } =
      await withSecondFactor(accounts);
    const { authenticator, recoveryCodes: more } = await addPasskey(accounts, { userId, token });

    const { challenge, passkey, factors } = await logInWithPassword(email);
    const replies = [
      await finish(challenge, authenticator.get(passkey)),
      await finishLogin(await startLogin(), codeOf(secret)),
      await finishLogin(await startLogin(), recoveryCodes[0] as string),
    ];

    expect(factors).toEqual(['totp', 'passkey', 'recovery-code']);
    expect(more).toBeUndefined();
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('needs a code or a passkey', async () => {
    const { email } = await withPasskey(accounts);
    const { challenge } = await logInWithPassword(email);
    const reply = await accounts.http.post('/api/login/second-factor', { body: { challenge } });
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe('POST /api/user/:userId/reauthenticate with a passkey', () => {
  const start = (userId: string, token: string) =>
    accounts.http.post(`/api/user/${userId}/reauthenticate/passkey-options`, { token });
  const confirm = (userId: string, token: string, body: object) =>
    accounts.http.post(`/api/user/${userId}/reauthenticate`, { token, body });

  it('replaces the session by a fresh one, without the password', async () => {
    const user = await withPasskey(accounts);
    const token = await aged(user);
    const endOthers = (as: string) =>
      accounts.http.delete(`/api/user/${user.userId}/sessions`, { token: as });

    const before = await endOthers(token);
    const { body: options } = await start(user.userId, token);
    const reply = await confirm(user.userId, token, { passkey: user.authenticator.get(options) });
    const after = await endOthers(reply.body.token);

    expect(before.body.code).toBe('REAUTHENTICATION_REQUIRED');
    expect(reply.status).toBe(200);
    expect(after.status).toBe(200);
    expect((await endOthers(token)).status).toBe(401);
  });

  it('rejects an answer to the challenge of another session, and one of another user', async () => {
    const { userId, token, authenticator, recoveryCodes, email } = await withPasskey(accounts);
    const { body } = await accounts.http.post('/api/login', { body: { email, password } });
    const other = await accounts.http.post('/api/login/second-factor', {
      body: { challenge: body.challenge, code: recoveryCodes[0] },
    });
    const thief = await withPasskey(accounts);
    const { body: ofOther } = await start(userId, other.body.token);
    const { body: own } = await start(userId, token);

    const replies = [
      await confirm(userId, token, { passkey: authenticator.get(ofOther) }),
      await confirm(userId, token, { passkey: thief.authenticator.get(own) }),
    ];

    for (const reply of replies) expect(reply).toMatchObject(rejected);
  });

  it('needs a passkey of the user', async () => {
    const { email } = await accounts.signUp();
    const { userId, token } = await accounts.logIn(email);
    const none = await start(userId, token);
    const nothing = await confirm(userId, token, {});
    expect(none).toMatchObject({ status: 404, body: { code: 'PASSKEY_NOT_FOUND' } });
    expect(nothing).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('lets the password be used with a recovery code', async () => {
    const { userId, token, recoveryCodes } = await withPasskey(accounts);
    const without = await confirm(userId, token, { password });
    const reply = await confirm(userId, token, { password, code: recoveryCodes[0] });
    expect(without).toMatchObject({
      status: 403,
      body: { code: 'SECOND_FACTOR_REQUIRED', factors: ['passkey', 'recovery-code'] },
    });
    expect(reply.status).toBe(200);
  });
});
