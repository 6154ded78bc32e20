import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface Site {
  /** Its `run.json`, once it is ready; rejects with what it said when it does not start. */
  ready: Promise<string>;
  /** At any time, in the middle of the start as well. */
  stop: () => Promise<void>;
}

/** A whole new marketplace from the code of that folder, for its journeys. */
export const startSite = (folder: string): Site => {
  const home = join(folder, '.local', 'site');
  rmSync(home, { recursive: true, force: true });
  const options = ['--home', home, '--no-demo', '--port', '0'];
  const child = spawn(process.execPath, ['infra/local/start.ts', ...options], {
    cwd: folder,
    // Its own process group: Ctrl-C reaches it by `stop` alone.
    detached: true,
    env: { ...process.env, RATE_LIMIT_FACTOR: '1000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const untilReady = async (): Promise<string> => {
    const runFile = join(home, 'run.json');
    const deadline = Date.now() + 120_000;
    while (!existsSync(runFile)) {
      const died = child.exitCode !== null || child.signalCode !== null;
      if (died || Date.now() > deadline) throw new Error(`No marketplace: ${said.slice(-2_000)}`);
      await delay(100);
    }
    return runFile;
  };
  return {
    ready: untilReady(),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
