import { deleteInBatches, olderThan, type Pool, type Purge } from '@lendtools/service-kit';

/**
 * Purges of the bus's tables. An event is delivered within three days of its publication, unless an operator replays
 * a dead letter; that is why handled events are recorded for a month.
 */
export const messagePurges = (pool: Pool): Record<string, Purge> => ({
  published_events: () =>
    deleteInBatches(pool, { from: 'outbox_messages', where: olderThan('published_at', 3) }),
  inbox_notes: () =>
    deleteInBatches(pool, { from: 'inbox_messages', where: olderThan('handled_at', 30) }),
});
