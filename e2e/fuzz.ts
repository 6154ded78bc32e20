/**
 * `npm run fuzz`: asks a private marketplace everything that its API document describes, in good and in bad faith.
 * `-- --seed 7 --requests 50000` repeats or widens a run; with TEST_RUN_FILE a marketplace that runs already is asked.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startMarketplace } from '@lendtools/local/marketplace';
import { runFuzz } from './src/fuzz/run-fuzz.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '20' },
  },
});
const seed = Number(values.seed);

const startPrivate = async (): Promise<() => Promise<void>> => {
  const home = path.resolve('.local/fuzz');
  rmSync(home, { recursive: true, force: true });
  process.env.RATE_LIMIT_FACTOR ??= '1000';
  const marketplace = startMarketplace(
    { home, port: 0, withDemo: false, replicas: new Map() },
    (line) => console.log(`  ${line}`),
  );
  await marketplace.ready;
  process.env.TEST_RUN_FILE = path.join(home, 'run.json');
  return () => marketplace.stop();
};

const stop = process.env.TEST_RUN_FILE ? async () => {} : await startPrivate();
console.log(`Seed ${seed}, ${values.requests} requests`);
const started = performance.now();
const report = await runFuzz({
  seed,
  requests: Number(values.requests),
  concurrency: Number(values.concurrency),
  withinMs: Number(values.minutes) * 60_000,
}).finally(stop);

for (const { what, times, reproduction } of report.findings)
  console.log(`\n${what} (${times} times)\n  ${reproduction}`);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
const statuses = Object.entries(report.statuses).map(([status, count]) => `${status} x ${count}`);
console.log(
  `\n${report.requests} answers to ${report.operations} calls in ${seconds} s: ${statuses.join(', ')}`,
);
if (report.neverDone.length > 0) console.log(`Never done: ${report.neverDone.join(', ')}`);
console.log(`${report.findings.length} findings, seed ${seed}`);
process.exit(report.findings.length === 0 && report.requests >= Number(values.requests) ? 0 : 1);
