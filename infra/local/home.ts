import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ports } from './ports.ts';
import { Secrets } from './secrets.ts';
import { Supervisor, stopLeftovers } from './supervisor.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

export interface ServerContext {
  home: string;
  ports: Ports;
  secrets: Secrets;
  supervisor: Supervisor;
  say: (line: string) => void;
  /** Folder for downloads that all homes share. */
  cache: string;
  /** True for tests: data need not survive a power failure. */
  isThrowaway: boolean;
}

/** Prepares a marketplace's folder for a new run: ends processes that a killed run left behind. */
export async function openHome(options: {
  home: string;
  say: (line: string) => void;
  isThrowaway?: boolean;
}): Promise<ServerContext> {
  const { home, say, isThrowaway = false } = options;
  mkdirSync(home, { recursive: true });
  const leftovers = await stopLeftovers(home);
  if (leftovers.length > 0) {
    say(`An earlier run was killed. Ended its processes: ${leftovers.join(', ')}`);
  }
  return {
    home,
    say,
    isThrowaway,
    cache: join(projectRoot, 'node_modules', '.cache'),
    ports: new Ports(home),
    secrets: new Secrets(home),
    supervisor: new Supervisor({ home, say }),
  };
}
