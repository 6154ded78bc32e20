import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { seedTools } from '@lendtools/catalog/seed-tools';
import {
  asEnvironment,
  findRunningTestServers,
  startTestServers,
} from '@lendtools/local/test-environment';
import { createLogger, createPool } from '@lendtools/service-kit';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { benchAvailability } from './src/availability.ts';
import { type Bench, startBench } from './src/bench-marketplace.ts';
import { benchBrowse } from './src/browse.ts';
import { inShort, isShort } from './src/effort.ts';
import { benchEnumeration } from './src/enumeration.ts';
import { benchLiveMessage } from './src/live-message.ts';
import { benchOutbox } from './src/outbox.ts';
import { benchProcesses } from './src/processes.ts';
import { benchPurchases } from './src/purchases.ts';
import { describeMachine, reportOf } from './src/report.ts';
import { benchScheduled } from './src/scheduled.ts';
import { benchSearch } from './src/search.ts';
import type { Row } from './src/statistics.ts';

const addTools = async (bench: Bench, count: number): Promise<void> => {
  const pool = createPool(bench.databases.catalog as string, createLogger('bench', 'warn'), {
    statementTimeoutMs: 3_600_000,
  });
  await seedTools(pool, count);
  await pool.end();
};

/** The marketplace `small` has 10,000 tools, `large` 100,000. */
const parts: Record<string, (small: Bench, large: Bench) => Promise<Row[]>> = {
  browse: benchBrowse,
  search: benchSearch,
  availability: async () => [await benchAvailability()],
  messages: benchLiveMessage,
  outbox: async () => [await benchOutbox()],
  scheduled: async () => [await benchScheduled()],
  purchases: benchPurchases,
  enumeration: benchEnumeration,
  processes: benchProcesses,
};

const requested = readCommandLine(
  `npm run bench -- [--short] [part …]
  everything, which also writes bench/report.md, or only these parts: ${Object.keys(parts).join(', ')}
  --short checks within minutes that every part works; its report goes to .local/bench/report.md`,
  (args) => {
    const named = args.filter((each) => each !== '--short');
    const unknown = named.filter((part) => !(part in parts));
    if (unknown.length > 0) throw new Error(`Unknown part: ${unknown.join(', ')}.`);
    return named;
  },
);

/** Raise the rate limits, because all requests come from one IP address. */
process.env.RATE_LIMIT_FACTOR ??= '1000';
const home = path.resolve('.local/bench');
const rows: Row[] = [];
const machine = describeMachine();

console.log('Two marketplaces, of 10,000 and of 100,000 tools');
const small = await startBench(path.join(home, 'small'), [['notifications', 3]]);
const large = await startBench(path.join(home, 'large'));
process.env.TEST_RUN_FILE = path.join(small.home, 'run.json');
const running = await findRunningTestServers();
const { servers, stop } = running
  ? { servers: running, stop: async () => {} }
  : await startTestServers((line) => console.log(`  ${line}`));
Object.assign(process.env, asEnvironment(servers));
try {
  await addTools(small, 10_000);
  await addTools(large, inShort(100_000, 20_000));
  for (const [name, measure] of Object.entries(parts)) {
    if (requested.length > 0 && !requested.includes(name)) continue;
    console.log(`Measuring ${name}`);
    rows.push(...(await measure(small, large)));
  }
} finally {
  await Promise.all([small.stop(), large.stop(), stop()]);
}
console.table(rows);
if (requested.length === 0) {
  const file = isShort ? path.join(home, 'report.md') : new URL('report.md', import.meta.url);
  writeFileSync(file, reportOf(machine, rows));
}
process.exit(0);
