import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/** A service in its own process, so that a fault point can kill it. */
export interface ServiceProcess {
  url: string;
  /** @param fault a fault point, such as `relay.afterConfirm:1:kill` */
  start(fault?: string): Promise<void>;
  /** @throws Error if the process ends without reaching the fault point */
  killed(): Promise<void>;
  stop(): Promise<void>;
}

export const serviceProcess = async (
  main: URL,
  env: Record<string, string>,
): Promise<ServiceProcess> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const end = async (): Promise<void> => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    url,
    async start(fault = '') {
      child = spawn(process.execPath, [fileURLToPath(main)], {
        env: {
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          ...env,
          PORT: String(port),
          FAULT: fault,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok);
    },
    async killed() {
      await end();
      if (child?.signalCode !== 'SIGKILL') throw new Error(`It ended with ${child?.exitCode}`);
    },
    async stop() {
      child?.kill('SIGKILL');
      await end();
    },
  };
};
