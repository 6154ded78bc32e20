import { readFileSync } from 'node:fs';

const list = new URL('../../data/common-passwords.txt', import.meta.url);

const common = new Set(
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('# ')),
);

/** Whether it is among the 3,000 commonest, in whatever capitals: the first that anybody guesses. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
