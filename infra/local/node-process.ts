import { join } from 'node:path';
import { projectRoot, type ServerContext } from './home.ts';
import type { ProcessSpec } from './supervisor.ts';

/** A TypeScript entry point that the Node of this process runs as it is. */
export function nodeProcess(
  context: ServerContext,
  options: {
    name: string;
    replica: number;
    port: number;
    main: string;
    env: NodeJS.ProcessEnv;
    readyPath?: string;
  },
): ProcessSpec {
  const { name, replica, port, main, env, readyPath = '/readyz' } = options;
  return {
    name,
    replica,
    port,
    command: process.execPath,
    args: [join(projectRoot, main)],
    cwd: projectRoot,
    settings: { PORT: String(port), ...env },
    // Settings such as LOG_LEVEL or HOLD_TTL_MINUTES reach the services from the shell.
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LENDTOOLS_HOME: context.home,
      // Without it every start strips the types again, with half the work and 30 MB of compiler on top.
      NODE_COMPILE_CACHE: join(context.cache, 'compiled'),
      PORT: String(port),
      ...env,
    },
    // FAULT_BOOKINGS=relay.afterConfirm:3:kill breaks bookings once; what replaces it runs on.
    envOnce: { FAULT: process.env[`FAULT_${name.toUpperCase().replace('-', '_')}`] ?? '' },
    isReady: async () => (await fetch(`http://127.0.0.1:${port}${readyPath}`)).ok,
    // Ends at once, where a SIGTERM would first send its callers to another replica: here all of them stop.
    stopSignal: 'SIGINT',
    // Services finish what they have begun within 15 seconds, and are killed only after that.
    stopTimeoutMs: 17_000,
  };
}
