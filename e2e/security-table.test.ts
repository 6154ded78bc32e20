import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const table = readFileSync('docs/security.md', 'utf8');
const rows = table.split('\n').filter((row) => /^\| \d+ \|/.test(row));
const named = [
  ...table.matchAll(/`([\w./-]+\.(?:test|journey)\.ts)` › (.+?)(?=; `| \||; in full|; medians)/g),
];

describe('docs/security.md', () => {
  it('has all 36 lines of the checklist', () => {
    expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(
      Array.from({ length: 36 }, (_, i) => i + 1),
    );
  });

  it('names tests that are there', () => {
    const missing = named.flatMap(([, file = '', title = '']) =>
      readFileSync(file, 'utf8').includes(title) ? [] : [`${file} › ${title}`],
    );

    expect(named.length).toBeGreaterThanOrEqual(55);
    expect(missing).toEqual([]);
  });
});
