import { existsSync, readFileSync } from 'node:fs';

/** A piece of text in a file, which must be there exactly once, and what stands in its place. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

export interface TestName {
  file: string;
  /** As the test file has it, with `%s`; or as it reads for one case. */
  name: string;
}

/** One way to break the code on purpose, and the test that must turn red by it. */
export interface Mutant extends Edit {
  /** A line of docs/security.md, or what else must never go wrong. */
  rule: number | 'events' | 'money';
  /** What the code does once it is broken. */
  breaks: string;
  /** A second layer that does the same, and would hide that the first is gone. */
  also?: Edit[];
  test: TestName;
}

/** @throws Error when the text is not there exactly once: the list must not rot in silence */
export const breakText = (text: string, { file, find, replace }: Edit): string => {
  const times = text.split(find).length - 1;
  if (times !== 1)
    throw new Error(
      `${file} has this ${times} times, not once; mend the entry in e2e/src/mutants: ${find}`,
    );
  return text.replace(find, () => replace);
};

export const editsOf = ({ file, find, replace, also = [] }: Mutant): Edit[] => [
  { file, find, replace },
  ...also,
];

/** @throws Error that names the first edit whose text is not there, or whose file: code that changed needs another. */
export const checkMutants = (mutants: readonly Mutant[]): void => {
  for (const edit of mutants.flatMap(editsOf))
    breakText(existsSync(edit.file) ? readFileSync(edit.file, 'utf8') : '', edit);
};

/** The pattern of a test's name, in which `%s` stands for anything. */
export const patternOf = (name: string): string =>
  name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[a-z]/g, '.*');
