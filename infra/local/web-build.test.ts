import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hashSources, publishBuild } from './web-build.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lendtools-web-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'app.tsx'), 'one');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('hash of the sources', () => {
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

  it('stays the same if only dates, tests or the build itself change', () => {
    const before = hashSources([folder]);

    utimesSync(join(folder, 'src', 'app.tsx'), 1, 1);
    writeFileSync(join(folder, 'src', 'app.test.tsx'), 'a test');
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'app.js'), 'built');

    expect(hashSources([folder])).toBe(before);
  });
});

describe('publishBuild', () => {
  const build = (name: string, files: Record<string, string>): string => {
    const root = join(folder, name);
    mkdirSync(join(root, 'assets'), { recursive: true });
    for (const [file, content] of Object.entries(files)) writeFileSync(join(root, file), content);
    return root;
  };

  it('replaces the page and keeps assets that open pages still load', async () => {
    const served = build('served', { 'index.html': 'old', 'assets/home-1.js': 'old home' });
    const fresh = build('fresh', { 'index.html': 'new', 'assets/home-2.js': 'new home' });

    await publishBuild(fresh, served);

    const contents = ['index.html', 'assets/home-1.js', 'assets/home-2.js'].map((file) =>
      readFileSync(join(served, file), 'utf8'),
    );
    expect(contents).toEqual(['new', 'old home', 'new home']);
    expect(readdirSync(join(served, 'assets'))).toHaveLength(2);
  });

  it('deletes assets that have not been part of a build for a week', async () => {
    const served = build('long-served', { 'assets/home-0.js': '', 'assets/font.woff2': 'f' });
    const fresh = build('next', { 'index.html': 'new', 'assets/font.woff2': 'f' });
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
    utimesSync(join(served, 'assets/home-0.js'), eightDaysAgo, eightDaysAgo);

    await publishBuild(fresh, served);

    expect(readdirSync(join(served, 'assets'))).toEqual(['font.woff2']);
  });
});
