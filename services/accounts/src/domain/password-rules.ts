import { readFileSync } from 'node:fs';

const list = new URL('../../data/common-passwords.txt', import.meta.url);

const common = new Set(
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('# ')),
);

/** Whether an attacker would try the password early, because it is common or a known detail of the account. Ignores case. */
export const isCommonPassword = (password: string, ...known: string[]): boolean => {
  const typed = password.toLowerCase();
  const names = ['lendtools', ...known.map((name) => name.toLowerCase())];
  return common.has(typed) || /^(.)\1+$/su.test(typed) || names.includes(typed);
};
