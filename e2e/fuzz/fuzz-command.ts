/**
 * `npm run fuzz` sends valid and hostile requests for every call in the API document. `-- --seed 7 --requests 100000`
 * repeats or extends a run. TEST_RUN_FILE selects a running marketplace.
 */
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { SignUpsUsedUp } from '../src/people.ts';
import { findAftermath } from './aftermath.ts';
import { type FuzzReport, runFuzz } from './run-fuzz.ts';

const usage = `npm run fuzz -- [options]
  --seed <number>          repeats a run (any)
  --requests <number>      50000
  --concurrency <number>   concurrent requests (8)
  --minutes <number>       stops after this time (40)`;

const { seed, requests, concurrency, minutes } = readCommandLine(usage, (args) => {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      requests: { type: 'string', default: '50000' },
      concurrency: { type: 'string', default: '8' },
      minutes: { type: 'string', default: '40' },
    },
  });
  const numberOf = (name: keyof typeof values): number => {
    if (/^\d+$/.test(values[name])) return Number(values[name]);
    throw new Error(`--${name} takes a number, not "${values[name]}"`);
  };
  return {
    seed: numberOf('seed'),
    requests: numberOf('requests'),
    concurrency: numberOf('concurrency'),
    minutes: numberOf('minutes'),
  };
});
const site = process.env.TEST_RUN_FILE
  ? undefined
  : startTestSite((line) => console.log(`  ${line}`), 'fuzz');
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupt.abort();
    void site?.stop();
  });
}

const print = (
  { answers, findings, neverDone, slowest, requests: requested }: FuzzReport,
  ms: number,
): void => {
  console.table(answers, ['2xx', '3xx', '4xx', '5xx']);
  for (const { what, times, reproduction } of findings)
    console.log(`\n${what} (${times} times)\n  ${reproduction}`);
  const calls = Object.keys(answers).length;
  console.log(
    `\n${requested} replies of ${calls} calls in ${(ms / 1000).toFixed(0)} s, seed ${seed}: ` +
      `${findings.length} findings, calls without a 2xx: ${neverDone.join(', ') || 'none'}`,
  );
  if (slowest)
    console.log(`The slowest, repeated alone: ${slowest.ms.toFixed(0)} ms, ${slowest.where}`);
  else console.log('No reply took 200 ms, except of calls that may take longer.');
};

let exitCode = 1;
try {
  if (site) process.env.TEST_RUN_FILE = await site.ready;
  console.log(`Seed ${seed}, ${requests} requests`);
  const timeUp = AbortSignal.timeout(minutes * 60_000);
  const until = AbortSignal.any([interrupt.signal, timeUp]);
  const started = performance.now();
  const report = await runFuzz({ seed, requests, concurrency, until, isTimed: true });
  const tookMs = performance.now() - started;
  // Check the invariants only on the run's own marketplace: purchases under way on another one would violate them.
  if (site && !until.aborted) report.findings.push(...(await findAftermath()));
  interrupt.signal.throwIfAborted();
  print(report, tookMs);
  const { findings, neverDone } = report;
  const isComplete = report.requests >= requests && neverDone.length === 0;
  if (isComplete && findings.length === 0) exitCode = 0;
} catch (error) {
  // Wait for a possible signal: a Ctrl-C also kills the site's processes, and their error may arrive before the signal.
  await delay(100);
  if (interrupt.signal.aborted) exitCode = 130;
  else console.error(error instanceof SignUpsUsedUp ? error.message : error);
}
await site?.stop();
// Keep the logs after a failure; the next run deletes them.
if (site && exitCode !== 1) rmSync(site.home, { recursive: true, force: true });
process.exit(exitCode);
