import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startMarketplace } from './marketplace.ts';
import { leaveHome, takeHome } from './run-file.ts';
import { projectRoot } from './servers.ts';
import { stopLeftovers } from './supervisor.ts';

/** A marketplace of its own for the browser journeys, from nothing; its `run.json` tells the rest. */
export async function startTestSite(
  say: (line: string) => void,
): Promise<{ runFile: string; stop: () => Promise<void> }> {
  // The journeys sign up hundreds of people from one address; the limits have tests of their own.
  process.env.RATE_LIMIT_FACTOR ??= '1000';
  const home = join(projectRoot, '.local', 'test-site');
  await stopLeftovers(home);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  takeHome(home);
  const options = { home, port: 0, withDemo: false, replicas: new Map() };
  const marketplace = startMarketplace(options, say);
  const stop = async () => {
    await marketplace.stop();
    leaveHome(home);
  };
  try {
    await marketplace.ready;
  } catch (error) {
    await stop();
    throw error;
  }
  return { runFile: join(home, 'run.json'), stop };
}
