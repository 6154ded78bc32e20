import { olderThan, type Pool, purgeRows } from '@lendtools/service-kit';

/** Deletes the times of questions and answers that are too old to be counted on a public page. */
export const purgeQuestionAnswers = (pool: Pool): Promise<number> =>
  purgeRows(
    pool,
    {
      async find(tx, { skip, limit }) {
        const { rows } = await tx.query<{ id: string }>(
          `SELECT thread_id AS id FROM question_answers
           WHERE ${olderThan('created_at', 31)} AND thread_id <> ALL ($1::uuid[])
           LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [skip, limit],
        );
        return rows.map(({ id }) => id);
      },
      async purge(tx, ids) {
        await tx.query('DELETE FROM question_answers WHERE thread_id = ANY($1)', [ids]);
      },
    },
    { batchSize: 1_000 },
  );
