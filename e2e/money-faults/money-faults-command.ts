/**
 * `npm run money-faults -- read-only` or `-- purge` makes purchases while the database is read-only or queues are
 * purged. It exits with 1 unless each payment is booked or refunded.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { loseQueues } from './lose-queues.ts';
import { stayReadOnly } from './stay-read-only.ts';

const usage = `npm run money-faults -- <fault> [options]
  read-only                makes the database of bookings read-only during purchases
  purge                    purges the queues of payments and refunds during purchases
  --minutes <number>       how long the database stays read-only (5)`;

const { fault, minutes } = readCommandLine(usage, (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '5' } },
  });
  const [name] = positionals;
  if (name !== 'read-only' && name !== 'purge') throw new Error('Which fault?');
  if (!/^\d+(\.\d+)?$/.test(values.minutes)) throw new Error('--minutes takes a number');
  return { fault: name, minutes: Number(values.minutes) };
});

const site = process.env.TEST_RUN_FILE
  ? undefined
  : startTestSite((line) => console.log(`  ${line}`), 'money-faults');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void site?.stop());

let exitCode = 1;
try {
  if (site) process.env.TEST_RUN_FILE = await site.ready;
  const isWhole = fault === 'purge' ? await loseQueues() : await stayReadOnly(minutes * 60_000);
  if (isWhole) exitCode = 0;
} catch (error) {
  console.error(error);
}
await site?.stop();
// Keep the logs after a failure; the next run deletes them.
if (site && exitCode === 0) rmSync(site.home, { recursive: true, force: true });
process.exit(exitCode);
