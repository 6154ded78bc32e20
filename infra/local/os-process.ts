import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Identifies a process that we started, so that another process with a reused pid is never mistaken for it. */
export interface ProcessRecord {
  name: string;
  pid: number;
  startedAt: string;
  stopSignal: NodeJS.Signals;
}

/** Returns when a process started, which tells processes with the same pid apart. Null if it is gone or a zombie. */
export function startTimeOf(pid: number, platform = process.platform): string | null {
  if (platform !== 'linux') return startTimeFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // In /proc/<pid>/stat the command name is in parentheses and may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${bootId()}:${fields[19]}`;
  } catch {
    return null;
  }
}

export function commandLineOf(pid: number, platform = process.platform): string | null {
  if (platform !== 'linux') return fromPs(pid, 'command=')?.slice(0, 120) ?? null;
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    return words.length === 0 ? null : words.join(' ').slice(0, 120);
  } catch {
    return null;
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function isStillRunning(record: Pick<ProcessRecord, 'pid' | 'startedAt'>): boolean {
  return startTimeOf(record.pid) === record.startedAt;
}

/** Stops the process, or kills it after the timeout. Never signals another process that has reused the pid. */
export async function stopRecorded(record: ProcessRecord, timeoutMs: number): Promise<void> {
  if (!isStillRunning(record)) return;
  sendSignal(record.pid, record.stopSignal);
  const deadline = Date.now() + timeoutMs;
  while (isStillRunning(record)) {
    if (Date.now() > deadline) sendSignal(record.pid, 'SIGKILL');
    await delay(50);
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}

function startTimeFromPs(pid: number): string | null {
  return fromPs(pid, 'lstart=');
}

/** Returns null if the process is gone or a zombie. */
function fromPs(pid: number, column: string): string | null {
  try {
    const line = execFileSync('ps', ['-o', `stat=,${column}`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      // The start time is compared, so it must not depend on the user's language.
      env: { ...process.env, LC_ALL: 'C' },
    }).trim();
    return line === '' || line.startsWith('Z') ? null : line.slice(line.indexOf(' ')).trim();
  } catch {
    return null;
  }
}
