import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@lendtools/contracts';
import { createDataFolder } from './data-folder.ts';
import { projectRoot } from './home.ts';
import { startMarketplace } from './marketplace.ts';
import { holderOf, leaveHome, takeHome } from './run-file.ts';
import { stopLeftovers } from './supervisor.ts';

export interface TestSite {
  home: string;
  /** Resolves with the path of `run.json` once everything answers. */
  ready: Promise<string>;
  stop: () => Promise<void>;
}

export function startTestSite(
  say: (line: string) => void,
  name = 'test-site',
  { withDemo = false } = {},
): TestSite {
  // The journeys (browser tests) sign up hundreds of people from one address; other tests cover the limits.
  process.env.RATE_LIMIT_FACTOR ??= '1000';
  const home = join(projectRoot, '.local', name);
  let data: string | undefined;
  // With two replicas, the tests cannot depend on which one answers, and one can be replaced while the other runs.
  const replicas = new Map(serviceNames.map((service) => [service, 2]));
  const opening = emptyHome(home).then(() => {
    data = createDataFolder(home);
    return startMarketplace({ home, data, port: 0, withDemo, replicas, restore: null }, say);
  });
  return {
    home,
    ready: opening.then(({ ready }) => ready).then(() => join(home, 'run.json')),
    stop: async () => {
      const marketplace = await opening.catch(() => null);
      await marketplace?.stop();
      if (data) rmSync(data, { recursive: true, force: true });
      if (marketplace) leaveHome(home);
    },
  };
}

async function emptyHome(home: string): Promise<void> {
  const holder = holderOf(home);
  if (holder !== null) throw new Error(`${home} is in use by process ${holder}`);
  await stopLeftovers(home);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  takeHome(home);
}
