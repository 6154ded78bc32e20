import { rmSync } from 'node:fs';
import type { ServiceName } from '@lendtools/contracts';
import { startMarketplace } from '@lendtools/local/marketplace';
import { cpuMs } from './cpu.ts';

export interface Bench {
  home: string;
  site: string;
  databases: Record<string, string>;
  urlOf(name: string): string;
  urlsOf(name: string): string[];
  pidOf(name: string): number;
  /** CPU time so far, summed over all replicas. */
  cpuMsOf(name: string): number;
  stop(): Promise<void>;
}

const urlAt = ({ port }: { port: number | null }): string => `http://127.0.0.1:${port}`;

export const startBench = async (
  home: string,
  replicas: [ServiceName, number][] = [],
): Promise<Bench> => {
  rmSync(home, { recursive: true, force: true });
  const marketplace = startMarketplace(
    { home, port: 0, withDemo: false, replicas: new Map(replicas), restore: null },
    (line) => console.log(`  ${line}`),
  );
  const run = await marketplace.ready;
  const findAll = (name: string) => run.processes.filter((each) => each.name === name);
  const find = (name: string) => {
    const [found] = findAll(name);
    if (!found) throw new Error(`No ${name} is running`);
    return found;
  };
  return {
    home,
    site: run.site.replace('localhost', '127.0.0.1'),
    databases: run.databases,
    urlOf: (name) => urlAt(find(name)),
    urlsOf: (name) => findAll(name).map(urlAt),
    cpuMsOf: (name) => findAll(name).reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    pidOf: (name) => find(name).pid,
    stop: () => marketplace.stop(),
  };
};
