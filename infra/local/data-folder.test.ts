import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { createDataFolder } from './data-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'data-folder-'));
let folder: string;

afterAll(() => {
  for (const each of [home, folder]) rmSync(each, { recursive: true, force: true });
});

it('createDataFolder returns an empty folder, at the same path in each run with the same home', () => {
  folder = createDataFolder(home);
  const left = join(folder, 'left-by-a-killed-run');
  writeFileSync(left, '');

  expect(createDataFolder(home)).toBe(folder);
  expect(existsSync(folder)).toBe(true);
  expect(existsSync(left)).toBe(false);
});
