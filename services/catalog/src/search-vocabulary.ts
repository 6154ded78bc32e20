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

/** What is searched for, and the forms of its words. */
export interface SearchedWords {
  terms: Term[];
  formsOf: FormsOf;
}

/** What was typed, read; without terms where it holds no word. */
export const readWords = async (pool: Pool, typed: string): Promise<SearchedWords> =>
  withForms(pool, termsOf(wordsOf(typed)));

const withForms = async (pool: Pool, terms: Term[]): Promise<SearchedWords> => {
  const formsOf = await readForms(pool, terms);
  return { terms: withoutFillers(terms, formsOf), formsOf };
};

const mostCompounds = 10;

const readForms = async (pool: Pool, terms: Term[]): Promise<FormsOf> => {
  const { rows } = await pool.query<WordForms & { word: string }>(
    // Two letters end too many words: no index finds those, and nobody means them.
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
 * What was most likely meant where no tool on offer has the words as typed: each unknown word as one that is known and
 * close to it, or left out where none is; and then without the words that keep every tool from being found. Undefined
 * where that comes to the same. Filters don't count: a drill that is out of reach is no typing error.
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
  const strange = terms.filter((term, i) => !found[i] && !isToolName(term) && !isPart(term));
  // Half a word is enough to find by, and is no word to show: "dril" becomes a drill where it is close to one.
  const unknown = strange.filter((term) => term !== last || !isBegun);
  const corrections = await correctWords(pool, strange);
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
  // All of it is known, and nobody offers it: that is no other search.
  return first < 0 && strange.length === 0 ? undefined : mended;
};

/** As many tools have the words, in their names alone, as are worth collecting from the index of words. */
export const areCommon = ({ terms, formsOf }: SearchedWords): boolean =>
  terms.every(({ typed }) => typed.some((word) => formsOf(word).tools > mostCollected));

/**
 * How many tools may have some words before their page is read in its order instead of sorting them all. Up to here the
 * one takes longer the more there are, beyond it the other the fewer: at a million tools each takes about 20 ms at most.
 */
export const mostCollected = 5_000;

/**
 * Of each search whether any tool on offer has its words. Asked for one tool, PostgreSQL would look through all of them
 * for a word that none has; asked for a thousand, it takes the index unless the word is common. Of common words one is
 * among the newest, and the index would first collect all of them.
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

/** The words that are meant by each of the terms; none of them for a term that is close to nothing. */
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
