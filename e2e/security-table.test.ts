import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { mutants } from './src/mutants/list.ts';
import { fileOf } from './src/mutants/mutant.ts';

const table = readFileSync('docs/security.md', 'utf8');
const rows = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, rule]) => Number(rule));
const named = [
  ...table.matchAll(/^- \*\*(\d+)\*\* `(.+\.(?:test|journey)\.ts)`((?:\n {2}- .+)+)/gm),
].flatMap(([, rule, file = '', titles = '']) =>
  titles
    .split('\n  - ')
    .slice(1)
    .map((title) => ({ rule: Number(rule), file, title })),
);

describe('docs/security.md', () => {
  it('numbers its lines from 1 and has at least the 36 of the checklist', () => {
    expect(rows.length).toBeGreaterThanOrEqual(36);
    expect(rows).toEqual(rows.map((_, i) => i + 1));
  });

  it('names tests that exist', () => {
    const missing = named.flatMap(({ file, title }) =>
      readFileSync(file, 'utf8').includes(title) ? [] : [`${file} › ${title}`],
    );

    expect(missing).toEqual([]);
  });

  it('names a test for every line except the one about dependencies', () => {
    const tested = new Set(named.map(({ rule }) => rule));

    expect(rows.filter((rule) => !tested.has(rule))).toEqual([35]);
  });
});

describe('the mutants', () => {
  it('lists only mutants of known rules, in files that exist', () => {
    const rules = new Set<string | number>(['events', 'money', 'search', ...rows]);

    expect(mutants.filter(({ rule }) => !rules.has(rule))).toEqual([]);
    expect(
      mutants
        .flatMap(({ changes, test }) => [fileOf(test), ...changes.map(({ file }) => file)])
        .filter((file) => !existsSync(file)),
    ).toEqual([]);
  });
});
