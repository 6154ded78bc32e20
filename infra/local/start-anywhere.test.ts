import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectRoot } from './home.ts';
import { sendSignal } from './os-process.ts';
import { holderOf, readRunFile } from './run-file.ts';
import { copyProject } from './test/project-copy.ts';

let parent: string;
let folder: string;
let npm: ChildProcess;
let output = '';

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'start-anywhere-'));
  folder = join(parent, 'My Projects', 'josé');
  copyProject(projectRoot, folder);
});

afterAll(async () => {
  if (npm.exitCode === null) await stop();
  rmSync(parent, { recursive: true });
});

function home() {
  return join(folder, '.local');
}

async function stop(): Promise<void> {
  const ended = once(npm, 'close');
  const pid = holderOf(home());
  if (pid !== null) sendSignal(pid, 'SIGTERM');
  await ended;
}

// Uses the machine's own Node, like a newcomer's shell.
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((entry) => !entry.includes('node_modules'))
  .join(delimiter);

async function start(...options: string[]): Promise<void> {
  npm = spawn('npm', ['start', '--', ...options], {
    cwd: folder,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    for (const stream of [npm.stdout, npm.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ready.')) resolve();
      });
    npm.once('close', () => reject(new Error(output)));
  });
}

describe('npm start', () => {
  it('runs in a folder whose path has a space and a non-ASCII letter', async () => {
    await start('--no-demo', '--port', '0');
    const site = readRunFile(home())?.site;
    const [page, categories] = await Promise.all([
      fetch(`${site}/`).then((reply) => reply.text()),
      fetch(`${site}/api/all-rental-categories`).then((reply) => reply.json()),
    ]);
    await stop();

    expect(page).toContain('<title>');
    expect(categories).not.toEqual([]);
    expect(output).toContain('Stopped');
    expect(npm.exitCode).toBe(0);
  });
});
