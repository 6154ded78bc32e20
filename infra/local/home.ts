import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ports } from './ports.ts';
import { Secrets } from './secrets.ts';
import { Supervisor, stopLeftovers } from './supervisor.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** What every server's file needs to start its server. */
export interface ServerContext {
  home: string;
  ports: Ports;
  secrets: Secrets;
  supervisor: Supervisor;
  say: (line: string) => void;
  /** For downloads that every home may share. */
  cache: string;
  /** True for tests: the data need not survive a power cut. */
  isThrowaway: boolean;
}

/** Makes the folder of a marketplace ready for a new run: what a killed run left there is ended. */
export async function openHome(options: {
  home: string;
  say: (line: string) => void;
  isThrowaway?: boolean;
}): Promise<ServerContext> {
  const { home, say, isThrowaway = false } = options;
  mkdirSync(home, { recursive: true });
  const leftovers = await stopLeftovers(home);
  if (leftovers.length > 0) {
    say(`An earlier run was killed. Ended what it left: ${leftovers.join(', ')}`);
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
