import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { ledgerParams } from '@lendtools/contracts';
import { createLogger, createPool } from '@lendtools/service-kit';
import { fail, readCommandLine, readRunFile } from '@lendtools/service-kit/command-line';
import { readLedger } from '../../store/ledger-repository.ts';
import { createStripe, withoutSecrets } from '../../stripe/stripe-api.ts';
import { ledgerCsv } from '../export-ledger/ledger-csv.ts';
import { acceptTransaction, checkLedgerNow } from './check-ledger.ts';

const usage = `npm run ledger -- check                 compares the ledger with Stripe's balance transactions now
npm run ledger -- show <payment>        lists the entries and balances of a payment
npm run ledger -- accept <transaction>  books a balance transaction of Stripe (txn_…) as the operator's own
npm run -s ledger -- export <month>     writes the entries of a month in UTC, such as 2026-11, as CSV to the standard output

check does what the service does each hour, and leaves out the last minute. It exits with status 1 if it finds a difference.

--home <folder>   of the marketplace (default .local); or set DATABASE_URL to payments' database, STRIPE_SECRET_KEY and, for
                  a sandbox, STRIPE_API_BASE`;

const { positionals, values } = readCommandLine(usage, (args) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: { home: { type: 'string', default: '.local' } },
  }),
);
const [command, id = ''] = positionals;
const withId = ['show', 'accept', 'export'];
if (command !== 'check' && !(withId.includes(command ?? '') && id)) fail('', usage);
const { error: wrongMonth } = ledgerParams.safeParse({ month: id });
if (command === 'export' && wrongMonth) fail(wrongMonth.issues[0]?.message ?? '', usage);

const names = ['DATABASE_URL', 'STRIPE_SECRET_KEY'];
const readSettings = async (): Promise<NodeJS.ProcessEnv> => {
  if (names.every((name) => process.env[name])) return process.env;
  const { settings } = await readRunFile(values.home, `set ${names.join(' and ')}`);
  return settings.payments ?? {};
};

const { DATABASE_URL = '', STRIPE_SECRET_KEY = '', STRIPE_API_BASE } = await readSettings();
const logger = createLogger('payments', 'fatal');
const pool = createPool(DATABASE_URL, logger, { max: 2 });
const deps = {
  pool,
  logger,
  stripe: createStripe(STRIPE_SECRET_KEY, STRIPE_API_BASE || undefined),
};

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`.padStart(12);

const show = async (paymentId: string): Promise<void> => {
  for (const entry of await readLedger(pool, paymentId)) {
    const { happenedAt, cents, from, to, bookingId, key } = entry;
    const moved = `${dollars(cents)}  ${from} → ${to}`.padEnd(40);
    console.log(
      `${happenedAt.toISOString()}${moved}  ${key}${bookingId ? `  booking ${bookingId}` : ''}`,
    );
  }
  const { rows } = await pool.query<{ account: string; bookingId: string | null; cents: number }>(
    `SELECT account, booking_id AS "bookingId", cents FROM ledger_balances
     WHERE payment_id = $1 AND cents <> 0 ORDER BY account, booking_id`,
    [paymentId],
  );
  if (rows.length === 0) console.log('The ledger has no entries of this payment.');
  for (const { account, bookingId, cents } of rows)
    console.log(`${dollars(cents)}  ${account}${bookingId ? `  booking ${bookingId}` : ''}`);
};

const check = async (): Promise<void> => {
  const differences = await checkLedgerNow(deps);
  for (const difference of differences) console.log(difference);
  console.log(
    differences.length === 0
      ? "The ledger equals Stripe's balance transactions."
      : `${differences.length} differences: docs/runbook.md#ledgerdiffers`,
  );
  if (differences.length > 0) process.exitCode = 1;
};

try {
  if (command === 'check') await check();
  if (command === 'show') await show(id);
  if (command === 'export')
    await pipeline(Readable.from(ledgerCsv(pool, id)), process.stdout, { end: false });
  if (command === 'accept') {
    const isAccepted = await acceptTransaction(deps, id);
    console.log(
      isAccepted ? `${id} is the operator's now.` : `The ledger had ${id}. It is matched now.`,
    );
  }
} catch (error) {
  console.error((withoutSecrets(error) as Error).message);
  process.exitCode = 1;
} finally {
  await pool.end();
}
