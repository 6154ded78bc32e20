import { deleteInBatches, olderThan, type Pool, purgeRows } from '@lendtools/service-kit';

/** Ended holds are kept for this many days. A payment that succeeds later is refunded. */
const keepDays = 7;
/** Ended requests are kept for this many days, so that both parties can see how they ended. */
const keepRequestsDays = 90;
/** Batches are small, because a hold of twenty lines with fifty units each has a thousand rows. */
const batches = { batchSize: 20, maxBatches: 500 };

/** Deletes ended holds with their drafts and units, and ended changes without a hold. Safe on several replicas. */
export const purgeEndedHolds = async (pool: Pool): Promise<number> =>
  (await purgeChanges(pool)) + (await purgeHolds(pool));

const purgeChanges = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'booking_changes',
    where: `id IN (SELECT change_id FROM approvals WHERE hold_id IS NULL AND status NOT IN ('pending', 'accepted', 'done')
      AND ${olderThan('answer_by', keepRequestsDays)})`,
  });

/** Skips locked holds. A late payment locks its hold too, so it either finds no hold or keeps the hold. */
const purgeHolds = (pool: Pool): Promise<number> =>
  purgeRows(
    pool,
    {
      async find(tx, { skip, limit }) {
        const { rows } = await tx.query<{ id: string }>(
          `SELECT id FROM holds WHERE status = 'ended' AND ${olderThan('expires_at', keepDays)}
             AND (authorized_by IS NULL OR ${olderThan('expires_at', keepRequestsDays)}) AND id <> ALL ($1::uuid[])
           ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [skip, limit],
        );
        return rows.map(({ id }) => id);
      },
      async purge(tx, ids) {
        await tx.query(
          `DELETE FROM booking_units u USING bookings b WHERE b.id = u.booking_id AND b.hold_id = ANY($1)`,
          [ids],
        );
        await tx.query('DELETE FROM bookings WHERE hold_id = ANY($1)', [ids]);
        await tx.query('DELETE FROM holds WHERE id = ANY($1)', [ids]);
      },
    },
    batches,
  );
