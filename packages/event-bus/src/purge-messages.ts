import { deleteInBatches, olderThan, type Pool, type Purge } from '@lendtools/service-kit';

/** Handled events are recorded for a month: an event is delivered within three days, or later if an operator replays it. */
export const messagePurges = (pool: Pool): Record<string, Purge> => ({
  published_events: () =>
    deleteInBatches(pool, { from: 'outbox_messages', where: olderThan('published_at', 3) }),
  inbox_notes: () =>
    deleteInBatches(pool, { from: 'inbox_messages', where: olderThan('handled_at', 30) }),
});
