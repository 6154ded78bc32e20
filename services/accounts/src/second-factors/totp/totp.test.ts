import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { codeOf, withSecondFactor } from '../../../test/second-factor.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newSession = async () => {
  const person = await accounts.signUp();
  const session = await accounts.logIn(person.email);
  return { ...person, ...session, path: `/api/user/${session.userId}/second-factors` };
};

const changesOf = async (id: string): Promise<string[]> => {
  const { rows } = await accounts.pool.query(
    `SELECT envelope->'data'->>'change' AS change FROM outbox_messages
     WHERE type = 'SecondFactorChanged' AND envelope->'data'->>'userId' = $1`,
    [id],
  );
  return rows.map(({ change }) => change).sort();
};

describe('an authenticator app', () => {
  it('is needed at logins once a code has confirmed it, and not before', async () => {
    const { path, token, email, userId } = await newSession();
    const { body } = await accounts.http.post(`${path}/totp`, { token });
    await expect(accounts.logIn(email)).resolves.toBeDefined();

    const code = codeOf(body.secret);
    const confirmed = await accounts.http.post(`${path}/totp/confirm`, { token, body: { code } });
    const login = await accounts.http.post('/api/login', { body: { email, password } });

    expect(body.uri).toMatch(/^otpauth:\/\/totp\/LendTools.*secret=/);
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.recoveryCodes).toHaveLength(8);
    // 140 bits: ASVS 11.5.1 asks for 128.
    for (const each of confirmed.body.recoveryCodes)
      expect(each).toMatch(/^([A-Z2-7]{4}-){6}[A-Z2-7]{4}$/);
    expect(login.body.code).toBe('SECOND_FACTOR_REQUIRED');
    expect(await changesOf(userId)).toEqual(['added']);
  });

  it('is not confirmed by a wrong code, nor by the code of a secret that was replaced', async () => {
    const { path, token, email } = await newSession();
    const start = async () =>
      (await accounts.http.post(`${path}/totp`, { token })).body.secret as string;
    const [old] = [await start(), await start()];

    for (const code of ['000000', codeOf(old)]) {
      const reply = await accounts.http.post(`${path}/totp/confirm`, { token, body: { code } });
      expect(reply).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_WRONG' } });
    }
    await expect(accounts.logIn(email)).resolves.toBeDefined();
  });

  it('cannot be replaced by a second one', async () => {
    const { path, token } = await withSecondFactor(accounts);
    const reply = await accounts.http.post(`${path}/totp`, { token });
    expect(reply).toMatchObject({ status: 409, body: { code: 'SECOND_FACTOR_EXISTS' } });
  });

  it('is removed with its recovery codes', async () => {
    const { path, token, userId, email } = await withSecondFactor(accounts);

    const reply = await accounts.http.delete(`${path}/totp`, { token });
    const { body } = await accounts.http.get(path, { token });

    expect(reply.status).toBe(200);
    expect(body).toEqual({
      totpSince: null,
      passkeys: [],
      recoveryCodesLeft: 0,
      isRequired: false,
    });
    await expect(accounts.logIn(email)).resolves.toBeDefined();
    expect(await changesOf(userId)).toEqual(['added', 'removed']);
    const again = await accounts.http.delete(`${path}/totp`, { token });
    expect(again).toMatchObject({ status: 404, body: { code: 'SECOND_FACTOR_NOT_FOUND' } });
  });

  it('is stored encrypted, and its recovery codes as hashes', async () => {
    const { userId, secret, recoveryCodes } = await withSecondFactor(accounts);

    const { rows } = await accounts.pool.query(
      `SELECT encode(secret, 'escape') AS stored FROM totp_factors WHERE user_id = $1
       UNION ALL SELECT encode(hash, 'escape') FROM recovery_codes WHERE user_id = $1`,
      [userId],
    );

    expect(rows).toHaveLength(9);
    const stored = rows.map(({ stored }) => stored).join();
    for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map(withoutHyphens)])
      expect(stored).not.toContain(hidden);
  });

  it.each(['totp', 'totp/confirm', 'recovery-codes'])(
    'is not changed by a stolen access token of an hour ago (POST %s)',
    async (what) => {
      const { path, token } = await aged(await withSecondFactor(accounts));
      const body = { code: '123456' };
      const reply = await accounts.http.post(`${path}/${what}`, { token, body });
      expect(reply).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
    },
  );

  it.each([
    ['POST', 'totp'],
    ['POST', 'totp/confirm'],
    ['POST', 'recovery-codes'],
    ['DELETE', 'totp'],
  ])(
    'is not changed in a session that has just ended, before other services know: %s %s',
    async (method, what) => {
      const { path, token, userId } = await withSecondFactor(accounts);
      await accounts.pool.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [
        userId,
      ]);
      const body = { code: '123456' };
      const reply =
        method === 'POST'
          ? await accounts.http.post(`${path}/${what}`, { token, body })
          : await accounts.http.delete(`${path}/${what}`, { token });
      expect(reply.status).toBe(401);
    },
  );

  it('whose secret cannot be decrypted rejects codes, but not recovery codes', async () => {
    const { startLogin, finishLogin, secret, recoveryCodes } = await withSecondFactor(accounts);
    const FACTOR_KEY = 'another key since the first one was lost';
    const replica = await accounts.startReplica({ FACTOR_KEY });
    const finish = (challenge: string, code: string) =>
      replica.http.post('/api/login/second-factor', { body: { challenge, code } });
    const replies = [
      await finish(await startLogin(), codeOf(secret)),
      await finish(await startLogin(), recoveryCodes[0] as string),
    ];
    await replica.stop();

    expect(replies[0]).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_WRONG' } });
    expect(replies[1]?.status).toBe(200);
    expect((await finishLogin(await startLogin(), codeOf(secret))).status).toBe(200);
  });

  it.each([['A'.repeat(32)], ['111111\n']])('is not confirmed by %j', async (code) => {
    const { path, token } = await newSession();
    await accounts.http.post(`${path}/totp`, { token });
    const reply = await accounts.http.post(`${path}/totp/confirm`, { token, body: { code } });
    expect([400, 403]).toContain(reply.status);
  });

  it('of a clock that was far ahead rejects codes instead of failing', async () => {
    const { startLogin, finishLogin, secret, userId } = await withSecondFactor(accounts);
    await accounts.pool.query('UPDATE totp_factors SET last_step = 1e9 WHERE user_id = $1', [
      userId,
    ]);
    expect((await finishLogin(await startLogin(), codeOf(secret))).status).toBe(403);
  });

  it('is not removed by a stolen access token of an hour ago', async () => {
    const { path, token, email } = await aged(await withSecondFactor(accounts));
    const reply = await accounts.http.delete(`${path}/totp`, { token });
    const login = await accounts.http.post('/api/login', { body: { email, password } });
    expect(reply.body.code).toBe('REAUTHENTICATION_REQUIRED');
    expect(login.body.code).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('cannot be added without a key to encrypt its secret with', async () => {
    const replica = await accounts.startReplica({ FACTOR_KEY: undefined as unknown as string });
    const { path, token } = await newSession();
    const reply = await replica.http.post(`${path}/totp`, { token });
    await replica.stop();
    expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  });
});

