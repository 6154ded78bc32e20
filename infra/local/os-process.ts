import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that we started, identified so that a reused pid can't be mistaken for it. */
export interface ProcessRecord {
  name: string;
  pid: number;
  startedAt: string;
  stopSignal: NodeJS.Signals;
}

/**
 * The process's start time as opaque text that differs between processes with the same pid; null if it is gone. A
 * zombie counts as gone, because a container may never reap it.
 */
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

/** A process's command line, shortened for messages; null if it is gone or unreadable. */
export function commandLineOf(pid: number, platform = process.platform): string | null {
  if (platform !== 'linux') return fromPs(pid, 'command=')?.slice(0, 120) ?? null;
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    return words.length === 0 ? null : words.join(' ').slice(0, 120);
  } catch {
    return null;
  }
}

/** Whether any process has this pid, ours or not. */
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

/** Stops the process, and kills it after the timeout. Never signals a reused pid. */
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

/** A column that `ps` prints for a process, or null if there is no such process or it is a zombie. */
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
