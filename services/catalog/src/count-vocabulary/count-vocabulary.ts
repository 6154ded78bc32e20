import type { Pool } from '@lendtools/service-kit';

const batchSize = 1_000;
/** What is left waits for the next turn. */
const maxBatches = 100;

/**
 * Adds up in how many names each word of the vocabulary is, and forgets those that are in none any more. Answers how
 * many notes of changes went. Two replicas share the notes, and change the words in one order.
 */
export const countVocabulary = async (pool: Pool): Promise<number> => {
  let counted = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const { rows } = await pool.query<{ notes: number }>(addUp, [batchSize]);
    const notes = rows[0]?.notes ?? 0;
    counted += notes;
    if (notes < batchSize) break;
  }
  for (let batch = 0; batch < maxBatches; batch++) {
    const { rowCount } = await pool.query(forgetUnused, [batchSize]);
    if ((rowCount ?? 0) < batchSize) break;
  }
  return counted;
};

/** A word of a note that is still to come is one of a tool. */
const forgetUnused = `
  DELETE FROM vocabulary WHERE word IN (
    SELECT word FROM vocabulary v WHERE tools <= 0
      AND NOT EXISTS (SELECT FROM vocabulary_changes WHERE v.word = ANY (added))
    ORDER BY word LIMIT $1 FOR UPDATE SKIP LOCKED)`;

const addUp = `
  WITH notes AS (
    DELETE FROM vocabulary_changes WHERE id = ANY (ARRAY(
      SELECT id FROM vocabulary_changes ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING added, removed
  ), changes AS (
    SELECT unnest(added) AS word, 1 AS by FROM notes UNION ALL SELECT unnest(removed), -1 FROM notes
  ), counted AS (
    INSERT INTO vocabulary AS v (word, tools)
    SELECT word, sum(by) FROM changes GROUP BY word HAVING sum(by) <> 0 ORDER BY word
    ON CONFLICT (word) DO UPDATE SET tools = v.tools + excluded.tools
  )
  SELECT count(*)::int AS notes FROM notes`;
