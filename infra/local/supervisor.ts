import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ProcessRecord, sendSignal, startTimeOf, stopRecorded } from './os-process.ts';

export interface ProcessSpec {
  /** The name of the process and of its log file. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The part of the environment that does not come from the shell. */
  settings?: NodeJS.ProcessEnv;
  /** Environment of the first process but not of its replacements, for a fault that must occur only once. */
  envOnce?: NodeJS.ProcessEnv;
  cwd?: string;
  port?: number;
  replica?: number;
  isReady: () => Promise<boolean>;
  stopSignal?: NodeJS.Signals;
  stopTimeoutMs?: number;
  /** Removes what a killed process may leave behind. */
  afterStop?: () => Promise<void>;
}

export interface RunningProcess {
  name: string;
  replica: number;
  pid: number;
  port: number | null;
}

interface Supervised {
  spec: ProcessSpec;
  child: ChildProcess;
  record: ProcessRecord;
  startedMs: number;
  failures: number;
  stopping: boolean;
}

const maxLogBytes = 20 * 1024 * 1024;
const longestPauseMs = 10_000;
const healthyAfterMs = 30_000;
/** A start that takes longer counts as hanging: RabbitMQ needs four seconds, or a minute on a busy machine. */
const hangsAfterMs = 180_000;

/**
 * Starts processes, restarts those that die, and stops them in reverse order. Ctrl-C reaches only this process, because
 * each child leads its own process group. `processes.json` lists the children, so that the next start can end those
 * that a killed run left behind.
 */
export class Supervisor {
  readonly #home: string;
  readonly #say: (line: string) => void;
  readonly #supervised = new Map<string, Supervised>();
  #isStopping = false;
  #onChange: () => void = () => {};

  constructor(options: { home: string; say: (line: string) => void }) {
    this.#home = options.home;
    this.#say = options.say;
    mkdirSync(join(this.#home, 'logs'), { recursive: true });
  }

  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  running(): RunningProcess[] {
    return [...this.#supervised.values()].map(({ spec, record }) => ({
      name: spec.name.replace(/-\d+$/, ''),
      replica: spec.replica ?? 1,
      pid: record.pid,
      port: spec.port ?? null,
    }));
  }

