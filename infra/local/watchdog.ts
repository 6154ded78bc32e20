import { execFileSync } from 'node:child_process';

interface Limits {
  silentMs: number;
  /** The run ends after this long, even if it makes progress. */
  longestMs: number;
}

export class Watchdog {
  readonly #limits: Limits;
  readonly #startedMs: number;
  #lastProgressMs: number;
  /** The running test files, each with its current test if Jest reports it. */
  readonly #running = new Map<string, { sinceMs: number; test?: string | undefined }>();

  constructor(limits: Limits, nowMs: number) {
    this.#limits = limits;
    this.#startedMs = nowMs;
    this.#lastProgressMs = nowMs;
  }

  note({ event, file, test }: Progress, nowMs: number): void {
    this.#lastProgressMs = nowMs;
    if (event === 'file ended') this.#running.delete(file);
    else this.#running.set(file, { sinceMs: this.#running.get(file)?.sinceMs ?? nowMs, test });
  }

  /** Returns why the run must end, and lists the running test files. Returns undefined while the run may continue. */
  reasonToEnd(nowMs: number): string | undefined {
    const reason = this.#hang(nowMs);
    if (!reason) return undefined;
    const files = [...this.#running].map(
      ([file, { sinceMs, test }]) =>
        `  ${file}, for ${inMinutes(nowMs - sinceMs)}${test ? `: ${test}` : ''}`,
    );
    return [reason, 'Running test files:', ...files].join('\n');
  }

  #hang(nowMs: number): string | undefined {
    const { silentMs, longestMs } = this.#limits;
    if (nowMs - this.#lastProgressMs >= silentMs)
      return `No test has ended for ${inMinutes(silentMs)}.`;
    if (nowMs - this.#startedMs >= longestMs)
      return `The tests were still running after ${inMinutes(longestMs)}.`;
    return undefined;
  }
}

export interface Progress {
  event: 'file started' | 'test started' | 'test ended' | 'file ended';
  file: string;
  test?: string;
  passed: number;
  failed: number;
  failedFiles: string[];
}

function inMinutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} min`;
}

interface ProcessRow {
  pid: number;
  parent: number;
  /** The process's age, CPU time, state and command. */
  line: string;
}

export function descendantsOf(root: number): ProcessRow[] {
  const rows = execFileSync('ps', ['-Ao', 'pid=,ppid=,etime=,time=,stat=,args='], {
    encoding: 'utf8',
  })
    .split('\n')
    .map((line): ProcessRow => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/, 2).map(Number);
      return { pid, parent, line: line.slice(0, 200) };
    });
  const below = new Set([root]);
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const { pid, parent } of rows) if (below.has(parent)) below.add(pid);
  }
  return rows.filter(({ pid }) => pid !== root && below.has(pid));
}
