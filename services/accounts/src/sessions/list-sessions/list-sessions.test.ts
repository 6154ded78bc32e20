import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  type AccountsService,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const logInFrom = async (email: string, headers: Record<string, string>) => {
  const reply = await accounts.http.post('/api/login', { body: { email, password }, headers });
  return { token: reply.body.token as string, headers: reply.headers };
};

const listOf = async (userId: string, token: string) =>
  (await accounts.http.get(`/api/user/${userId}/sessions`, { token })).body.sessions;

describe('GET /api/user/:userId/sessions', () => {
  it('lists the open sessions with device, country and network, but not the address', async () => {
    const { email, id } = await accounts.signUp();
    await logInFrom(email, { 'user-agent': chrome, 'x-forwarded-for': '8.8.8.8' });
    const { token } = await logInFrom(email, { 'user-agent': 'curl/8', 'x-forwarded-for': '::1' });

    const sessions = await listOf(id, token);

    expect(sessions).toMatchObject([
      { device: null, place: null, network: '0:0:0:0::/48', isCurrent: true },
      {
        device: 'Chrome on Windows',
        place: 'United States',
        network: '8.8.8.0/24',
        isCurrent: false,
      },
    ]);
    expect(JSON.stringify(sessions)).not.toContain('8.8.8.8');
  });

  it('shows when a session of before the upgrade was last used, and no text from the browser', async () => {
    const { email, id } = await accounts.signUp();
    const headers = { 'user-agent': 'Your-account-is-locked-see-evil.example/1.0' };
    const { token } = await logInFrom(email, headers);
    await accounts.pool.query(
      `UPDATE sessions SET used_at = NULL, expires_at = now() + interval '28 days' WHERE user_id = $1`,
      [id],
    );

    const [session] = await listOf(id, token);

    expect(session.device).toBeNull();
    const daysAgo = (Date.now() - Date.parse(session.usedAt)) / 86_400_000;
    expect(daysAgo).toBeCloseTo(2, 1);
  });

  it('omits ended and expired sessions, and sessions that are older than 90 days', async () => {
    const { email, id } = await accounts.signUp();
    const logIn = () => accounts.logIn(email);
    const [current, old, ended, expired] = [
      await logIn(),
      await logIn(),
      await logIn(),
      await logIn(),
    ];
    const change = async ({ token }: { token: string }, assignment: string) => {
      const { sid } = decodeJwt(token);
      await accounts.pool.query(`UPDATE sessions SET ${assignment} WHERE id = $1`, [sid]);
    };
    await accounts.http.post('/api/logout', { token: ended.token });
    await change(expired, 'expires_at = now()');
    await change(old, `created_at = now() - interval '90 days'`);

    expect(await listOf(id, current.token)).toMatchObject([{ isCurrent: true }]);
  });

  it("rejects another user's request, and an admin's", async () => {
    const { id } = await accounts.signUp();
    const other = await accounts.logIn((await accounts.signUp()).email);
    const admin = await accounts.logInAdmin();

    for (const { token } of [other, admin]) {
      const reply = await accounts.http.get(`/api/user/${id}/sessions`, { token });
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
  });
});
