import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '@lendtools/service-kit';
import {
  type AccountsService,
  adminLogin,
  cookieOf,
  startAccountsService,
} from '../../test/accounts-service.ts';
import { codeOf } from '../../test/second-factor.ts';
import { config } from '../config.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService({ REQUIRE_ADMIN_MFA: 'true' });
});
afterAll(() => accounts.stop());

const listUsers = (token: string) => accounts.http.get('/api/all-users', { token });

describe('REQUIRE_ADMIN_MFA', () => {
  it('lets an admin act as such only while they have a second factor, and in sessions that began with it', async () => {
    const stolen = await accounts.logInAdmin();
    const { status, body } = await accounts.http.post('/api/login', { body: adminLogin });
    const token = body.token as string;
    const path = `/api/user/${body.user.id}/second-factors`;
    const before = await listUsers(token);
    const needed = await accounts.http.get(path, { token });

    const started = await accounts.http.post(`${path}/totp`, { token });
    const code = codeOf(started.body.secret, -1);
    const confirmed = await accounts.http.post(`${path}/totp/confirm`, { token, body: { code } });
    const login = await accounts.http.post('/api/login', { body: adminLogin });
    const finished = await accounts.http.post('/api/login/second-factor', {
      body: { challenge: login.body.challenge, code: codeOf(started.body.secret) },
    });
    const admin = finished.body.token as string;

    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { role: 'Admin' }, secondFactorNeeded: true });
    expect(before).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_NOT_SET_UP' } });
    expect(needed.body.isRequired).toBe(true);
    expect(confirmed.status).toBe(200);
    expect((await accounts.refresh(stolen.cookie)).status).toBe(401);
    expect(finished.body).not.toHaveProperty('secondFactorNeeded');
    expect((await listUsers(admin)).status).toBe(200);

    const removal = await accounts.http.delete(`${path}/totp`, { token: admin });
    const renewed = await accounts.refresh(cookieOf(finished.headers));
    const without = await listUsers(renewed.body.token);
    expect(removal.status).toBe(200);
    expect((await listUsers(admin)).status).toBe(401);
    expect(renewed.body.secondFactorNeeded).toBe(true);
    expect(without).toMatchObject({ status: 403, body: { code: 'SECOND_FACTOR_NOT_SET_UP' } });
  });

  it('does not change logins of members', async () => {
    const { email } = await accounts.signUp();
    const { token, userId } = await accounts.logIn(email);
    const { body } = await accounts.http.get(`/api/user/${userId}/second-factors`, { token });
    expect(body.isRequired).toBe(false);
    expect((await listUsers(token)).body.code).toBe('FORBIDDEN');
  });

  it('needs a FACTOR_KEY, without which no admin could set up an app', () => {
    const read = () => readConfig(config, { ...accounts.env, FACTOR_KEY: undefined });
    expect(read).toThrow('REQUIRE_ADMIN_MFA needs it');
  });
});

describe('an admin whose login was an hour ago', () => {
  it('must confirm who they are to change a role, or their own email, phone or address', async () => {
    const own = await startAccountsService();
    try {
      const { id } = await own.signUp();
      const { userId, cookie } = await own.logInAdmin();
      await own.pool.query(
        `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
        [userId],
      );
      const { token } = (await own.refresh(cookie)).body;
      const edit = (body: object) => own.http.put(`/api/update-account/${userId}`, { token, body });

      const replies = [
        await own.http.put(`/api/users/${id}`, { token, body: { role: 'Admin' } }),
        await edit({ email: 'thief@example.com', password: adminLogin.password }),
        await edit({ phone: '+1 512 555 0199' }),
        await edit({ address: '13 Elm Street' }),
      ];

      for (const reply of replies)
        expect(reply).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
      expect((await edit({ user_name: 'boss' })).status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});
