import { parseArgs } from 'node:util';
import { createLogger, createPool } from '@lendtools/service-kit';
import { fail, readCommandLine, readRunFile } from '@lendtools/service-kit/command-line';
import { createStripe, withoutSecrets } from '../../stripe/stripe-api.ts';
import { endUnknownIntent, listUnknownIntents, mayBeCheckout } from './refund-unknown-charges.ts';

const usage = `npm run unknown-charges -- list --since <time>      lists payments at Stripe that the database lacks
npm run unknown-charges -- refund --since <time>    refunds or cancels each of them

Run it after a restore. --since is the time of the backup, as \`npm run restore\` prints it; the search starts an hour earlier.
It finds only payments that LendTools created, but also those of a second installation on the same Stripe account. It leaves
unpaid payments of the last 15 minutes alone: a renter may be checking out.

--home <folder>   of the marketplace (default .local); or set DATABASE_URL to payments' database, STRIPE_SECRET_KEY and, for
                  a sandbox, STRIPE_API_BASE`;

const { positionals, values } = readCommandLine(usage, (args) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: { since: { type: 'string' }, home: { type: 'string', default: '.local' } },
  }),
);
const [command] = positionals;
const since = new Date(values.since ?? '');
if (command !== 'list' && command !== 'refund') fail('', usage);
if (Number.isNaN(since.getTime())) fail('Give a time with --since.', usage);

const names = ['DATABASE_URL', 'STRIPE_SECRET_KEY'];
const readSettings = async (): Promise<NodeJS.ProcessEnv> => {
  if (names.every((name) => process.env[name])) return process.env;
  const { settings } = await readRunFile(values.home, `set ${names.join(' and ')}`);
  return settings.payments ?? {};
};

const { DATABASE_URL = '', STRIPE_SECRET_KEY = '', STRIPE_API_BASE } = await readSettings();
const stripe = createStripe(STRIPE_SECRET_KEY, STRIPE_API_BASE || undefined);
const pool = createPool(DATABASE_URL, createLogger('payments', 'warn'), { max: 1 });
try {
  const unknown = await listUnknownIntents({ pool, stripe }, since);
  let ended = 0;
  for (const intent of unknown) {
    const { id, amount, currency, status, metadata } = intent;
    const about = `${id}  ${amount} ${currency} cents  ${status}  of user ${metadata.userId}`;
    if (command === 'list') console.log(about);
    else if (mayBeCheckout(intent, Date.now()))
      console.log(`${about}: left alone, it may be a checkout in progress`);
    else
      await endUnknownIntent(stripe, intent).then(
        () => {
          ended++;
          console.log(about);
        },
        (error) => {
          console.error(`${about}: ${(withoutSecrets(error) as Error).message}`);
          process.exitCode = 1;
        },
      );
  }
  if (unknown.length === 0) console.log('Stripe has no unknown payments.');
  else if (command === 'list') console.log(`${unknown.length} unknown.`);
  else console.log(`${ended} of ${unknown.length} refunded or canceled.`);
} catch (error) {
  console.error((withoutSecrets(error) as Error).message);
  process.exitCode = 1;
} finally {
  await pool.end();
}
