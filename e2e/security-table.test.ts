import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { mutants } from './src/mutants/list.ts';
import { checkMutants, patternOf } from './src/mutants/mutant.ts';

const table = readFileSync('docs/security.md', 'utf8');
const rows = table.split('\n').filter((row) => /^\| \d+ \|/.test(row));
const named = rows.flatMap((row) => {
  const names = row.matchAll(
    /`([\w./-]+\.(?:test|journey)\.ts)` › (.+?)(?=; `| \||; in full|; medians)/g,
  );
  const rule = Number(row.split('|')[1]);
  return [...names].map(([, file = '', title = '']) => ({ rule, file, title }));
});

const isCaseOf = (name: string, title: string): boolean =>
  new RegExp(`^${patternOf(title)}$`).test(name);

describe('docs/security.md', () => {
  it('has the 36 lines of the checklist, and ours after them', () => {
    expect(rows.length).toBeGreaterThanOrEqual(36);
    expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(rows.map((_, i) => i + 1));
  });

  it('names tests that are there', () => {
    const missing = named.flatMap(({ file, title }) =>
      readFileSync(file, 'utf8').includes(title) ? [] : [`${file} › ${title}`],
    );

    expect(named.length).toBeGreaterThanOrEqual(70);
    expect(missing).toEqual([]);
  });

  it('has a mutant for every line but that of dependencies, and for every test', () => {
    const lines = rows.map((row) => Number(row.split('|')[1])).filter((rule) => rule !== 35);
    const unbroken = lines.filter((line) => !mutants.some(({ rule }) => rule === line));
    const unproved = named.filter(
      ({ rule, file, title }) =>
        !mutants.some(
          ({ rule: broken, test }) =>
            broken === rule && test.file === file && isCaseOf(test.name, title),
        ),
    );

    expect(unbroken).toEqual([]);
    expect(unproved).toEqual([]);
  });
});

describe('the list of mutants', () => {
  it('breaks code that is there', () => {
    checkMutants(mutants);
  });
});
