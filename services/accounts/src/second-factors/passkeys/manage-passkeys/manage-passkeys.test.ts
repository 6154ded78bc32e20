import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  adminLogin,
  anyId,
  password,
  startAccountsService,
} from '../../../../test/accounts-service.ts';
import { addPasskey, loginOptions, passkeyLogin, withPasskey } from '../../../../test/passkeys.ts';
import { withSecondFactor } from '../../../../test/second-factor.ts';
import { createAuthenticator } from '../../../../test/software-authenticator.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const rejected = { status: 403, body: { code: 'PASSKEY_REJECTED' } };
const fresh = { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } };

const newSession = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const pathOf = (userId: string) => `/api/user/${userId}/passkeys`;

const start = async (userId: string, token: string) =>
  (await accounts.http.post(`${pathOf(userId)}/options`, { token })).body;

const factorsOf = async (userId: string, token: string) =>
  (await accounts.http.get(`/api/user/${userId}/second-factors`, { token })).body;

const changesOf = async (id: string): Promise<string[]> => {
  const { rows } = await accounts.pool.query(
    `SELECT envelope->'data'->>'change' AS change FROM outbox_messages
     WHERE type = 'SecondFactorChanged' AND envelope->'data'->>'userId' = $1`,
    [id],
  );
  return rows.map(({ change }) => change).sort();
};

