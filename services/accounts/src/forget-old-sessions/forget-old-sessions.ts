import type { Pool } from '@lendtools/service-kit';
import { sessionDays } from '../domain/refresh-rules.ts';

/**
 * Deletes what can have no effect any more. Ended sessions are kept for a day: their access tokens live for 15
 * minutes, and a used refresh token that comes again should be known while somebody may look into it. A session that is renewed for ever keeps the used tokens of as long as a cookie may hold one.
 */
export const forgetOldSessions = async (pool: Pool): Promise<void> => {
  const aDayAgo = `now() - interval '1 day'`;
  await pool.query(`DELETE FROM sessions WHERE ended_at < ${aDayAgo} OR expires_at < ${aDayAgo}`);
  await pool.query(
    `DELETE FROM refresh_tokens WHERE used_at < now() - interval '${sessionDays} days'`,
  );
  await pool.query('DELETE FROM mailed_tokens WHERE expires_at < now()');
  await pool.query('DELETE FROM rate_limits WHERE expire < $1', [Date.now()]);
};
