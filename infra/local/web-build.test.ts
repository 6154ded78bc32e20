import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hashSources } from './web-build.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lendtools-web-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'app.tsx'), 'one');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the hash of the sources', () => {
  it('changes with the content of a file', () => {
    const before = hashSources([folder]);

    writeFileSync(join(folder, 'src', 'app.tsx'), 'two');

    expect(hashSources([folder])).not.toBe(before);
  });

  it('changes with the name of a file', () => {
    const before = hashSources([folder]);

    writeFileSync(join(folder, 'src', 'page.tsx'), '');

    expect(hashSources([folder])).not.toBe(before);
  });

  it('stays when only dates, tests or the build itself change', () => {
    const before = hashSources([folder]);

    utimesSync(join(folder, 'src', 'app.tsx'), 1, 1);
    writeFileSync(join(folder, 'src', 'app.test.tsx'), 'a test');
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'app.js'), 'built');

    expect(hashSources([folder])).toBe(before);
  });
});
