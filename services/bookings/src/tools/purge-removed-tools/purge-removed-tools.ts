import { olderThan, type Pool, purgeRows } from '@lendtools/service-kit';

/** Deletes never-rented tools a month after their removal: by then no event about them can be in transit. */
export const purgeRemovedTools = (pool: Pool): Promise<number> =>
  purgeRows(
    pool,
    {
      async find(tx, { skip, limit }) {
        const { rows } = await tx.query<{ id: string }>(
          `SELECT id FROM tools t WHERE ${olderThan('removed_at', 30)} AND id <> ALL ($1::uuid[])
             AND NOT EXISTS (SELECT FROM bookings b WHERE b.tool_id = t.id)
           LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [skip, limit],
        );
        return rows.map(({ id }) => id);
      },
      async purge(tx, ids) {
        await tx.query('DELETE FROM units WHERE tool_id = ANY($1)', [ids]);
        await tx.query('DELETE FROM tools WHERE id = ANY($1)', [ids]);
      },
    },
    { batchSize: 200 },
  );
