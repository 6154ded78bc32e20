import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const page = readFileSync('docs/security.md', 'utf8');
const rows = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, rule]) => Number(rule));
const named = [
  ...page.matchAll(/^- \*\*(\d+)\*\* `(.+\.(?:test|journey)\.ts)`((?:\n {2}- .+)+)/gm),
].flatMap(([, rule, file = '', titles = '']) =>
  titles
    .split('\n  - ')
    .slice(1)
    .map((title) => ({ rule: Number(rule), file, title })),
);

const [asvs = ''] = /^## ASVS .*?(?=^## )/ms.exec(page) ?? [];
/** Every requirement of a row, with the row's state: `met`, `operator`, `n/a` or `**not met**`. */
const requirements = [
  ...asvs.matchAll(/^\| ([\d., ]+) \| ([12 and]+) \| .+? \| (.+?) \| (.*) \|$/gm),
].flatMap(([, numbers = '', levels = '', state = '', where = '']) =>
  numbers.split(', ').map((number) => ({ number, levels, state, where })),
);
const official = readFileSync('e2e/docs/asvs-5.0.0.csv', 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.slice(1).split(',') as [number: string, level: string]);

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n');
const names = new Set(files.map((file) => basename(file)));
/** Paths are relative to the repository, or to one of these folders. */
const folders = ['', 'docs/', 'services/', 'packages/', 'packages/service-kit/src/'];

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

  it('names only files that exist', () => {
    const paths = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path);
    const bare = [...page.matchAll(/`([\w.-]+\.(?:ts|tsx|mjs|yml))`/g)].map(
      ([, name = '']) => name,
    );

    const missing = [
      ...paths.filter((path) => !folders.some((folder) => existsSync(folder + path))),
      ...bare.filter((name) => !names.has(name)),
    ];

    expect(paths.length).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  });
});

describe('the table of the ASVS', () => {
  it('has each requirement of levels 1 and 2 once', () => {
    const numbers = requirements.map(({ number }) => number);

    expect(numbers).toEqual(official.map(([number]) => number));
    expect(numbers).toHaveLength(253);
  });

  it('shows the level of each requirement', () => {
    const wrong = official.filter(
      ([number, level]) =>
        !requirements.find((each) => each.number === number)?.levels.includes(level),
    );

    expect(wrong).toEqual([]);
  });

  it('has a state and an explanation for each requirement', () => {
    const states = new Set(requirements.map(({ state }) => state));

    expect(states).toEqual(new Set(['met', 'operator', 'n/a', '**not met**']));
    expect(requirements.filter(({ where }) => where.length < 5)).toEqual([]);
  });

  it('refers only to rules that exist', () => {
    const referred = [...asvs.matchAll(/rules? ((?:\d+(?:, | and )?)+)/g)].flatMap(
      ([, list = '']) => list.match(/\d+/g)?.map(Number) ?? [],
    );

    expect(referred.length).toBeGreaterThan(100);
    expect(referred.filter((rule) => !rows.includes(rule))).toEqual([]);
  });

  it('counts the requirements of each chapter by state', () => {
    const counted = [
      ...asvs.matchAll(/^\| (\d+) [A-Z][^|]*\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm),
    ].map((match) => match.slice(1).map(Number));
    const count = (chapter: number, state: string) =>
      requirements.filter((each) => each.number.startsWith(`${chapter}.`) && each.state === state)
        .length;

    expect(counted).toEqual(
      Array.from({ length: 17 }, (_, i) => [
        i + 1,
        ...['met', 'operator', 'n/a', '**not met**'].map((state) => count(i + 1, state)),
      ]),
    );
  });

  it('explains every requirement that is not met', () => {
    const [section = ''] = /^### What is not met.*?(?=^### )/ms.exec(asvs) ?? [];
    const explained = [...section.matchAll(/^\| ([\d., ]+) \|/gm)].flatMap(([, numbers = '']) =>
      numbers.split(', '),
    );

    expect(explained).toEqual(
      requirements.filter(({ state }) => state === '**not met**').map(({ number }) => number),
    );
  });
});
