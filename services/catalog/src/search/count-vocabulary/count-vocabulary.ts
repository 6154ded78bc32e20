import { deleteInBatches, type Pool, purgeRows } from '@lendtools/service-kit';

/** Adds change records to the counts of words, in a fixed order to avoid deadlocks. @returns the number of change records deleted */
export const countVocabulary = async (pool: Pool): Promise<number> => {
  const counted = await purgeRows(pool, {
    async find(tx, { skip, limit }) {
      const { rows } = await tx.query<{ id: string }>(
        `SELECT id::text FROM vocabulary_changes WHERE id <> ALL ($1::bigint[])
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [skip, limit],
      );
      return rows.map(({ id }) => id);
    },
    purge: (tx, ids) => tx.query(addUp, [ids]),
  });
  // Don't delete a word with a count of zero if a change record that adds the word is still uncounted: a tool already contains it.
  await deleteInBatches(pool, {
    from: 'vocabulary',
    where: 'tools <= 0 AND NOT EXISTS (SELECT FROM vocabulary_changes WHERE word = ANY (added))',
  });
  return counted;
};

const addUp = `
  WITH notes AS (
    DELETE FROM vocabulary_changes WHERE id = ANY ($1::bigint[]) RETURNING added, removed
  ), changes AS (
    SELECT unnest(added) AS word, 1 AS by FROM notes UNION ALL SELECT unnest(removed), -1 FROM notes
  )
  INSERT INTO vocabulary AS v (word, tools)
  SELECT word, sum(by) FROM changes GROUP BY word HAVING sum(by) <> 0 ORDER BY word
  ON CONFLICT (word) DO UPDATE SET tools = v.tools + excluded.tools`;
