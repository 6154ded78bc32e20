import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  commandLineOf,
  isStillRunning,
  type ProcessRecord,
  sendSignal,
  startTimeOf,
  stopRecorded,
} from './os-process.ts';

const started: number[] = [];

afterEach(() => {
  for (const pid of started.splice(0)) sendSignal(pid, 'SIGKILL');
});

async function startProgram(script: string): Promise<ProcessRecord> {
  const child = spawn(process.execPath, ['-e', `${script};console.log('up')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  started.push(pid);
  return { name: 'program', pid, startedAt: startTimeOf(pid) ?? '', stopSignal: 'SIGTERM' };
}

describe('a recorded process', () => {
  it('is stopped by its stop signal', async () => {
    const record = await startProgram('setInterval(() => {}, 1000)');

    await stopRecorded(record, 5_000);

    expect(isStillRunning(record)).toBe(false);
  });

  it('is killed if it ignores the signal until the timeout', async () => {
    const record = await startProgram(
      'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)',
    );

    await stopRecorded(record, 200);

    expect(isStillRunning(record)).toBe(false);
  });

  it('counts as gone if another process has reused its pid; that process gets no signal', async () => {
    const record = await startProgram('setInterval(() => {}, 1000)');
    const outdated = { ...record, startedAt: 'another-boot:123' };

    await stopRecorded(outdated, 0);

    expect(isStillRunning(outdated)).toBe(false);
    expect(isStillRunning(record)).toBe(true);
  });
});

describe('a process on macOS, which has no /proc', () => {
  it('is described by ps', async () => {
    const { pid } = await startProgram('setInterval(() => {}, 1000)');

    expect(commandLineOf(pid, 'darwin')).toContain('setInterval');
    expect(startTimeOf(pid, 'darwin')).toMatch(/\d\d:\d\d:\d\d/);
  });

  it('counts as gone if ps does not find it', async () => {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await once(child, 'close');

    expect(commandLineOf(child.pid ?? 0, 'darwin')).toBeNull();
  });

  it('counts a zombie as gone', async () => {
    // The shell becomes `sleep`, which never reaps its child, so that the ended `cat` stays a zombie.
    const script = 'exec 3<&0; cat <&3 & echo $! $$; exec sleep 60 3<&-';
    const { stdin, stdout } = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    const [output] = await once(stdout, 'data');
    const [zombie = 0, parent = 0] = String(output).trim().split(' ').map(Number);
    started.push(parent);
    const ps = (column: string, pid: number) =>
      spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
    await waitFor('sleep', () => ps('comm', parent).endsWith('sleep'));
    stdin.end();
    await waitFor('the zombie', () => ps('stat', zombie).startsWith('Z'));

    expect(commandLineOf(zombie, 'darwin')).toBeNull();
    expect(startTimeOf(zombie, 'darwin')).toBeNull();
  });
});
