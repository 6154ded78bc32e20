import type { Pool } from '@lendtools/service-kit';
import { type Candidate, correct, mayBeMisspelt, unswapped } from '../domain/misspelt-words.ts';
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
} from '../domain/search-words.ts';

export interface SearchedWords {
  terms: Term[];
  formsOf: FormsOf;
}

/** Parses a query. Returns no terms if the query contains no word. */
export const readWords = async (pool: Pool, typed: string): Promise<SearchedWords> =>
  withForms(pool, termsOf(wordsOf(typed)));

const withForms = async (pool: Pool, terms: Term[]): Promise<SearchedWords> => {
  const formsOf = await readForms(pool, terms);
  return { terms: withoutFillers(terms, formsOf), formsOf };
};

const mostCompounds = 10;

const readForms = async (pool: Pool, terms: Term[]): Promise<FormsOf> => {
  const { rows } = await pool.query<WordForms & { word: string }>(
    // Skip words of two letters: too many longer words end with such a word, and no index helps to find them.
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
 * Corrects a query that no tool matches: replaces or drops unknown words, then drops terms until a tool matches. Ignores
 * filters: a drill that is too far away is not a typing error. Returns undefined if nothing changes.
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
  // An incomplete last word finds tools by its prefix, but correct it if a known word is close: "dril" becomes "drill".
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
  // Don't correct the search if every word is known but no tool has all of them.
  return first < 0 && unmatched.length === 0 ? undefined : mended;
};

/** Whether all words of every term are so common that reading their tools from the index costs too much. */
export const areCommon = ({ terms, formsOf }: SearchedWords): boolean =>
  terms.every(({ typed }) => typed.some((word) => formsOf(word).tools > mostCollected));

/** Up to this many matches are collected and sorted; more matches are read in sort order. Both take up to 20 ms with a million tools. */
export const mostCollected = 5_000;

/**
 * For each search, whether any tool on offer matches. With LIMIT 1, PostgreSQL would scan all tools for a word that no
 * tool has, so use LIMIT 1000. For common words, check the newest tools first: the index would collect all matches.
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

/** The corrected words of each term; empty for a term without a similar word. */
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
