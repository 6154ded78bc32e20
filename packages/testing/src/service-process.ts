import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/** A service in its own process, so that a fault point can kill it. */
export interface ServiceProcess {
  url: string;
  /**
   * Does nothing if the process runs.
   * @param fault a fault point, such as `relay.afterConfirm:1:kill`
   */
  start(fault?: string): Promise<void>;
  /** Kills the running process when it next reaches the fault point. Saves a restart, which costs a CPU second. */
  arm(faultPoint: string): Promise<void>;
  /** @throws Error if the process ends without reaching the fault point */
  killed(): Promise<void>;
  stop(): Promise<void>;
}

const armFaults = new URL('arm-faults.ts', import.meta.url).href;

export const serviceProcess = async (
  main: URL,
  env: Record<string, string>,
): Promise<ServiceProcess> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const isRunning = (): boolean => child?.exitCode === null && child.signalCode === null;
  const end = async (): Promise<void> => {
    if (child && isRunning()) await once(child, 'exit');
  };
  return {
    url,
    async start(fault = '') {
      if (isRunning()) return;
      child = spawn(process.execPath, ['--import', armFaults, fileURLToPath(main)], {
        env: {
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          ...env,
          PORT: String(port),
          FAULT: fault,
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok);
    },
    async arm(faultPoint) {
      if (!child || !isRunning()) throw new Error('Start the service before arming a fault point.');
      const armed = once(child, 'message');
      child.send(`${faultPoint}:1:kill`);
      await armed;
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
