import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linkLibraries } from './postgres-binaries.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postgres-binaries-'));
  mkdirSync(join(folder, 'native', 'lib'), { recursive: true });
  writeFileSync(join(folder, 'native', 'lib', 'libpq.so.5.18'), 'a library');
});
afterEach(() => rmSync(folder, { recursive: true }));

function list(links: { source: string; target: string }[]) {
  return writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
}

describe('linkLibraries', () => {
  it('links PostgreSQL’s libraries if npm ran no install script', () => {
    list([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]);

    linkLibraries(folder);

    expect(readlinkSync(join(folder, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(readFileSync(join(folder, 'native', 'lib', 'libpq.so.5'), 'utf8')).toBe('a library');
  });

  it('keeps existing links to PostgreSQL’s libraries', () => {
    list([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]);
    linkLibraries(folder);

    linkLibraries(folder);

    expect(readFileSync(join(folder, 'native', 'lib', 'libpq.so.5'), 'utf8')).toBe('a library');
  });

  it('links no libraries if the package has no list of links', () => {
    expect(() => linkLibraries(folder)).not.toThrow();
  });
});
