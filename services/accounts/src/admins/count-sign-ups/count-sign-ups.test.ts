import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

describe('GET /api/admin/stats/accounts', () => {
  it('counts all users, and the sign-ups of each day up to today', async () => {
    const admin = await accounts.logInAdmin();
    const user = await accounts.signUp();
    await accounts.pool.query(
      `UPDATE users SET created_at = now() - interval '3 days' WHERE id = $1`,
      [user.id],
    );
    const all = await accounts.http.get('/api/all-users?limit=1', admin);

    const { body } = await accounts.http.get('/api/admin/stats/accounts?days=5', admin);

    const days = body.signUps.map(({ day }: { day: string }) => day);
    expect(body.total).toBe(all.body.total);
    expect(days).toHaveLength(5);
    expect(days).toEqual([...days].sort());
    expect(body.signUps[1].count).toBe(1);
    expect(body.signUps[4].count).toBe(all.body.total - 1);
  });
});
