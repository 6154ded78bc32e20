import { inBatches, inTransaction, type Pool } from '@lendtools/service-kit';

/** A payment that succeeds so late finds no hold, and goes back as it does for any that ended. */
const keepDays = 7;
/** With twenty lines of fifty units each, a hold has a thousand rows. */
const batches = { batchSize: 20, maxBatches: 500 };

/** Deletes the holds that nobody paid, with their drafts and units. Safe on several replicas at once. */
export const purgeEndedHolds = (pool: Pool): Promise<number> =>
  inBatches(batches, () => purgeSome(pool));

/** A late payment locks its hold too: whoever is second waits, and finds it paid or gone. */
const purgeSome = (pool: Pool): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `SELECT id FROM holds WHERE status = 'ended' AND expires_at < now() - interval '${keepDays} days'
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
