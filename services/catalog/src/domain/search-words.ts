import { longestName, synonymsOf, toolWords } from './synonyms.ts';

/** More make no search better, and each of them costs. */
const maxWords = 8;

/**
 * The words of what was typed, as the database cuts up what is written on a tool (`plain_words` of its migrations):
 * without capitals, accents and signs.
 */
export const wordsOf = (typed: string): string[] =>
  typed
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'\u2019]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, maxWords);

/** One thing that a tool must have: the words as typed, and by what else it is called. */
export interface Term {
  typed: string[];
  names: string[][];
}

/** Joins neighboring words to the longest name that is known: "power washer" is one thing and not any power. */
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

/** What the database knows of a word. */
export interface WordForms {
  /** None for "the" and the like. */
  stem: string | undefined;
  /** Longer words that end in it. */
  compounds: string[];
  /** How many tools have it in their name. */
  tools: number;
}
export type FormsOf = (word: string) => WordForms;

/** "the", "with": no tool is told from another by them. What else is typed then counts, if anything is. */
export const withoutFillers = (terms: Term[], formsOf: FormsOf): Term[] => {
  const telling = terms.filter(
    ({ typed }) => typed.length > 1 || formsOf(typed[0] as string).stem !== undefined,
  );
  return telling.length > 0 ? telling : terms;
};

/**
 * How far a word reaches: to itself and its other forms; or to its other names too, and the last one to what begins with
 * it, because somebody is still typing; or to what ends in it too, as a chainsaw does in "saw".
 */
type Reach = 'typed' | 'named' | 'compound';

/** Below this, half of all descriptions hold a word that begins so. */
const shortestBeginning = 3;

/** A condition on words, as PostgreSQL reads it. Words are letters and digits alone: nothing in them needs a quote. */
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

/** Whether everybody knows the words for a tool, or a part of its name. */
export const isToolName = ({ typed }: Term): boolean => typed.every((word) => toolWords.has(word));

/**
 * What to ask for instead where no tool has it all: one thing less, the first before the last, because the last names
 * the tool ("red ladder"); then ever fewer, and the tool's name alone. A search that names a tool is never for another.
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
