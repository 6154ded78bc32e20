import { inBatches, inTransaction, type Pool } from '@lendtools/service-kit';

/**
 * A payment that succeeds so late finds no hold, and goes back as it does for any that ended. What came of a request is
 * shown to both parties for longer.
 */
const keepDays = 7;
const keepRequestsDays = 90;
/** With twenty lines of fifty units each, a hold has a thousand rows. */
const batches = { batchSize: 20, maxBatches: 500 };

/** Deletes the holds that nobody paid, with their drafts and units, and the changes that needed none. Safe on several replicas at once. */
export const purgeEndedHolds = async (pool: Pool): Promise<number> =>
  (await inBatches(batches, () => purgeChanges(pool))) +
  (await inBatches(batches, () => purgeSome(pool)));

const purgeChanges = async (pool: Pool): Promise<number> => {
  const { rowCount } = await pool.query(
    `DELETE FROM booking_changes WHERE id IN (
       SELECT id FROM booking_changes
       WHERE status = 'ended' AND hold_id IS NULL AND answer_by < now() - interval '${keepRequestsDays} days'
       LIMIT ${batches.batchSize} FOR UPDATE SKIP LOCKED)`,
  );
  return rowCount ?? 0;
};

/** A late payment locks its hold too: whoever is second waits, and finds it paid or gone. */
const purgeSome = (pool: Pool): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `SELECT id FROM holds WHERE status = 'ended' AND expires_at < now() - interval '${keepDays} days'
         AND (authorized_by IS NULL OR expires_at < now() - interval '${keepRequestsDays} days')
       ORDER BY expires_at LIMIT ${batches.batchSize} FOR UPDATE SKIP LOCKED`,
    );
    const ids = [rows.map(({ id }) => id)];
    await tx.query(
      `DELETE FROM booking_units u USING bookings b WHERE b.id = u.booking_id AND b.hold_id = ANY($1)`,
      ids,
    );
    await tx.query('DELETE FROM bookings WHERE hold_id = ANY($1)', ids);
    await tx.query('DELETE FROM holds WHERE id = ANY($1)', ids);
    return rows.length;
  });
