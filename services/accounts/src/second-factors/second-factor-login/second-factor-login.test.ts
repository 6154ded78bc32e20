import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('POST /api/login of an account with a second factor', () => {
  it('gives a stolen password no token, no cookie and no user, only a challenge', async () => {
    const { email } = await withSecondFactor(accounts);

    const reply = await accounts.http.post('/api/login', { body: { email, password } });

    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'SECOND_FACTOR_REQUIRED',
        challenge: expect.stringMatching(/^[\w-]{43}$/),
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

  it('rejects a challenge that is unknown, used, older than five minutes, or of an old password', async () => {
    const { startLogin, finishLogin, secret, recoveryCodes, userId, token } =
      await withSecondFactor(accounts);
    const used = await startLogin();
    await finishLogin(used, codeOf(secret));
    const expired = await startLogin();
    await accounts.pool.query(`UPDATE login_challenges SET expires_at = now() WHERE user_id = $1`, [
      userId,
    ]);
    const ofOldPassword = await startLogin();
    await accounts.http.post('/api/reset-password', {
      token,
      body: { currentPassword: password, newPassword: 'quite another battery horse' },
    });

    for (const challenge of ['unknown', used, expired, ofOldPassword])
      expect(await finishLogin(challenge, recoveryCodes[0] as string)).toMatchObject(restart);
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

  it('is not replaced by a change of the password', async () => {
    const { userId, token, path } = await withSecondFactor(accounts);
    const newPassword = 'quite another battery horse';
    const changed = await accounts.http.post('/api/reset-password', {
      token,
      body: { currentPassword: password, newPassword },
    });
    const { body } = await accounts.refresh(cookieOf(changed.headers));

    const reply = await accounts.http.delete(`${path}/totp`, { token: body.token });

    expect(body.user.id).toBe(userId);
    expect(reply).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
  });
});