describe('a new passkey', () => {
  it('comes with recovery codes, and is then needed besides the password', async () => {
    const { userId, token, email } = await newSession();
    const options = await start(userId, token);
    const body = { passkey: createAuthenticator().create(options) };

    const reply = await accounts.http.post(pathOf(userId), {
      token,
      body,
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0' },
    });
    const login = await accounts.http.post('/api/login', { body: { email, password } });

    expect(options).toMatchObject({
      rp: { id: 'lendtools.test', name: 'LendTools' },
      user: { name: email, displayName: 'Sam Rivers' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(reply).toMatchObject({
      status: 201,
      body: { passkey: { name: 'Chrome on Windows', usedAt: null } },
    });
    expect(reply.body.recoveryCodes).toHaveLength(8);
    expect(login.body.code).toBe('SECOND_FACTOR_REQUIRED');
    expect(await factorsOf(userId, token)).toEqual({
      totpSince: null,
      passkeys: [reply.body.passkey],
      recoveryCodesLeft: 8,
      isRequired: false,
    });
    expect(await changesOf(userId)).toEqual(['passkey-added']);
  });

  it.each([
    ['of another site’s page', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['that does not verify its user', { userVerified: false }],
  ])('is rejected %s', async (_, overrides) => {
    const { userId, token } = await newSession();
    const passkey = createAuthenticator().create(await start(userId, token), overrides);
    const reply = await accounts.http.post(pathOf(userId), { token, body: { passkey } });
    expect(reply).toMatchObject(rejected);
  });

  it('is rejected with a challenge of another session, or one that was answered', async () => {
    const [one, other] = [await newSession(), await newSession()];
    const ofOther = await start(other.userId, other.token);
    const own = await start(one.userId, one.token);
    const add = (challenge: { challenge: string; user: { id: string } }) =>
      accounts.http.post(pathOf(one.userId), {
        token: one.token,
        body: { passkey: createAuthenticator().create(challenge) },
      });

    const stolen = await add(ofOther);
    const login = await add({ ...own, ...(await loginOptions(accounts)) });
    const first = await add(own);
    const second = await add(own);

    for (const reply of [stolen, login, second]) expect(reply).toMatchObject(rejected);
    expect(first.status).toBe(201);
  });

  it('is stored without its attestation, whose addresses are not fetched', async () => {
    const { userId, token } = await newSession();
    const options = await start(userId, token);
    const passkey = createAuthenticator().create(options, { format: 'tpm' });
    const reply = await accounts.http.post(pathOf(userId), { token, body: { passkey } });
    expect(reply.status).toBe(201);
  });

  it.each([[{}], [{ id: 'a', rawId: 'a', type: 'public-key', response: {} }], ['a passkey']])(
    'is rejected if it is %j',
    async (passkey) => {
      const { userId, token } = await newSession();
      const reply = await accounts.http.post(pathOf(userId), { token, body: { passkey } });
      expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    },
  );

  it('is rejected if its parts are no CBOR', async () => {
    const { userId, token } = await newSession();
    const passkey = createAuthenticator().create(await start(userId, token));
    const response = { ...passkey.response, attestationObject: 'AAAA' };
    const body = { passkey: { ...passkey, response } };
    expect(await accounts.http.post(pathOf(userId), { token, body })).toMatchObject(rejected);
  });

  it('cannot belong to two users', async () => {
    const { authenticator } = await withPasskey(accounts);
    const { userId, token } = await newSession();
    const passkey = authenticator.create(await start(userId, token));
    const reply = await accounts.http.post(pathOf(userId), { token, body: { passkey } });
    expect(reply).toMatchObject({ status: 409, body: { code: 'PASSKEY_EXISTS' } });
  });

  it('is rejected beyond 20 per user', async () => {
    const { userId, token } = await withPasskey(accounts);
    await accounts.pool.query(
      `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name)
       SELECT $1, int4send(n), 'key', 0, '{}', 'Another' FROM generate_series(1, 19) n`,
      [userId],
    );
    const reply = await accounts.http.post(`${pathOf(userId)}/options`, { token });
    expect(reply).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PASSKEYS' } });
  });

  it('ends an admin’s other sessions, and satisfies REQUIRE_ADMIN_MFA', async () => {
    const own = await startAccountsService({ REQUIRE_ADMIN_MFA: 'true' });
    try {
      const stolen = await own.logInAdmin();
      const session = await own.logInAdmin();
      const { authenticator } = await addPasskey(own, session);

      const withPassword = await own.http.post('/api/login', { body: adminLogin });
      const login = await passkeyLogin(own, authenticator.get(await loginOptions(own)));
      const users = await own.http.get('/api/all-users', { token: login.body.token });

      expect(withPassword.body.code).toBe('SECOND_FACTOR_REQUIRED');
      expect((await own.refresh(stolen.cookie)).status).toBe(401);
      expect(login.body).not.toHaveProperty('secondFactorNeeded');
      expect(users.status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});

describe('a passkey', () => {
  it('is renamed and removed by its user only', async () => {
    const { userId, token, passkeyId } = await withPasskey(accounts);
    const thief = await newSession();
    const rename = (of: { userId: string; token: string }, id = passkeyId) =>
      accounts.http.put(`${pathOf(of.userId)}/${id}`, { token: of.token, body: { name: 'Key' } });
    const remove = (of: { userId: string; token: string }) =>
      accounts.http.delete(`${pathOf(of.userId)}/${passkeyId}`, { token: of.token });

    const others = [await rename(thief), await remove(thief)];
    const unknown = await rename({ userId, token }, anyId());
    const renamed = await rename({ userId, token });

    for (const reply of [...others, unknown])
      expect(reply).toMatchObject({ status: 404, body: { code: 'PASSKEY_NOT_FOUND' } });
    expect(renamed).toMatchObject({ status: 200, body: { passkey: { name: 'Key' } } });
  });

  it('takes the recovery codes with it if it was the last factor', async () => {
    const { userId, token, passkeyId, email } = await withPasskey(accounts);
    const reply = await accounts.http.delete(`${pathOf(userId)}/${passkeyId}`, { token });
    expect(reply.status).toBe(200);
    expect(await factorsOf(userId, token)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    await expect(accounts.logIn(email)).resolves.toBeDefined();
    expect(await changesOf(userId)).toEqual(['passkey-added', 'passkey-removed']);
  });

  it('keeps the recovery codes when the app is removed', async () => {
    const { userId, token, path, email } = await withSecondFactor(accounts);
    await addPasskey(accounts, { userId, token });
    const reply = await accounts.http.delete(`${path}/totp`, { token });
    const login = await accounts.http.post('/api/login', { body: { email, password } });
    expect(reply.body.message).toContain('passkey');
    expect(await factorsOf(userId, token)).toMatchObject({ totpSince: null, recoveryCodesLeft: 8 });
    expect(login.body.factors).toEqual(['passkey', 'recovery-code']);
  });

  it('is neither added nor removed by a stolen access token of an hour ago', async () => {
    const { userId, cookie, passkeyId } = await withPasskey(accounts);
    await accounts.pool.query(
      `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
      [userId],
    );
    const { token } = (await accounts.refresh(cookie)).body;
    const passkey = createAuthenticator().create({ challenge: 'x', user: { id: 'x' } });

    const replies = [
      await accounts.http.post(`${pathOf(userId)}/options`, { token }),
      await accounts.http.post(pathOf(userId), { token, body: { passkey } }),
      await accounts.http.delete(`${pathOf(userId)}/${passkeyId}`, { token }),
    ];

    for (const reply of replies) expect(reply).toMatchObject(fresh);
  });

  it('is not changed in a session that has just ended, before other services know', async () => {
    const { userId, token, passkeyId } = await withPasskey(accounts);
    const passkey = createAuthenticator().create(await start(userId, token));
    await accounts.pool.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [userId]);

    const replies = [
      await accounts.http.post(pathOf(userId), { token, body: { passkey } }),
      await accounts.http.put(`${pathOf(userId)}/${passkeyId}`, { token, body: { name: 'Key' } }),
      await accounts.http.delete(`${pathOf(userId)}/${passkeyId}`, { token }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});
