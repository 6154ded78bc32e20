import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

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
  it('numbers its rules from 1 and has at least the 36 rules of the checklist', () => {
    expect(rows.length).toBeGreaterThanOrEqual(36);
    expect(rows).toEqual(rows.map((_, i) => i + 1));
  });

  it('names only tests that exist', () => {
    const missing = named.flatMap(({ file, title }) =>
      readFileSync(file, 'utf8').includes(title) ? [] : [`${file} › ${title}`],
    );

    expect(missing).toEqual([]);
  });

  it('names a test for every rule except the one about dependencies', () => {
    const tested = new Set(named.map(({ rule }) => rule));

    expect(rows.filter((rule) => !tested.has(rule))).toEqual([35]);
  });
});
