import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectRoot } from './home.ts';
import { processes, settingsOf } from './test/processes.ts';

const started = ['services/bookings', 'gateway'];

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'start-'));
  cpSync(join(projectRoot, 'package.json'), join(root, 'package.json'));
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  for (const folder of started) {
    mkdirSync(join(root, folder), { recursive: true });
    cpSync(join(projectRoot, folder, 'package.json'), join(root, folder, 'package.json'));
    symlinkSync(join(projectRoot, folder, 'src'), join(root, folder, 'src'));
  }
});
afterAll(() => rmSync(root, { recursive: true }));

// Starts with the machine's own Node; the script must find the project's Node.
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

function start(folder: string, env: Record<string, string> = {}) {
  return spawnSync('npm', ['start', '--workspace', folder], {
    cwd: root,
    env: { PATH: path, HOME: root, ...env },
    encoding: 'utf8',
  });
}

async function requiredOf(folder: string): Promise<string[]> {
  return (await settingsOf(folder))
    .flatMap(({ name, isRequired }) => (isRequired ? name : []))
    .sort();
}

function missingIn(stderr: string): string[] {
  return [...stderr.matchAll(/^ +(\w+): is missing$/gm)].map(([, name]) => name ?? '').sort();
}

describe('npm start --workspace', () => {
  it.each(processes)('starts %s by the same npm script as every other process', (folder) => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, folder, 'package.json'), 'utf8'));

    expect(manifest.scripts.start).toBe('node --env-file-if-exists=.env src/main.ts');
  });

  it.each(started)('lists all missing settings of %s at once', async (folder) => {
    const { status, stderr } = start(folder);

    expect(missingIn(stderr)).toEqual(await requiredOf(folder));
    expect(stderr).not.toMatch(/^ +at /m);
    expect(status).toBe(1);
  });

  it('reads the service’s .env, which the environment overrides', async () => {
    const file = join(root, 'services', 'bookings', '.env');
    writeFileSync(file, 'ACCOUNTS_URL=http://accounts.test\nPUBLIC_URL=no address\n');

    const { stderr } = start('services/bookings', { PUBLIC_URL: 'http://lendtools.test' });
    rmSync(file);

    const required = await requiredOf('services/bookings');
    const given = ['ACCOUNTS_URL', 'PUBLIC_URL'];
    expect(missingIn(stderr)).toEqual(required.filter((name) => !given.includes(name)));
    expect(stderr).not.toContain('PUBLIC_URL');
  });
});
