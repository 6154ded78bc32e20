import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inShort } from './effort.ts';

const run = promisify(execFile);
const clients = 10;

/** Transactions per second of pgbench's built-in script, similar to TPC-B. Undefined if pgbench is not installed. */
export const pgbenchRate = async (url: string): Promise<number | undefined> => {
  try {
    await run('pgbench', ['--initialize', '--quiet', '--scale=10', url]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { stdout } = await run('pgbench', [
    ...['--no-vacuum', '--protocol=prepared', `--client=${clients}`, `--time=${inShort(15, 3)}`],
    url,
  ]);
  await run('pgbench', ['--initialize', '--init-steps=d', url]);
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
};
