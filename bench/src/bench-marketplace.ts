import { rmSync } from 'node:fs';
import { startMarketplace } from '@lendtools/local/marketplace';

/** A marketplace of the bench's own, in production configuration, without limits on guessing. */
export interface Bench {
  home: string;
  site: string;
  databases: Record<string, string>;
  urlOf(name: string): string;
  pidOf(name: string): number;
  stop(): Promise<void>;
}

export const startBench = async (home: string): Promise<Bench> => {
  rmSync(home, { recursive: true, force: true });
  const marketplace = startMarketplace(
    { home, port: 0, withDemo: false, replicas: new Map() },
    (line) => console.log(`  ${line}`),
  );
  const run = await marketplace.ready;
  const find = (name: string) => {
    const found = run.processes.find((each) => each.name === name);
    if (!found) throw new Error(`No ${name} runs`);
    return found;
  };
  return {
    home,
    site: run.site.replace('localhost', '127.0.0.1'),
    databases: run.databases,
    urlOf: (name) => `http://127.0.0.1:${find(name).port}`,
    pidOf: (name) => find(name).pid,
    stop: () => marketplace.stop(),
  };
};
