import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const doc = readFileSync('docs/conformance.md', 'utf8');
const decisions = readFileSync('docs/adr/0006-where-we-depart-from-the-documents.md', 'utf8');

interface Row {
  id: string;
  state: string;
  tests: string;
  note: string;
}

const sections = doc
  .split(/^## /m)
  .slice(1)
  .map((text) => {
    const [title = ''] = text.split('\n');
    const rows = [...text.matchAll(/^\| (\d+) \| .+? \| (✔ᴰ?|◐|✘) \| (.*?) \| (.*?) ?\|$/gm)].map(
      ([, number, state = '', tests = '', note = '']): Row => ({
        id: `${title} ${number}`,
        state,
        tests,
        note,
      }),
    );
    return { title, rows };
  });
const rows = sections.flatMap((section) => section.rows);
const idsOf = (found: Row[]) => found.map(({ id }) => id);

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((path) => /\.(test|journey)\.tsx?$/.test(path));
const pathsOf = (name: string) => files.filter((path) => basename(path) === name);

describe('docs/conformance.md', () => {
  it('cites in each row an existing test file, or “read” for a review of the code', () => {
    const namesNothing = rows.filter(({ tests }) => tests !== 'read' && !/^`.+`$/.test(tests));
    const named = new Set(
      [...doc.matchAll(/`([\w-]+\.(?:test|journey)\.tsx?)`/g)].map((m) => m[1]),
    );
    const unclear = [...named].filter((name) => pathsOf(name ?? '').length !== 1);

    expect(rows.length).toBeGreaterThan(400);
    expect(idsOf(namesNothing)).toEqual([]);
    expect(unclear).toEqual([]);
  });

  it('links each departure from the documents, and no conforming row, to an existing section of ADR 6', () => {
    const headings = [...decisions.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(',', '').replaceAll(' ', '-'),
    );
    const linked = ({ note }: Row) => /0006-[\w-]+\.md#([\w-]+)\)/.exec(note)?.[1] ?? '';

    const departures = rows.filter(({ state }) => state === '✔ᴰ');
    expect(idsOf(departures.filter((row) => !headings.includes(linked(row))))).toEqual([]);
    expect(idsOf(rows.filter((row) => row.state === '✔' && linked(row)))).toEqual([]);
  });

  it('states the right totals, per section and overall', () => {
    const count = (of: Row[], state: string) => of.filter((row) => row.state === state).length;
    const line = (title: string, of: Row[]) =>
      `| ${title} | ${count(of, '✔')} | ${count(of, '✔ᴰ')} | ${count(of, '◐')} |`;

    expect(doc.split('\n')).toEqual(
      expect.arrayContaining([
        ...sections.map((section) => line(section.title, section.rows)),
        line('all', rows),
      ]),
    );
  });
});
