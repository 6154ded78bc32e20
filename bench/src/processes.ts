import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@lendtools/contracts';
import type { Bench } from './bench-marketplace.ts';
import { median, type Row } from './statistics.ts';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const describe = (pid: number) => {
  const read = (file: string): string[] =>
    readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
  const env = Object.fromEntries(read('environ').map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
  return { command: read('cmdline'), env };
};

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Starts another replica of a running process. Measures how long that takes, and its memory when idle. */
const startAnother = async (pid: number): Promise<{ readyMs: number; idleMb: number }> => {
  const { command, env } = describe(pid);
  const port = await freePort();
  const started = performance.now();
  const child = spawn(command[0] as string, command.slice(1), {
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
  });
  try {
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (ready?.ok) break;
      if (performance.now() - started > 15_000)
        throw new Error(`${command.join(' ')} is not ready`);
      await delay(5);
    }
    const readyMs = performance.now() - started;
    await delay(6_000);
    return { readyMs, idleMb: residentMb(child.pid as number) };
  } finally {
    child.kill();
  }
};

export const benchProcesses = async (bench: Bench): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const name of [...serviceNames, 'gateway']) {
    const runs = [];
    for (let i = 0; i < 3; i++) runs.push(await startAnother(bench.pidOf(name)));
    const readyMs = median(runs.map((run) => run.readyMs));
    const idleMb = median(runs.map((run) => run.idleMb));
    rows.push({
      name: `${name}: ready, memory when idle`,
      measured: `${readyMs.toFixed(0)} ms, ${idleMb.toFixed(0)} MB`,
      bound: '≤ 1000 ms, ≤ 130 MB',
      kept: readyMs <= 1_000 && idleMb <= 130,
    });
  }
  return rows;
};
