/**
 * `npm run money-faults -- read-only` or `-- purge`: a marketplace of its own whose money events meet what is no lost
 * connection. Prints what was charged, booked, given back, lost and dead; ends with 1 when money is anywhere but in a
 * booking or back on its card. With TEST_RUN_FILE a marketplace that runs already is taken.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { loseQueues } from './src/money-faults/lose-queues.ts';
import { stayReadOnly } from './src/money-faults/stay-read-only.ts';

const usage = `npm run money-faults -- <fault> [options]
  read-only                the database of bookings can't be written during purchases
  purge                    the queues of payments and refunds are emptied during purchases
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
// After a failure the logs stay until the next run.
if (site && exitCode === 0) rmSync(site.home, { recursive: true, force: true });
process.exit(exitCode);
