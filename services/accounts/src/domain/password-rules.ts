import { readFileSync } from 'node:fs';

const list = new URL('../../data/common-passwords.txt', import.meta.url);

const common = new Set(
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('# ')),
);

/**
 * Whether it is among the first guesses, ignoring case: the 3,000 most common ones, one character repeated, our own
 * name, or what is known of the account.
 */
export const isCommonPassword = (password: string, ...known: string[]): boolean => {
  const typed = password.toLowerCase();
  const names = ['lendtools', ...known.map((name) => name.toLowerCase())];
  return common.has(typed) || /^(.)\1+$/su.test(typed) || names.includes(typed);
};
