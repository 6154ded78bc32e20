import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface Site {
  /** The path of its `run.json`, once it is ready; rejects with its output if it does not start. */
  ready: Promise<string>;
  /** May be called at any time, also during the start. */
  stop: () => Promise<void>;
}

/** Starts a new marketplace from the code in a folder, for journeys. */
export const startSite = (folder: string): Site => {
  const home = join(folder, '.local', 'site');
  rmSync(home, { recursive: true, force: true });
  const options = ['--home', home, '--no-demo', '--port', '0'];
  const child = spawn(process.execPath, ['infra/local/start.ts', ...options], {
    cwd: folder,
    // In a separate process group, so that Ctrl-C does not reach it; `stop` ends it.
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
      if (died || Date.now() > deadline)
        throw new Error(`The marketplace did not start: ${said.slice(-2_000)}`);
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
