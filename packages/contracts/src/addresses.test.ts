import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as endpoints from './endpoints.ts';
import * as pages from './pages.ts';

const root = path.join(import.meta.dirname, '../../..');
const exempt = [
  'packages/contracts/src/endpoints.ts',
  'packages/contracts/src/pages.ts',
  // This file calls RabbitMQ's management API, whose paths also begin with /api.
  'packages/event-bus/src/set-up-broker.ts',
];
const isSource = (file: string) => !/\.test\.tsx?$/.test(file) && !exempt.includes(file);
const sources = globSync('{web,gateway,services/*,packages/*}/src/**/*.{ts,tsx}', { cwd: root })
  .filter(isSource)
  .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n') }));

const screens = Object.values(pages)
  .filter((address) => typeof address !== 'function')
  .flat()
  .filter((address) => address.length > 1);
/** Matches an address at the start of a string, or after an interpolation. */
const literal = new RegExp(`['"\`}](/(api|internal)/\\w|(${screens.join('|')})(?![\\w-]))`);
const comment = /^\s*(\*|\/\/|\/\*)/;

const linesWithAddress = () =>
  sources.flatMap(({ file, lines }) =>
    lines.flatMap((line, at) =>
      literal.test(line) && !comment.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
    ),
  );

describe('the paths of API calls and screens', () => {
  it('appear as literals only in endpoints.ts and pages.ts', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(linesWithAddress()).toEqual([]);
  });

  it('are unique within endpoints.ts and within pages.ts', () => {
    for (const table of [endpoints, pages]) {
      const texts = Object.values(table).filter((value) => typeof value === 'string');
      expect(new Set(texts).size).toBe(texts.length);
    }
  });
});
