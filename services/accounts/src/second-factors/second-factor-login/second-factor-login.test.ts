import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type AccountsService,
  cookieOf,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { codeOf, withSecondFactor } from '../../../test/second-factor.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService({ RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => accounts.stop());

const wrong = { status: 403, body: { code: 'SECOND_FACTOR_WRONG' } };
const restart = { status: 401, body: { code: 'LOGIN_CHALLENGE_INVALID' } };

/** Deletes the counters of 15 minutes, and keeps those of a day. */
const endQuarterHour = (userId: string) =>
  accounts.pool.query('DELETE FROM rate_limits WHERE key = $1', [`codes-user:${userId}`]);

describe('POST /api/login of an account with a second factor', () => {
  it('gives a stolen password no token, no cookie and no user, only a challenge', async () => {
    const { email } = await withSecondFactor(accounts);

    const reply = await accounts.http.post('/api/login', { body: { email, password } });

    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'SECOND_FACTOR_REQUIRED',
        challenge: expect.stringMatching(/^[\w.-]+$/),
        factors: ['totp', 'recovery-code'],
      },
    });
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(reply.body).not.toHaveProperty('token');
    expect(JSON.stringify(reply.body)).not.toContain(email);
  });

  it('does not reveal to a wrong password that there is a second factor', async () => {
    const { email } = await withSecondFactor(accounts);
    const reply = await accounts.http.post('/api/login', { body: { email, password: 'a guess' } });
    expect(reply).toMatchObject({ status: 401, body: { code: 'LOGIN_FAILED' } });
    expect(reply.body).not.toHaveProperty('challenge');
  });
});

describe('POST /api/login/second-factor', () => {
  it('replies like a login to the right code', async () => {
    const { startLogin, finishLogin, secret, id } = await withSecondFactor(accounts);

    const reply = await finishLogin(await startLogin(), codeOf(secret));

    expect(reply).toMatchObject({ status: 200, body: { user: { id }, token: expect.any(String) } });
    expect((await accounts.refresh(cookieOf(reply.headers))).status).toBe(200);
  });

  it('rejects a code that was used, also by a concurrent login, and any earlier one', async () => {
    const { startLogin, finishLogin, secret } = await withSecondFactor(accounts);
    const challenges = await Promise.all([startLogin(), startLogin()]);
    const code = codeOf(secret);

    const replies = await Promise.all(challenges.map((each) => finishLogin(each, code)));
    const again = await finishLogin(await startLogin(), code);
    const earlier = await finishLogin(await startLogin(), codeOf(secret, -1));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(again).toMatchObject(wrong);
    expect(earlier).toMatchObject(wrong);
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const { startLogin, finishLogin, recoveryCodes, path, userId } =
      await withSecondFactor(accounts);
    const [first = '', second = ''] = recoveryCodes;

    const reply = await finishLogin(await startLogin(), first.toLowerCase().replaceAll('-', ' '));
    const again = await finishLogin(await startLogin(), first);
    const other = await finishLogin(await startLogin(), second);
    const { body } = await accounts.http.get(path, { token: other.body.token });
    const used = await accounts.broker.expectEvent(
      'SecondFactorChanged',
      (event) => event.userId === userId && event.change === 'recovery-code-used',
    );

    expect([reply.status, other.status]).toEqual([200, 200]);
    expect(again).toMatchObject(wrong);
    expect(body.recoveryCodesLeft).toBe(6);
    expect(used.data.recoveryCodesLeft).toBe(7);
  });

  it("rejects another user's codes", async () => {
    const [victim, attacker] = [await withSecondFactor(accounts), await withSecondFactor(accounts)];
    const challenge = await victim.startLogin();

    const replies = [
      await victim.finishLogin(challenge, attacker.recoveryCodes[0] as string),
      await victim.finishLogin(challenge, codeOf(attacker.secret)),
    ];

    for (const reply of replies) expect(reply).toMatchObject(wrong);
  });

  it('rejects a challenge that is unknown, older than five minutes, of another user, or of an old password', async () => {
    const { startLogin, finishLogin, recoveryCodes, id, token } = await withSecondFactor(accounts);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 301_000);
    const expired = await startLogin().finally(() => clock.mockRestore());
    const others = await (await withSecondFactor(accounts)).startLogin();
    const [header, , signature] = others.split('.');
    const payload = Buffer.from(JSON.stringify({ sub: id, exp: 9e9 })).toString('base64url');
    const forged = [header, payload, signature].join('.');
    const ofOldPassword = await startLogin();
    await accounts.http.post('/api/reset-password', {
      token,
      body: { currentPassword: password, newPassword: 'quite another battery horse' },
    });

    for (const challenge of ['unknown', 'a.b.c', expired, forged, ofOldPassword])
      expect(await finishLogin(challenge, recoveryCodes[0] as string)).toMatchObject(restart);
  });

  it('accepts a challenge however many others were asked for meanwhile', async () => {
    const { startLogin, finishLogin, secret } = await withSecondFactor(accounts);
    const challenge = await startLogin();
    for (let i = 0; i < 25; i++) await startLogin();
    expect((await finishLogin(challenge, codeOf(secret))).status).toBe(200);
  });

  it('checks five guesses in 15 minutes, and does not lock out a known device', async () => {
    const { startLogin, finishLogin, secret, recoveryCodes } = await withSecondFactor(accounts);
    const { headers } = await finishLogin(await startLogin(), recoveryCodes[0] as string);
    const cookie = /device=[^;]+/.exec(headers.getSetCookie().join())?.[0] ?? '';
    const challenge = await startLogin();

    const guesses = [];
    for (let i = 0; i < 6; i++) guesses.push((await finishLogin(challenge, '000000')).status);
    const stranger = await finishLogin(challenge, codeOf(secret));
    const known = await finishLogin(await startLogin(), codeOf(secret), { cookie });

    expect(guesses).toEqual([403, 403, 403, 403, 403, 429]);
    expect(stranger.status).toBe(429);
    expect(known.status).toBe(200);
  });

  it('checks 30 guesses a day', async () => {
    const { startLogin, finishLogin, secret, userId } = await withSecondFactor(accounts);
    const challenge = await startLogin();
    const guesses = [];
    for (let i = 0; i < 30; i++) {
      if (i % 5 === 0) await endQuarterHour(userId);
      guesses.push((await finishLogin(challenge, '000000')).status);
    }
    await endQuarterHour(userId);

    const right = await finishLogin(challenge, codeOf(secret));

    expect(guesses).toEqual(Array(30).fill(403));
    expect(right).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(3_600);
  });

  it('rejects a page of another site', async () => {
    const { startLogin, finishLogin, secret } = await withSecondFactor(accounts);
    const headers = { origin: 'https://evil.example' };
    const reply = await finishLogin(await startLogin(), codeOf(secret), headers);
    expect(reply).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } });
  });

  it('rejects a disabled user', async () => {
    const { startLogin, finishLogin, secret, userId } = await withSecondFactor(accounts);
    const challenge = await startLogin();
    await accounts.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
    const reply = await finishLogin(challenge, codeOf(secret));
    expect(reply).toMatchObject({ status: 403, body: { code: 'ACCOUNT_DISABLED' } });
  });
});

