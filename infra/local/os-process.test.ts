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
  it('stops a process with its own signal', async () => {
    const record = await startProgram('setInterval(() => {}, 1000)');

    await stopRecorded(record, 5_000);

    expect(isStillRunning(record)).toBe(false);
  });

  it('kills a process if it ignores the signal until the timeout', async () => {
    const record = await startProgram(
      'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)',
    );

    await stopRecorded(record, 200);

    expect(isStillRunning(record)).toBe(false);
  });

  it('does not signal another process that has reused the pid', async () => {
    const record = await startProgram('setInterval(() => {}, 1000)');
    const outdated = { ...record, startedAt: 'another-boot:123' };

    await stopRecorded(outdated, 0);

    expect(isStillRunning(outdated)).toBe(false);
    expect(isStillRunning(record)).toBe(true);
  });
});

describe('a process on macOS, which has no /proc', () => {
  it('describes a process with ps', async () => {
    const { pid } = await startProgram('setInterval(() => {}, 1000)');

    expect(commandLineOf(pid, 'darwin')).toContain('setInterval');
    expect(startTimeOf(pid, 'darwin')).toMatch(/\d\d:\d\d:\d\d/);
  });

  it('counts a process as gone if ps does not find it', async () => {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await once(child, 'close');

    expect(commandLineOf(child.pid ?? 0, 'darwin')).toBeNull();
  });

  it('counts a zombie as gone', async () => {
    // The shell becomes sleep, which never reaps the child that it inherits.
    const { stdout } = spawn('sh', ['-c', 'sleep 0 & echo $! $$; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = await once(stdout, 'data');
    const [zombie = 0, parent = 0] = String(output).trim().split(' ').map(Number);
    started.push(parent);
    const state = () =>
      spawnSync('ps', ['-o', 'stat=', '-p', String(zombie)], { encoding: 'utf8' }).stdout;
    await waitFor('the zombie', () => state().startsWith('Z'));

    expect(commandLineOf(zombie, 'darwin')).toBeNull();
    expect(startTimeOf(zombie, 'darwin')).toBeNull();
  });
});