describe('npm run second-factor:remove', () => {
  const command = fileURLToPath(new URL('../../remove-second-factor-command.ts', import.meta.url));
  const run = async (email: string) =>
    promisify(execFile)(process.execPath, [command, email], {
      env: { DATABASE_URL: accounts.databaseUrl },
    });

  it('removes the app and the recovery codes, and warns by email', async () => {
    const { email, userId } = await withSecondFactor(accounts);

    const { stdout } = await run(email);

    expect(stdout).toBe(`${email}: the second factor is removed.\n`);
    await expect(accounts.logIn(email)).resolves.toBeDefined();
    expect(await changesOf(userId)).toEqual(['added', 'removed']);
    expect((await run(email)).stdout).toContain('has no second factor');
    await expect(run('nobody@example.com')).rejects.toThrow('No account has the email');
  });
});

describe('npm run second-factor:reseal', () => {
  const command = fileURLToPath(new URL('../../reseal-secrets-command.ts', import.meta.url));
  const oldKey = 'the key that seals secrets until it is changed';
  const newKey = 'the key that seals secrets after it was changed';

  it('seals every secret with the new key, so that the old one can be removed', async () => {
    const own = await startAccountsService({ FACTOR_KEY: oldKey });
    const run = async (FACTOR_KEY: string) =>
      promisify(execFile)(process.execPath, [command], {
        env: { DATABASE_URL: own.databaseUrl, FACTOR_KEY },
      });
    try {
      const { secret, startLogin } = await withSecondFactor(own);
      await expect(run(newKey)).rejects.toThrow('No configured key opens this secret');

      const first = await run(`${newKey},${oldKey}`);
      const second = await run(`${newKey},${oldKey}`);
      const replica = await own.startReplica({ FACTOR_KEY: newKey });
      const login = await replica.http.post('/api/login/second-factor', {
        body: { challenge: await startLogin(), code: codeOf(secret) },
      });
      await replica.stop();

      expect(first.stdout).toContain('Sealed 1 secrets again');
      expect(second.stdout).toContain('Sealed 0 secrets again');
      expect(login.status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});

describe('new recovery codes', () => {
  it('replace the earlier ones', async () => {
    const { path, token, recoveryCodes, startLogin, finishLogin } =
      await withSecondFactor(accounts);

    const { body } = await accounts.http.post(`${path}/recovery-codes`, { token });
    const old = await finishLogin(await startLogin(), recoveryCodes[0] as string);
    const fresh = await finishLogin(await startLogin(), body.recoveryCodes[0]);

    expect(body.recoveryCodes).toHaveLength(8);
    expect([old.status, fresh.status]).toEqual([403, 200]);
  });
});

const withoutHyphens = (code: string): string => code.replaceAll('-', '');

/** As if the session had begun an hour ago. */
const aged = async <T extends { userId: string; cookie: string }>(session: T) => {
  await accounts.pool.query(
    `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
    [session.userId],
  );
  const { body } = await accounts.refresh(session.cookie);
  return { ...session, token: body.token as string };
};
