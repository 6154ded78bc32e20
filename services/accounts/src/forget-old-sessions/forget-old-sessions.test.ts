import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../test/accounts-service.ts';
import { forgetOldSessions } from './forget-old-sessions.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newSession = async () => accounts.logIn((await accounts.signUp()).email);

describe('forgetOldSessions', () => {
  it('deletes what ended or expired a day ago, and nothing that lives', async () => {
    const [live, ended, expired] = [await newSession(), await newSession(), await newSession()];
    await accounts.pool.query(
      `UPDATE sessions SET ended_at = now() - interval '25 hours' WHERE user_id = $1`,
      [ended.userId],
    );
    await accounts.pool.query(
      `UPDATE sessions SET expires_at = now() - interval '25 hours' WHERE user_id = $1`,
      [expired.userId],
    );

    await forgetOldSessions(accounts.pool);

    const { rows } = await accounts.pool.query('SELECT user_id FROM sessions');
    const tokens = await accounts.pool.query('SELECT 1 FROM refresh_tokens');
    expect(rows).toEqual([{ user_id: live.userId }]);
    expect(tokens.rows).toHaveLength(1);
    expect((await accounts.refresh(live.cookie)).status).toBe(200);
  });
});
