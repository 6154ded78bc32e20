import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds in a tick of `/proc`: USER_HZ is 100 on every Linux. */
const tickMs = 10;

/**
 * The fields of /proc/<pid>/stat from the third on, numbered as in proc(5). The second, a name in parentheses, may
 * contain spaces, so it is cut off.
 */
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
        // The process has ended since it was listed.
        return false;
      }
    });

/** CPU milliseconds of a process with all its threads and children, such as PostgreSQL's connections. */
export const cpuMs = (pid: number): number => {
  const children = childrenOf(pid).map((child) => ticksOf(child, own));
  const ticks = ticksOf(pid, [...own, ...ofEndedChildren]) + children.reduce((a, b) => a + b, 0);
  return ticks * tickMs;
};
