import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { commandLineOf } from './os-process.ts';

/** Assigns each name the same port at every start. Ports are below the ephemeral range, so the system gives them to no other program. */
export class Ports {
  readonly #file: string;
  readonly #byName: Record<string, number>;
  #next: number;
  #lastPick: Promise<unknown> = Promise.resolve();

  constructor(home: string) {
    this.#file = join(home, 'ports.json');
    this.#byName = existsSync(this.#file) ? JSON.parse(readFileSync(this.#file, 'utf8')) : {};
    const hash = createHash('sha256').update(home).digest().readUInt32BE(0);
    this.#next = 20_000 + (hash % 400) * 30;
  }

  /** One call at a time, because concurrent calls would pick the same free port. */
  pick(name: string): Promise<number> {
    const pick = this.#lastPick.then(() => this.#pick(name));
    this.#lastPick = pick;
    return pick;
  }

  async #pick(name: string): Promise<number> {
    const known = this.#byName[name];
    if (known !== undefined && (await isFree(known))) return known;
    const others = new Set(Object.values(this.#byName));
    while (others.has(this.#next) || !(await isFree(this.#next))) this.#next += 1;
    this.#byName[name] = this.#next;
    writeFileSync(this.#file, JSON.stringify(this.#byName, null, 2));
    return this.#next;
  }
}

export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0'));
}

export async function answers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket();
    const finish = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.once('error', () => finish(false));
    socket.connect(port, host, () => finish(true));
  });
}

/** Describes the process that uses a port, as the end of a sentence: `node (pid 12: node server.js)`. */
export function whoListensOn(port: number): string {
  const inodes = listeningInodes(port);
  for (const entry of inodes.size === 0 ? [] : readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    if (socketInodesOf(pid).some((inode) => inodes.has(inode))) {
      const command = commandLineOf(pid) ?? 'unknown';
      const program = command.split(' ')[0]?.split('/').at(-1) ?? command;
      return `${program} (pid ${pid}: ${command})`;
    }
  }
  return 'a program of another user, or one whose name this system does not reveal';
}

function listeningInodes(port: number): Set<string> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    if (!existsSync(table)) continue;
    for (const line of readFileSync(table, 'utf8').split('\n')) {
      const fields = line.trim().split(/\s+/);
      // In /proc/net/tcp field 3 is the state (0A is LISTEN) and field 9 the socket's inode.
      if (fields[1]?.endsWith(`:${hexPort}`) && fields[3] === '0A') inodes.add(fields[9] ?? '');
    }
  }
  return inodes;
}

function socketInodesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
