import type { Pool } from '@lendtools/service-kit';
import { type Candidate, correct, mayBeMisspelt, unswapped } from './domain/misspelt-words.ts';
import {
  type FormsOf,
  isToolName,
  type Term,
  termsOf,
  tsqueryOf,
  type WordForms,
  withLess,
  withoutFillers,
  wordsOf,
  wordsOfTerms,
} from './domain/search-words.ts';

export interface SearchedWords {
  terms: Term[];
  formsOf: FormsOf;
}

/** Parses a query. Returns no terms if it contains no word. */
export const readWords = async (pool: Pool, typed: string): Promise<SearchedWords> =>
  withForms(pool, termsOf(wordsOf(typed)));

const withForms = async (pool: Pool, terms: Term[]): Promise<SearchedWords> => {
  const formsOf = await readForms(pool, terms);
  return { terms: withoutFillers(terms, formsOf), formsOf };
};

const mostCompounds = 10;

const readForms = async (pool: Pool, terms: Term[]): Promise<FormsOf> => {
  const { rows } = await pool.query<WordForms & { word: string }>(
    // Skips words of two letters: too many words end with them, and no index helps.
    `SELECT w.word, (ts_lexize('english_stem', w.word))[1] AS stem,
       CASE WHEN w.word = ANY ($2) AND length(w.word) > 2 THEN ARRAY(
         SELECT v.word FROM vocabulary v
         WHERE v.word LIKE '%' || w.word AND v.word <> w.word
         ORDER BY v.tools DESC, v.word LIMIT ${mostCompounds}
       ) ELSE '{}' END AS compounds,
       coalesce((SELECT v.tools FROM vocabulary v WHERE v.word = w.word), 0) AS tools
     FROM unnest($1::text[]) w(word)`,
    [wordsOfTerms(terms), terms.flatMap(({ typed }) => typed)],
  );
  const forms = new Map(
    rows.map(({ word, ...rest }) => [word, { ...rest, stem: rest.stem ?? undefined }]),
  );
  return (word) => forms.get(word) ?? { stem: undefined, compounds: [], tools: 0 };
};

/**
 * Corrects a query that no tool on offer matches: replaces each unknown word with a similar known one or drops it,
 * then drops terms until a tool matches. Returns undefined if that changes nothing. Ignores filters: a drill out of
 * reach is not a typing error.
 */
export const mendWords = async (
  pool: Pool,
  { terms, formsOf }: SearchedWords,
): Promise<SearchedWords | undefined> => {
  if (terms.length === 0) return undefined;
  const last = terms.at(-1) as Term;
  const [isFound, isBegun, ...found] = await areFound(pool, formsOf, [
    { terms },
    { terms: [last] },
    ...terms.map((term) => ({ terms: [term], reach: 'typed' as const })),
  ]);
  if (isFound) return undefined;
  const isPart = (term: Term) => term.typed.some((word) => formsOf(word).compounds.length > 0);
  const unmatched = terms.filter((term, i) => !found[i] && !isToolName(term) && !isPart(term));
  // An incomplete last word finds tools but should not be shown: correct "dril" to "drill" if it is close.
  const unknown = unmatched.filter((term) => term !== last || !isBegun);
  const corrections = await correctWords(pool, unmatched);
  const meantBy = (term: Term): string[] => {
    const corrected = corrections.get(term) ?? [];
    return corrected.length > 0 || unknown.includes(term) ? corrected : term.typed;
  };
  const meant = termsOf(terms.flatMap(meantBy));
  if (meant.length === 0) return undefined;
  const mended = await withForms(pool, meant);
  const less = withLess(mended.terms);
  const stillFound = await areFound(
    pool,
    mended.formsOf,
    [mended.terms, ...less].map((each) => ({ terms: each })),
  );
  const first = stillFound.indexOf(true);
  if (first > 0) return { ...mended, terms: less[first - 1] as Term[] };
  // Every word is known but no tool on offer has them all: no corrected search.
  return first < 0 && unmatched.length === 0 ? undefined : mended;
};

/**
 * Whether every term has a word so common that collecting its tools from the index is not worthwhile, judging by
 * names alone.
 */
export const areCommon = ({ terms, formsOf }: SearchedWords): boolean =>
  terms.every(({ typed }) => typed.some((word) => formsOf(word).tools > mostCollected));

/**
 * Above this many matches a page is read in its sort order; up to it, all matches are collected and sorted. The cost
 * of collecting grows with the matches, that of walking shrinks: at a million tools each takes at most about 20 ms.
 */
export const mostCollected = 5_000;

/**
 * Returns for each search whether any tool on offer matches. With LIMIT 1, PostgreSQL would scan all tools for a word
 * that none has; with LIMIT 1000 it uses the index unless the word is common. For common words, first checks the
 * newest tools: the index would collect all matches first.
 */
const areFound = async (
  pool: Pool,
  formsOf: FormsOf,
  searches: { terms: Term[]; reach?: 'typed' }[],
): Promise<boolean[]> => {
  const probes = searches.map(({ terms }, i) => {
    const has = `t.words @@ $${i + 1}::tsquery`;
    const found = `(SELECT count(*) > 0 FROM (
      SELECT FROM tools t WHERE t.on_offer AND ${has} LIMIT 1000))`;
    if (!areCommon({ terms, formsOf })) return found;
    return `(EXISTS (SELECT FROM (
      SELECT words FROM tools WHERE on_offer ORDER BY id DESC LIMIT ${mostCollected}) t WHERE ${has}) OR ${found})`;
  });
  const { rows } = await pool.query<{ found: boolean[] }>(
    `SELECT ARRAY[${probes.join(', ')}] AS found`,
    searches.map((search) => tsqueryOf(search.terms, formsOf, search.reach ?? 'compound')),
  );
  return rows[0]?.found ?? [];
};

/** Returns the corrected words of each term; none for a term without a similar word. */
const correctWords = async (pool: Pool, terms: Term[]): Promise<Map<Term, string[]>> => {
  const words = terms.flatMap(({ typed }) => typed).filter(mayBeMisspelt);
  if (words.length === 0) return new Map();
  const { rows } = await pool.query<{ typed: string; candidates: Candidate[] }>(
    `SELECT typed, (
       SELECT coalesce(json_agg(c), '[]') FROM (
         (SELECT word, tools FROM vocabulary WHERE word % typed
          ORDER BY similarity(word, typed) DESC, tools DESC LIMIT 20)
         UNION ALL
         SELECT word, tools FROM vocabulary
         WHERE word IN (SELECT jsonb_array_elements_text(unswapped))
       ) c
     ) AS candidates
     FROM unnest($1::text[], $2::jsonb[]) w(typed, unswapped)`,
    [words, words.map((word) => JSON.stringify(unswapped(word)))],
  );
  const meant = new Map(rows.map(({ typed, candidates }) => [typed, correct(typed, candidates)]));
  const corrected = terms.map((term) => [
    term,
    term.typed.flatMap((word) => meant.get(word) ?? []),
  ]);
  return new Map(corrected as [Term, string[]][]);
};
