import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  createLogger,
  createMetrics,
  listen,
  memoryJobLog,
  repeat,
  startJobs,
} from '../src/index.ts';

const start = (app: RequestListener) => listen(app, { host: '127.0.0.1', port: 0 });

describe('a process that stops', () => {
  it('keeps replying while it drains, with Connection: close', async () => {
    const running = await start((_request, response) => response.end('done'));
    const { headers } = await fetch(running.url);
    const drained = running.drain();

    const last = await fetch(running.url);

    expect(headers.get('connection')).toBe('keep-alive');
    expect(running.stopping.aborted).toBe(true);
    expect(last.headers.get('connection')).toBe('close');
    expect(await last.text()).toBe('done');
    await drained;
    await running.stop();
    const rejection = await fetch(running.url).catch((error: Error) => error.cause);
    expect(rejection).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('finishes the current reply and closes idle connections', async () => {
    let finish = () => {};
    const running = await start((request, response) => {
      if (request.url === '/slow') finish = () => response.end('whole');
      else response.end();
      if (request.url === '/slow') response.flushHeaders();
    });
    await (await fetch(running.url)).text();
    const slow = await fetch(new URL('/slow', running.url));
    const beganMs = Date.now();

    const stopped = running.stop();
    finish();

    expect(await slow.text()).toBe('whole');
    await stopped;
    expect(Date.now() - beganMs).toBeLessThan(10_000);
  });
});

describe('a process that listens', () => {
  it('accepts larger headers than the gateway does', async () => {
    const running = await start((_request, response) => response.end('read'));

    const { status } = await fetch(running.url, { headers: { 'x-long': 'x'.repeat(20_000) } });

    expect(status).toBe(200);
    await running.stop();
  });
});

/** Advances the fake clock in steps, so that the work of each timer finishes. */
const pass = async (seconds: number): Promise<void> => {
  for (let ms = 0; ms < seconds * 1_000; ms += 500) {
    jest.advanceTimersByTime(500);
    for (let turns = 0; turns < 10; turns++) await null;
  }
};

describe('repeat', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('waits up to 10 s between tries while the work fails, and returns to its interval after a success', async () => {
    jest.useFakeTimers();
    let tries = 0;
    let isBroken = true;
    const errors: unknown[] = [];
    const job = repeat(
      1_000,
      async () => {
        tries++;
        if (isBroken) throw new Error('no');
      },
      (error) => errors.push(error),
    );

    // Retries follow after 1, 3, 7, 15, 25, 35, 45 and 55 seconds.
    await pass(60);
    expect([tries, errors.length]).toEqual([8, 8]);
    isBroken = false;
    await pass(10);
    const before = tries;
    await pass(5);

    expect(tries).toBe(before + 5);
    await job.stop();
  });

  it('counts each failure of the work, starting from 0', async () => {
    jest.useFakeTimers();
    const metrics = createMetrics('test');
    const fails = () => Promise.reject(new Error('no'));
    const jobs = startJobs(
      [
        { name: 'works', everyMs: 1_000, run: async () => {} },
        { name: 'fails', everyMs: 1_000, run: fails },
      ],
      { metrics, logger: createLogger('test', 'silent'), log: memoryJobLog() },
    );

    await pass(3.5);

    const text = await metrics.registry.metrics();
    expect(text).toContain('job_failures_total{name="works",service="test"} 0');
    expect(text).toContain('job_failures_total{name="fails",service="test"} 2');
    await jobs.stop();
  });
});
