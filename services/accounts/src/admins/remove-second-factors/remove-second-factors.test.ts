import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AccountsService,
  anyId,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { addPasskey, loginOptions, passkeyLogin } from '../../../test/passkeys.ts';
import { withSecondFactor } from '../../../test/second-factor.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const reason = 'They lost the phone, and showed us a passport.';

const remove = async (userId: string, body: object = { reason }, caller?: { token: string }) => {
  const { token } = caller ?? (await accounts.logInAdmin());
  return accounts.http.post(`/api/users/${userId}/remove-second-factors`, { token, body });
};

describe('POST /api/users/:userId/remove-second-factors', () => {
  it('removes the app, the passkeys and the codes, ends all sessions, and warns by email', async () => {
    const user = await withSecondFactor(accounts);
    const { authenticator } = await addPasskey(accounts, user);
    const { token } = await accounts.logInAdmin();
    const path = `/api/user/${user.userId}/second-factors`;
    const before = await accounts.http.get(path, { token });

    const reply = await remove(user.userId);
    const after = await accounts.http.get(path, { token });
    const passkey = authenticator.get(await loginOptions(accounts));

    expect(before.body).toMatchObject({
      totpSince: expect.any(String),
      passkeys: [{ name: 'My phone' }],
      recoveryCodesLeft: 8,
    });
    expect(reply.status).toBe(200);
    expect(after.body).toMatchObject({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 });
    expect((await accounts.refresh(user.cookie)).status).toBe(401);
    expect((await passkeyLogin(accounts, passkey)).status).toBe(403);
    await expect(accounts.logIn(user.email)).resolves.toBeDefined();
    const { data } = await accounts.broker.expectEvent(
      'SecondFactorChanged',
      ({ userId, change }) => userId === user.userId && change === 'removed-by-admin',
    );
    expect(data.reason).toBe(reason);
  });

  it('needs a reason, and a user with a second factor', async () => {
    const { id } = await accounts.signUp();
    const replies = [await remove(id, {}), await remove(id), await remove(anyId())];
    expect(replies.map(({ body }) => body.code)).toEqual([
      'VALIDATION_FAILED',
      'SECOND_FACTOR_NOT_FOUND',
      'USER_NOT_FOUND',
    ]);
  });

  it('does not remove the factor of an admin', async () => {
    const { userId } = await withSecondFactor(accounts);
    await accounts.pool.query(`UPDATE users SET role = 'Admin' WHERE id = $1`, [userId]);
    const reply = await remove(userId);
    await accounts.pool.query(`UPDATE users SET role = 'User' WHERE id = $1`, [userId]);
    expect(reply).toMatchObject({ status: 409, body: { code: 'FACTOR_OF_ADMIN' } });
  });

  it('is only for administrators with a fresh login', async () => {
    const [user, stranger] = [await withSecondFactor(accounts), await withSecondFactor(accounts)];
    const { userId, cookie } = await accounts.logInAdmin();
    await accounts.pool.query(
      `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
      [userId],
    );
    const { token } = (await accounts.refresh(cookie)).body;

    const byStranger = await remove(user.userId, { reason }, stranger);
    const stale = await remove(user.userId, { reason }, { token });
    const seen = await accounts.http.get(`/api/user/${user.userId}/second-factors`, stranger);

    expect(byStranger.body.code).toBe('FORBIDDEN');
    expect(stale.body.code).toBe('REAUTHENTICATION_REQUIRED');
    expect(seen.body.code).toBe('FORBIDDEN');
  });
});
