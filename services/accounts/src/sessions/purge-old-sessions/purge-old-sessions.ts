import { deleteInBatches, type Pool, type Purge } from '@lendtools/service-kit';
import { sessionDays } from '../../domain/refresh-rules.ts';
import { formerEmailDays } from '../../store/former-email-repository.ts';
import { isUnusedKey } from '../../store/signing-key-repository.ts';

const aDayAgo = `now() - interval '1 day'`;
const isOver = `ended_at < ${aDayAgo} OR expires_at < ${aDayAgo}`;

/**
 * Keeps ended sessions and expired tokens for a day: access tokens live up to 12 hours, and the reuse of a stolen refresh
 * token must be detected. An open session keeps its used tokens for as long as a cookie lives.
 */
export const sessionPurges = (pool: Pool): Record<string, Purge> => ({
  // Delete tokens first: deleting a session deletes its tokens, perhaps thousands. One statement with OR would scan every token.
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
  former_emails: () =>
    deleteInBatches(pool, {
      from: 'former_emails',
      where: `changed_at < now() - interval '${formerEmailDays} days'`,
    }),
  data_exports: () =>
    deleteInBatches(pool, {
      from: 'data_exports',
      where: `requested_at < now() - interval '30 days' OR expires_at < now()`,
    }),
  unconfirmed_factors: () =>
    deleteInBatches(pool, {
      from: 'totp_factors',
      where: `confirmed_at IS NULL AND created_at < ${aDayAgo}`,
    }),
  spent_challenges: () =>
    deleteInBatches(pool, { from: 'spent_challenges', where: 'expires_at < now()' }),
  rate_limits: () =>
    deleteInBatches(pool, { from: 'rate_limits', where: 'expire < $1', values: [Date.now()] }),
  signing_keys: () => deleteInBatches(pool, { from: 'signing_keys', where: isUnusedKey }),
});
