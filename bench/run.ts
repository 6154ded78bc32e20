import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
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
import { benchEnumeration } from './src/enumeration.ts';
import { benchLiveMessage } from './src/live-message.ts';
import { benchOutbox } from './src/outbox.ts';
import { benchProcesses } from './src/processes.ts';
import { benchPurchases } from './src/purchases.ts';
import { describeMachine, reportOf } from './src/report.ts';
import { benchSearch } from './src/search.ts';
import type { Row } from './src/statistics.ts';

const addTools = async (bench: Bench, count: number): Promise<void> => {
  const pool = createPool(bench.databases.catalog as string, createLogger('bench', 'warn'));
  await seedTools(pool, count);
  await pool.end();
};

readCommandLine(
  `npm run bench
  measures two marketplaces of its own; takes no options`,
  (args) => parseArgs({ args }),
);

/** `npm run bench`: medians of three interleaved runs, each as a ratio to a baseline of the same run. */
process.env.RATE_LIMIT_FACTOR ??= '1000';
const home = path.resolve('.local/bench');
const rows: Row[] = [];
const machine = describeMachine();

console.log('Two marketplaces, of 10,000 and of 100,000 tools');
const small = await startBench(path.join(home, 'small'), [['notifications', 2]]);
const large = await startBench(path.join(home, 'large'));
process.env.TEST_RUN_FILE = path.join(small.home, 'run.json');
const running = await findRunningTestServers();
const { servers, stop } = running
  ? { servers: running, stop: async () => {} }
  : await startTestServers((line) => console.log(`  ${line}`));
Object.assign(process.env, asEnvironment(servers));
try {
  await addTools(small, 10_000);
  await addTools(large, 100_000);
  console.log('Browse');
  rows.push(...(await benchBrowse(small, large)));
  console.log('Search');
  rows.push(...(await benchSearch()));
  console.log('Availability');
  rows.push(await benchAvailability());
  console.log('Messages');
  rows.push(...(await benchLiveMessage(small)));
  console.log('Outbox');
  rows.push(await benchOutbox());
  console.log('Purchases');
  rows.push(...(await benchPurchases(small)));
  console.log('Enumeration');
  rows.push(...(await benchEnumeration()));
  console.log('Processes');
  rows.push(...(await benchProcesses(small)));
} finally {
  await Promise.all([small.stop(), large.stop(), stop()]);
}
console.table(rows);
writeFileSync(new URL('report.md', import.meta.url), reportOf(machine, rows));
process.exit(0);
