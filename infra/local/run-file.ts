import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@lendtools/contracts';
import { isStillRunning, startTimeOf } from './os-process.ts';
import type { RunningProcess } from './supervisor.ts';

export interface Login {
  role: 'owner' | 'renter' | 'admin';
  email: string;
  password: string;
}

/** `<home>/run.json` describes the running marketplace for scripts. It exists while everything is up. */
export interface RunFile {
  site: string;
  mail: { web: string | null; smtp: string };
  docs: string;
  /** `amqp` and `page` have an administrator's credentials, `services` each service's own. */
  broker: { amqp: string; page: string | null; services: Record<ServiceName, string> };
  databases: Record<ServiceName, string>;
  stripe: {
    apiBase: string | null;
    secretKey: string;
    publishableKey: string;
    webhookSecret: string;
    connectWebhookSecret: string | null;
  };
  logins: Login[];
  /** Settings that come from the shell are left out. */
  settings: Record<string, NodeJS.ProcessEnv>;
  processes: RunningProcess[];
}

/** Replaces the file atomically, so that readers never see an incomplete one. */
export function writeRunFile(home: string, content: RunFile): void {
  const draft = join(home, 'run.json.new');
  writeFileSync(draft, JSON.stringify(content, null, 2), { mode: 0o600 });
  renameSync(draft, join(home, 'run.json'));
}

export function removeRunFile(home: string): void {
  rmSync(join(home, 'run.json'), { force: true });
}

export function readRunFile(home: string): RunFile | null {
  const path = join(home, 'run.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RunFile) : null;
}

/** Locks a home folder for one start at a time. Returns null, or the pid of the process that already holds the lock. */
export function takeHome(home: string): number | null {
  const holder = holderOf(home);
  if (holder !== null) return holder;
  const { pid } = process;
  writeFileSync(holderPath(home), JSON.stringify({ pid, startedAt: startTimeOf(pid) }));
  return null;
}

export function leaveHome(home: string): void {
  rmSync(holderPath(home), { force: true });
}

export function holderOf(home: string): number | null {
  if (!existsSync(holderPath(home))) return null;
  const holder = JSON.parse(readFileSync(holderPath(home), 'utf8'));
  return isStillRunning(holder) ? holder.pid : null;
}

function holderPath(home: string): string {
  return join(home, 'start.json');
}