describe('a session without the second factor', () => {
  it('is not started by a login during which the second factor was added', async () => {
    const person = await accounts.signUp();
    const { token, userId } = await accounts.logIn(person.email);
    const path = `/api/user/${userId}/second-factors/totp`;
    const { secret } = (await accounts.http.post(path, { token })).body;
    const lock = await accounts.pool.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]);
      const login = accounts.http.post('/api/login', { body: { email: person.email, password } });
      await waitFor('the login to wait', async () => {
        const { rowCount } = await accounts.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount;
      });
      await lock.query('UPDATE totp_factors SET confirmed_at = now() WHERE user_id = $1', [userId]);
      await lock.query('COMMIT');

      const reply = await login;
      expect(reply).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } });
      const code = codeOf(secret);
      const finished = await accounts.http.post('/api/login/second-factor', {
        body: { challenge: reply.body.challenge, code },
      });
      expect(finished.status).toBe(200);
    } finally {
      lock.release();
    }
  });

  it('of a replica of 1.0.0 is not renewed', async () => {
    const { userId, cookie } = await withSecondFactor(accounts);
    await accounts.pool.query('UPDATE sessions SET authenticated_at = NULL WHERE user_id = $1', [
      userId,
    ]);
    expect((await accounts.refresh(cookie)).status).toBe(401);
  });
});

describe('POST /api/user/:userId/reauthenticate with a second factor', () => {
  it('requires the code besides the password', async () => {
    const { userId, token, secret } = await withSecondFactor(accounts);
    const confirm = (code?: string) =>
      accounts.http.post(`/api/user/${userId}/reauthenticate`, {
        token,
        body: { password, ...(code && { code }) },
      });

    const without = await confirm();
    const guess = await confirm('000000');
    const reply = await confirm(codeOf(secret));

    expect(without).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } });
    expect(without.body).not.toHaveProperty('challenge');
    expect(guess).toMatchObject(wrong);
    expect(reply.status).toBe(200);
  });

  it('is needed to change the password or the email, which then counts as no fresh login', async () => {
    const user = await withSecondFactor(accounts);
    const body = { currentPassword: password, newPassword: 'quite another battery horse' };
    const changePassword = (token: string) =>
      accounts.http.post('/api/reset-password', { token, body });
    const refreshed = async (age: string, cookie: string) => {
      await accounts.pool.query(
        `UPDATE sessions SET authenticated_at = authenticated_at - $2::interval WHERE user_id = $1`,
        [user.userId, age],
      );
      return (await accounts.refresh(cookie)).body.token as string;
    };

    const old = await refreshed('1 hour', user.cookie);
    const replies = [
      await changePassword(old),
      await accounts.http.put(`/api/update-account/${user.userId}`, {
        token: old,
        body: { email: `new-${user.email}`, password },
      }),
    ];
    const again = await accounts.http.post(`/api/user/${user.userId}/reauthenticate`, {
      token: old,
      body: { password, code: codeOf(user.secret) },
    });
    await refreshed('10 minutes', cookieOf(again.headers));
    const session = await accounts.refresh(cookieOf(again.headers));
    const changed = await changePassword(session.body.token);
    const later = await refreshed('6 minutes', cookieOf(changed.headers));
    const removal = await accounts.http.delete(`${user.path}/totp`, { token: later });

    const needed = { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } };
    for (const reply of [...replies, removal]) expect(reply).toMatchObject(needed);
    expect(changed.status).toBe(200);
  });

  it('checks ten codes per session in 15 minutes, whatever was guessed on other devices', async () => {
    const { userId, token, secret, startLogin, finishLogin } = await withSecondFactor(accounts);
    const challenge = await startLogin();
    for (let i = 0; i < 6; i++) await finishLogin(challenge, '000000');
    const confirm = (code: string) =>
      accounts.http.post(`/api/user/${userId}/reauthenticate`, { token, body: { password, code } });

    const guesses = [];
    for (let i = 0; i < 9; i++) guesses.push((await confirm('000000')).status);
    const right = await confirm(codeOf(secret));

    expect(guesses).toEqual(Array(9).fill(403));
    expect(right.status).toBe(200);
  });
});