  /** Rejects with the end of the process's log if the process dies before it is ready. */
  async start(spec: ProcessSpec): Promise<void> {
    const supervised = this.#spawn(spec, 0);
    await this.#waitUntilReady(supervised);
    supervised.child.once('exit', () => void this.#restart(supervised));
    if (supervised.child.exitCode !== null || supervised.child.signalCode !== null) {
      void this.#restart(supervised);
    }
  }

  async stop(name: string): Promise<void> {
    const supervised = this.#supervised.get(name);
    if (!supervised) return;
    supervised.stopping = true;
    await stopRecorded(supervised.record, supervised.spec.stopTimeoutMs ?? 15_000);
    await supervised.spec.afterStop?.();
    this.#supervised.delete(name);
    this.#writeRecords();
  }

  /** Simulates a kill of this process: leaves everything running and unsupervised. */
  abandon(): void {
    this.#isStopping = true;
    this.#supervised.clear();
  }

  /** Stops one group after another, and the members of a group in parallel. Processes in no group stop first. */
  async stopAll(lastGroups: string[][] = []): Promise<void> {
    this.#isStopping = true;
    const kept = new Set(lastGroups.flat());
    const first = [...this.#supervised.keys()].filter((name) => !kept.has(name));
    for (const group of [first, ...lastGroups]) {
      await Promise.all(group.map((name) => this.stop(name)));
    }
  }

  #spawn(spec: ProcessSpec, failures: number): Supervised {
    if (this.#isStopping)
      throw new Error(`${spec.name} is not started, because everything is being stopped`);
    const logFile = openLog(this.#home, spec.name);
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: this.#supervised.has(spec.name) ? spec.env : { ...spec.env, ...spec.envOnce },
      detached: true,
      stdio: ['ignore', logFile, logFile],
    });
    closeSync(logFile);
    child.on('error', (error) => this.#say(`${spec.name} can't be started: ${error.message}`));
    const pid = child.pid ?? -1;
    const record: ProcessRecord = {
      name: spec.name,
      pid,
      startedAt: startTimeOf(pid) ?? 'gone',
      stopSignal: spec.stopSignal ?? 'SIGTERM',
    };
    const supervised = {
      spec,
      child,
      record,
      startedMs: Date.now(),
      failures,
      stopping: false,
    };
    this.#supervised.set(spec.name, supervised);
    this.#writeRecords();
    return supervised;
  }

  async #waitUntilReady({ spec, child }: Supervised): Promise<void> {
    const deadline = Date.now() + hangsAfterMs;
    while (!(await spec.isReady().catch(() => false))) {
      const died = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
      if (died || Date.now() > deadline) {
        if (!died && child.pid !== undefined) sendSignal(child.pid, 'SIGKILL');
        const how = died ? `stopped with ${child.signalCode ?? child.exitCode}` : 'is not ready';
        throw new Error(`${spec.name} ${how}. The end of its log:\n${this.#endOfLog(spec.name)}`);
      }
      await delay(50);
    }
  }

  async #restart(dead: Supervised): Promise<void> {
    if (this.#isStopping || dead.stopping) return;
    const { spec, child } = dead;
    const livedLong = Date.now() - dead.startedMs > healthyAfterMs;
    const failures = livedLong ? 0 : dead.failures + 1;
    const pauseMs = Math.min(longestPauseMs, 100 * 2 ** failures);
    this.#say(`${spec.name} died (${child.signalCode ?? `code ${child.exitCode}`}), restarting`);
    await delay(pauseMs);
    if (this.#isStopping || dead.stopping) return;
    const next = this.#spawn(spec, failures);
    const exited = new Promise<void>((resolve) => next.child.once('exit', () => resolve()));
    this.#onChange();
    try {
      await this.#waitUntilReady(next);
      this.#say(`${spec.name} is back`);
    } catch {
      // If the new process dies or hangs too, the next attempt follows after a longer pause.
    }
    void exited.then(() => this.#restart(next));
  }

  #endOfLog(name: string): string {
    const lines = readFileSync(logPath(this.#home, name), 'utf8').trimEnd().split('\n');
    return lines
      .slice(-15)
      .map((line) => line.slice(0, 200))
      .join('\n');
  }

  #writeRecords(): void {
    const records = [...this.#supervised.values()].map(({ record }) => record);
    writeFileSync(recordsPath(this.#home), JSON.stringify(records, null, 2));
  }
}

/** Returns the names of the ended processes. */
export async function stopLeftovers(home: string): Promise<string[]> {
  if (!existsSync(recordsPath(home))) return [];
  const records = JSON.parse(readFileSync(recordsPath(home), 'utf8')) as ProcessRecord[];
  const alive = records.filter((record) => startTimeOf(record.pid) === record.startedAt);
  // Services end before servers. Short timeouts are safe, because all of them recover from a kill.
  const servers = new Set(['postgres', 'rabbitmq', 'epmd', 'mongodb', 'stripe', 'mail']);
  await Promise.all(
    alive.filter(({ name }) => !servers.has(name)).map((record) => stopRecorded(record, 5_000)),
  );
  await Promise.all(
    alive.filter(({ name }) => servers.has(name)).map((record) => stopRecorded(record, 2_500)),
  );
  writeFileSync(recordsPath(home), '[]');
  return alive.map(({ name }) => name);
}

function recordsPath(home: string): string {
  return join(home, 'processes.json');
}

function logPath(home: string, name: string): string {
  return join(home, 'logs', `${name}.log`);
}

function openLog(home: string, name: string): number {
  const path = logPath(home, name);
  if (existsSync(path) && statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}
