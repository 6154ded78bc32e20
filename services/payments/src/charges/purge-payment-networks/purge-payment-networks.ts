import { type Pool, purgeRows } from '@lendtools/service-kit';

/** Clears the hashed networks after a day, which is as far back as the limit on declines counts. */
export const purgePaymentNetworks = (pool: Pool): Promise<number> =>
  purgeRows(pool, {
    async find(tx, { skip, limit }) {
      const { rows } = await tx.query<{ id: string }>(
        `SELECT id FROM payments
         WHERE networks <> '{}' AND created_at < now() - interval '1 day' AND id <> ALL ($1::uuid[])
         LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
        [skip],
      );
      return rows.map(({ id }) => id);
    },
    async purge(tx, ids) {
      await tx.query(`UPDATE payments SET networks = '{}' WHERE id = ANY ($1::uuid[])`, [ids]);
    },
  });
