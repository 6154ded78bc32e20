import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { sendSignal } from './os-process.ts';
import { descendantsOf, Watchdog } from './watchdog.ts';

const minuteMs = 60_000;
const file = '/lendtools/slow.test.ts';
const progress = { file, passed: 0, failed: 0, failedFiles: [] };

function newWatchdog() {
  return new Watchdog({ silentMs: 5 * minuteMs, longestMs: 35 * minuteMs }, 0);
}

describe('Watchdog', () => {
  it('names the running test files if no test ends for too long', () => {
    const watchdog = newWatchdog();
    watchdog.note({ ...progress, event: 'file started' }, minuteMs);
    watchdog.note(
      { ...progress, event: 'file started', file: '/lendtools/quick.test.ts' },
      minuteMs,
    );
    watchdog.note({ ...progress, event: 'file ended', file: '/lendtools/quick.test.ts' }, minuteMs);
    expect(watchdog.reasonToEnd(6 * minuteMs - 1)).toBeUndefined();
    expect(watchdog.reasonToEnd(6 * minuteMs)).toBe(
      `No test has ended for 5.0 min.\nRunning test files:\n  ${file}, for 5.0 min`,
    );
  });

  it('accepts a slow test file as long as its tests end', () => {
    const watchdog = newWatchdog();
    watchdog.note({ ...progress, event: 'file started' }, 0);
    for (let minute = 4; minute < 35; minute += 4) {
      watchdog.note({ ...progress, event: 'test ended' }, minute * minuteMs);
      expect(watchdog.reasonToEnd((minute + 3) * minuteMs - 1)).toBeUndefined();
    }
  });

  it('ends a test run that takes too long although it makes progress', () => {
    const watchdog = newWatchdog();
    watchdog.note({ ...progress, event: 'test ended' }, 34 * minuteMs);
    expect(watchdog.reasonToEnd(35 * minuteMs)).toContain('still running after 35.0 min');
  });
});

describe('descendantsOf', () => {
  it('finds a grandchild process with its command', async () => {
    const endless = 'process.send?.("up"); setInterval(() => {}, 1_000);';
    const parent = `
      const { fork } = require('node:child_process');
      fork('-', { execArgv: ['-e', ${JSON.stringify(endless)}] }).once('message', () => process.send('up'));`;
    const child = spawn(process.execPath, ['-e', parent], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await once(child, 'message');
    const found = descendantsOf(process.pid);
    for (const { pid } of found) if (pid !== child.pid && pid > 0) sendSignal(pid, 'SIGKILL');
    child.kill('SIGKILL');
    expect(found.map(({ pid }) => pid)).toContain(child.pid);
    expect(found.find((row) => row.parent === child.pid)?.line).toContain('setInterval');
  });
});
