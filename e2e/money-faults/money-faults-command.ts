/**
 * `npm run money-faults -- <fault>` trades while the database is read-only, queues are purged or processes are killed. It exits
 * with 1 if money is lost, doubled or not where the ledger says.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { killServices, shortTimes } from './kill-services.ts';
import { loseQueues } from './lose-queues.ts';
import { stayReadOnly } from './stay-read-only.ts';

const faults = {
  'read-only': { minutes: 5, run: stayReadOnly },
  purge: { minutes: 0, run: loseQueues },
  kill: { minutes: 20, run: killServices },
};

const usage = `npm run money-faults -- <fault> [options]
  read-only                makes the database of bookings read-only during purchases
  purge                    purges the queues of payments and refunds during purchases
  kill                     kills payments, bookings and the broker in turn, every 30 seconds, while tools are rented, refunded,
                           disputed and paid out, then compares the ledger with Stripe's books
  --minutes <number>       how long the database stays read-only (5), or processes are killed (20)`;

const { fault, minutes } = readCommandLine(usage, (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { minutes: { type: 'string' } },
  });
  const [name] = positionals;
  if (!name || !Object.hasOwn(faults, name)) throw new Error('Which fault?');
  const chosen = faults[name as keyof typeof faults];
  const { minutes: given = String(chosen.minutes) } = values;
  if (!/^\d+(\.\d+)?$/.test(given)) throw new Error('--minutes takes a number');
  return { fault: chosen, minutes: Number(given) };
});
if (fault === faults.kill)
  for (const [name, value] of Object.entries(shortTimes)) process.env[name] ??= value;

const site = process.env.TEST_RUN_FILE
  ? undefined
  : startTestSite((line) => console.log(`  ${line}`), 'money-faults');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void site?.stop());

let exitCode = 1;
try {
  if (site) process.env.TEST_RUN_FILE = await site.ready;
  if (await fault.run(minutes * 60_000)) exitCode = 0;
} catch (error) {
  console.error(error);
}
await site?.stop();
// Keep the logs after a failure; the next run deletes them.
if (site && exitCode === 0) rmSync(site.home, { recursive: true, force: true });
process.exit(exitCode);
