import { deleteInBatches, type Pool, type Purge } from '@lendtools/service-kit';

const old = (column: string, days: number): string => `${column} < now() - interval '${days} days'`;

/**
 * What the kit and the bus leave behind in every PostgreSQL database. No event is delivered later than three days after
 * it was sent, unless somebody replays a dead letter: the notes of effects stay for a month.
 */
export const messagePurges = (pool: Pool): Record<string, Purge> => ({
  published_events: () =>
    deleteInBatches(pool, { from: 'outbox_messages', where: old('published_at', 3) }),
  inbox_notes: () =>
    deleteInBatches(pool, { from: 'inbox_messages', where: old('handled_at', 30) }),
  idempotency_keys: () =>
    deleteInBatches(pool, { from: 'idempotency_keys', where: old('created_at', 3) }),
  quotas: () => deleteInBatches(pool, { from: 'quotas', where: 'ends_at < now()' }),
});
