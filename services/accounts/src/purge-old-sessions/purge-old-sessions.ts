import { deleteInBatches, type Pool, type Purge } from '@lendtools/service-kit';
import { sessionDays } from '../domain/refresh-rules.ts';
import { isUnusedKey } from '../signing-key-repository.ts';

const aDayAgo = `now() - interval '1 day'`;
const isOver = `ended_at < ${aDayAgo} OR expires_at < ${aDayAgo}`;

/**
 * Deletes what can have no effect any more. Ended sessions are kept for a day: their access tokens live for 15
 * minutes, and a used refresh token that comes again should be known while somebody may look into it. A session that
 * is renewed for ever keeps the used tokens of as long as a cookie may hold one.
 */
export const sessionPurges = (pool: Pool): Record<string, Purge> => ({
  // The tokens first, or a session with thousands of them would take them along in one statement.
  // In two statements, each by an index: one with OR would read every token.
  refresh_tokens: async () =>
    (await deleteInBatches(pool, {
      from: 'refresh_tokens',
      where: `session_id IN (SELECT id FROM sessions WHERE ${isOver})`,
    })) +
    (await deleteInBatches(pool, {
      from: 'refresh_tokens',
      where: `used_at < now() - interval '${sessionDays} days'`,
    })),
  sessions: () => deleteInBatches(pool, { from: 'sessions', where: isOver }),
  mailed_tokens: () =>
    deleteInBatches(pool, { from: 'mailed_tokens', where: 'expires_at < now()' }),
  rate_limits: () =>
    deleteInBatches(pool, { from: 'rate_limits', where: 'expire < $1', values: [Date.now()] }),
  signing_keys: () => deleteInBatches(pool, { from: 'signing_keys', where: isUnusedKey }),
});
