import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds per tick of `/proc`: USER_HZ is 100 on every Linux. */
const tickMs = 10;

/** Returns the fields of `/proc/<pid>/stat` from the third on. The second, a process name, may contain spaces. */
const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');

const ticksOf = (pid: number, fields: number[]): number => {
  const stat = statOf(pid);
  return fields.reduce((sum, field) => sum + Number(stat[field - 3]), 0);
};

const [parent, own, ofEndedChildren] = [4, [14, 15], [16, 17]];

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        return ticksOf(each, [parent]) === pid;
      } catch {
        return false;
      }
    });

/**
 * Returns the CPU time of a process with its threads and its child processes. PostgreSQL has a child process for each connection.
 */
export const cpuMs = (pid: number): number => {
  const children = childrenOf(pid).map((child) => ticksOf(child, own));
  const ticks = ticksOf(pid, [...own, ...ofEndedChildren]) + children.reduce((a, b) => a + b, 0);
  return ticks * tickMs;
};
