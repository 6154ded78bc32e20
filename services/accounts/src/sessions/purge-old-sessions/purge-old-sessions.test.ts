import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashToken } from '@lendtools/service-kit';
import {
  type AccountsService,
  cookieOf,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { sessionPurges } from './purge-old-sessions.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const newSession = async () => accounts.logIn((await accounts.signUp()).email);

const hashOf = (cookie: string): Buffer => hashToken(cookie.replace('refresh_token=', ''));

const setUsed = (cookie: string, ago: string) =>
  accounts.pool.query('UPDATE refresh_tokens SET used_at = now() - $2::interval WHERE hash = $1', [
    hashOf(cookie),
    ago,
  ]);

const purgeAll = async (): Promise<void> => {
  for (const purge of Object.values(sessionPurges(accounts.pool))) await purge();
};

describe('the purge of sessions', () => {
  it('deletes sessions and tokens a day after their end, and keeps open sessions', async () => {
    const [live, ended, expired] = [await newSession(), await newSession(), await newSession()];
    await accounts.pool.query(
      `UPDATE sessions SET ended_at = now() - interval '25 hours' WHERE user_id = $1`,
      [ended.userId],
    );
    await accounts.pool.query(
      `UPDATE sessions SET expires_at = now() - interval '25 hours' WHERE user_id = $1`,
      [expired.userId],
    );

    await purgeAll();

    const { rows } = await accounts.pool.query('SELECT user_id FROM sessions');
    const tokens = await accounts.pool.query('SELECT 1 FROM refresh_tokens');
    expect(rows).toEqual([{ user_id: live.userId }]);
    expect(tokens.rows).toHaveLength(1);
    expect((await accounts.refresh(live.cookie)).status).toBe(200);
  });

  it("deletes an open session's used refresh tokens once they are older than any valid cookie", async () => {
    const first = await newSession();
    const second = cookieOf((await accounts.refresh(first.cookie)).headers);
    const third = cookieOf((await accounts.refresh(second)).headers);
    await setUsed(first.cookie, '31 days');
    await setUsed(second, '29 days');

    await purgeAll();

    const { rows } = await accounts.pool.query(
      `SELECT hash FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
       WHERE s.user_id = $1 ORDER BY t.created_at`,
      [first.userId],
    );
    expect(rows.map((row) => row.hash)).toEqual([hashOf(second), hashOf(third)]);
    expect((await accounts.refresh(first.cookie)).status).toBe(401);
    expect((await accounts.refresh(third)).status).toBe(200);
  });
});

describe('the purge of spent challenges', () => {
  it('deletes those that have expired, which are rejected anyway', async () => {
    await accounts.pool.query(
      `INSERT INTO spent_challenges (hash, expires_at)
       VALUES ('old', now() - interval '1 minute'), ('new', now() + interval '1 minute')`,
    );

    await purgeAll();

    const { rows } = await accounts.pool.query(
      `SELECT encode(hash, 'escape') AS hash FROM spent_challenges`,
    );
    expect(rows).toEqual([{ hash: 'new' }]);
  });
});

describe('the purge of signing keys', () => {
  it('deletes a signing key once none of its tokens can be valid, and keeps keys in use', async () => {
    const idsOf = async () =>
      (await accounts.pool.query('SELECT kid FROM signing_keys')).rows.map(({ kid }) => kid);
    const inUse = await idsOf();
    await accounts.pool.query(
      `INSERT INTO signing_keys (kid, public_key, last_used_at)
       VALUES ('old', '{}', now() - interval '14 hours')`,
    );

    await purgeAll();

    expect(await idsOf()).toEqual(inUse);
  });
});
