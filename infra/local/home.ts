import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ports } from './ports.ts';
import { Secrets } from './secrets.ts';
import { Supervisor, stopLeftovers } from './supervisor.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

export interface ServerContext {
  home: string;
  /** The folder of the servers' data: the same as `home`, except for tests, which use a folder in memory. */
  data: string;
  ports: Ports;
  secrets: Secrets;
  supervisor: Supervisor;
  say: (line: string) => void;
  /** The folder of downloads that all home folders share. */
  cache: string;
  /** True for tests, whose data need not survive a power failure. */
  isThrowaway: boolean;
}

/** Opens a home folder, in which a marketplace stores its data. Ends processes that a killed run left behind there. */
export async function openHome(options: {
  home: string;
  say: (line: string) => void;
  data?: string;
  isThrowaway?: boolean;
}): Promise<ServerContext> {
  const { home, say, data = home, isThrowaway = false } = options;
  mkdirSync(home, { recursive: true });
  const leftovers = await stopLeftovers(home);
  if (leftovers.length > 0) {
    say(`An earlier run was killed. Ended its processes: ${leftovers.join(', ')}`);
  }
  return {
    home,
    data,
    say,
    isThrowaway,
    cache: join(projectRoot, 'node_modules', '.cache'),
    ports: new Ports(home),
    secrets: new Secrets(home),
    supervisor: new Supervisor({ home, say }),
  };
}
