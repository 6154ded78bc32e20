import { longestName, synonymsOf, toolWords } from './synonyms.ts';

/** How many words of a query are used: more words do not improve a search, and each costs time. */
const maxWords = 8;

/** Splits a query into words without capitals, accents and punctuation, like the SQL function `plain_words`. */
export const wordsOf = (typed: string): string[] =>
  typed
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'\u2019]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, maxWords);

/** One concept that a tool must match: the words as typed, and all names of the concept. */
export interface Term {
  typed: string[];
  names: string[][];
}

/** Joins neighboring words into the longest known name: "power washer" is one concept, not "power" and "washer". */
export const termsOf = (words: string[]): Term[] => {
  const terms: Term[] = [];
  for (let at = 0; at < words.length; ) {
    const rest = words.slice(at, at + longestName);
    while (rest.length > 1 && !synonymsOf(rest)) rest.pop();
    terms.push({ typed: rest, names: synonymsOf(rest) ?? [rest] });
    at += rest.length;
  }
  return terms;
};

export const wordsOfTerms = (terms: Term[]): string[] => [
  ...new Set(terms.flatMap(({ typed, names }) => [...typed, ...names.flat()])),
];

export const textOf = (terms: Term[]): string => terms.flatMap(({ typed }) => typed).join(' ');

export interface WordForms {
  /** The word's stem; undefined for stop words such as "the". */
  stem: string | undefined;
  /** Longer words that end with the word, such as "chainsaw" for "saw". */
  compounds: string[];
  /** The number of tools with the word in their name. */
  tools: number;
}
export type FormsOf = (word: string) => WordForms;

/** Drops stop words such as "the" and "with", unless the query has nothing else. */
export const withoutFillers = (terms: Term[], formsOf: FormsOf): Term[] => {
  const meaningful = terms.filter(
    ({ typed }) => typed.length > 1 || formsOf(typed[0] as string).stem !== undefined,
  );
  return meaningful.length > 0 ? meaningful : terms;
};

/**
 * What a word matches. `typed`: itself and its stem. `named`: also synonyms and, for the last word, longer words that
 * start with it. `compound`: also longer words that end with the word, as "saw" matches "chainsaw".
 */
type Reach = 'typed' | 'named' | 'compound';

/** How many letters a prefix needs: a shorter prefix would match half of all descriptions. */
const shortestBeginning = 3;

/** Builds a PostgreSQL tsquery. Words contain only letters and digits, so they need no escaping. */
export const tsqueryOf = (terms: Term[], formsOf: FormsOf, reach: Reach): string => {
  const last = terms.at(-1);
  const wordQuery = (word: string, isTyped: boolean, isLast: boolean): string => {
    const { stem, compounds } = formsOf(word);
    const forms = new Set([`'${word}'`]);
    if (stem) forms.add(`'${stem}'`);
    const begins = reach === 'named' || word.length >= shortestBeginning;
    if (isTyped && isLast && reach !== 'typed' && begins) forms.add(`'${word}':*`);
    if (isTyped && reach === 'compound') for (const each of compounds) forms.add(`'${each}'`);
    return `(${[...forms].join('|')})`;
  };
  return terms
    .map((term) => {
      const typed = term.typed.join(' ');
      const names = reach === 'typed' ? [term.typed] : term.names;
      const conditions = names.map((name) => {
        const isTyped = name.join(' ') === typed;
        return `(${name
          .map((word, i) => wordQuery(word, isTyped, term === last && i === name.length - 1))
          .join('&')})`;
      });
      return `(${conditions.join('|')})`;
    })
    .join('&');
};

/** Whether the words are the common name of a tool, or a part of such a name. */
export const isToolName = ({ typed }: Term): boolean => typed.every((word) => toolWords.has(word));

/**
 * Shorter queries to try when no tool matches all terms: without one term, then only the last terms, which usually name
 * the tool ("red ladder"), then only tool names. If the query names a tool, so does each shorter query.
 */
export const withLess = (terms: Term[]): Term[][] => {
  const oneLess = terms.map((_, left) => terms.filter((__, i) => i !== left));
  const endings = terms.slice(2).map((_, i) => terms.slice(i + 2));
  const names = terms.filter(isToolName);
  return [...oneLess, ...endings, names].filter(
    (less) =>
      less.length > 0 &&
      less.length < terms.length &&
      (names.length === 0 || less.some(isToolName)),
  );
};
