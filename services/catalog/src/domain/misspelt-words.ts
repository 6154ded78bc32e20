import { toolWords } from './synonyms.ts';

/** A possible correction. `tools` counts the tools whose name contains the word. */
export interface Candidate {
  word: string;
  tools: number;
}

const shortest = 3;
const longest = 30;

/** Whether a word could be misspelt: within the vocabulary's lengths and not a number. */
export const mayBeMisspelt = (word: string): boolean =>
  word.length >= shortest && word.length <= longest && !/^\p{N}+$/u.test(word);

/** Undoes a swap of neighboring letters or an extra letter, which trigrams miss in short words ("drlil", "drill"). */
export const unswapped = (word: string): string[] => {
  const words = new Set<string>();
  for (let i = 0; i < word.length; i++) {
    words.add(word.slice(0, i) + word.slice(i + 1));
    words.add(word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2));
  }
  words.delete(word);
  return [...words];
};

const doubled = 0.5;

/** The edit distance: 1 per inserted, deleted, replaced or swapped letter, but ½ for a letter doubled or not doubled by mistake. */
export const countMistakes = (typed: string, meant: string): number => {
  const extra = (word: string, at: number) =>
    word[at] === word[at - 1] || word[at] === word[at + 1] ? doubled : 1;
  const rows: number[][] = [[0]];
  const cost = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= typed.length; i++) {
    const row = rows[i] ?? [];
    rows[i] = row;
    for (let j = 0; j <= meant.length; j++) {
      if (i === 0 && j === 0) continue;
      const isSwap =
        i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
      row[j] = Math.min(
        cost(i - 1, j) + (i > 0 ? extra(typed, i - 1) : 0),
        cost(i, j - 1) + (j > 0 ? extra(meant, j - 1) : 0),
        cost(i - 1, j - 1) + (typed[i - 1] === meant[j - 1] ? 0 : 1),
        isSwap ? cost(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return cost(typed.length, meant.length);
};

/** How many mistakes a correction may assume: two mistakes in a short word leave too little to recognize. */
const mostMistakes = (word: string): number => (word.length <= 4 ? 1 : word.length <= 8 ? 1.5 : 2);

/** The first letter is rarely wrong: "grill" is not "drill". */
const beginsAlike = (typed: string, meant: string): boolean =>
  typed[0] === meant[0] || (typed[0] === meant[1] && typed[1] === meant[0]);

/** Returns the most likely intended word: of those with the fewest mistakes, the one in most tools. Undefined if none is close. */
export const correct = (typed: string, candidates: Candidate[]): string | undefined => {
  // The word is known, although no tool on offer has it today, so keep it.
  if (candidates.some(({ word }) => word === typed)) return typed;
  const known = [...toolWords].map((word) => ({ word, tools: 0 }));
  const close = [...candidates, ...known]
    .filter(({ word }) => Math.abs(word.length - typed.length) <= 2 && beginsAlike(typed, word))
    .map((candidate) => ({ ...candidate, mistakes: countMistakes(typed, candidate.word) }))
    .filter(({ mistakes }) => mistakes > 0 && mistakes <= mostMistakes(typed))
    .sort((a, b) => a.mistakes - b.mistakes || b.tools - a.tools);
  return close[0]?.word;
};
