import { deleteInBatches, olderThan, type Pool, type Purge } from '@lendtools/service-kit';

/**
 * Purges of what the bus leaves behind in every PostgreSQL database. No event is delivered later than three days
 * after it was sent, unless somebody replays a dead letter: the notes of effects stay for a month.
 */
export const messagePurges = (pool: Pool): Record<string, Purge> => ({
  published_events: () =>
    deleteInBatches(pool, { from: 'outbox_messages', where: olderThan('published_at', 3) }),
  inbox_notes: () =>
    deleteInBatches(pool, { from: 'inbox_messages', where: olderThan('handled_at', 30) }),
});
