import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { sendSignal, startTimeOf } from './os-process.ts';
import { type ProcessSpec, Supervisor, stopLeftovers } from './supervisor.ts';

let home: string;
let supervisor: Supervisor;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lendtools-supervisor-'));
  supervisor = new Supervisor({ home, say: () => {} });
});

afterEach(async () => {
  await supervisor.stopAll();
  await stopLeftovers(home);
  rmSync(home, { recursive: true });
});

function program(name: string, script = ''): ProcessSpec {
  const mark = join(home, `${name}.ready`);
  const write = `require('fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid))`;
  return {
    name,
    command: process.execPath,
    args: ['-e', `${script};${write};setInterval(() => {}, 1000)`],
    env: process.env,
    isReady: async () => existsSync(mark) && readFileSync(mark, 'utf8') !== '',
  };
}

function pidOf(name: string) {
  return supervisor.running().find((running) => running.name === name)?.pid ?? 0;
}

describe('Supervisor', () => {
  it('restarts a process that dies, and reports it', async () => {
    const changed: number[] = [];
    supervisor.onChange(() => changed.push(pidOf('catalog')));
    await supervisor.start(program('catalog'));
    const first = pidOf('catalog');

    sendSignal(first, 'SIGKILL');
    await waitFor('the restart', () => changed.length > 0);

    expect(pidOf('catalog')).not.toBe(first);
    expect(changed).toEqual([pidOf('catalog')]);
  });

  it('does not restart a stopped process', async () => {
    await supervisor.start(program('catalog'));
    const pid = pidOf('catalog');

    await supervisor.stopAll();

    expect(startTimeOf(pid)).toBeNull();
    expect(supervisor.running()).toEqual([]);
  });

  it('rejects with the end of the log if a process dies before it is ready', async () => {
    const broken = program('catalog', 'console.error("DATABASE_URL is missing"); process.exit(3)');

    await expect(supervisor.start(broken)).rejects.toThrow(
      /catalog stopped with 3.*DATABASE_URL is missing/s,
    );
  });

  it('lists replicas under their service’s name', async () => {
    await supervisor.start({ ...program('bookings-2'), replica: 2, port: 4000 });

    expect(supervisor.running()).toEqual([
      { name: 'bookings', replica: 2, port: 4000, pid: expect.any(Number) },
    ]);
  });
});

describe('stopLeftovers', () => {
  it('ends processes of a killed run, and finds none the second time', async () => {
    await supervisor.start(program('catalog'));
    await supervisor.start(program('postgres'));
    const pids = [pidOf('catalog'), pidOf('postgres')];
    supervisor.abandon();

    const ended = await stopLeftovers(home);

    expect(ended.sort()).toEqual(['catalog', 'postgres']);
    expect(pids.map((pid) => startTimeOf(pid))).toEqual([null, null]);
    expect(await stopLeftovers(home)).toEqual([]);
  });
});
