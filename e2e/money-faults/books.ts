import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CommissionTerms, feeOf, termsOfShare } from '@lendtools/contracts/commission';
import { projectRoot } from '@lendtools/local/home';
import { query, runFile } from '../src/marketplace.ts';
import { readBooks, type StripeBooks } from '../src/stripe-sandbox.ts';

/** `npm run ledger -- check` leaves out the last minute. */
const checkedAfterMs = 61_000;
const mostShown = 20;

/** Compares the ledger with Stripe's books, prints the figures, and what differs. @returns whether they are equal */
export const compareBooks = async (): Promise<boolean> => {
  await delay(checkedAfterMs);
  const isChecked = await checkLedger();
  const books = await readBooks();
  const differences = [
    ...(await comparePayments(books)),
    ...(await compareBalance(books)),
    ...(await compareTransfers(books)),
    ...(await findWrongBalances()),
  ];
  await showBalances(books);
  console.log(`Differences: ${differences.length}`);
  for (const difference of differences.slice(0, mostShown)) console.log(difference);
  return isChecked && differences.length === 0;
};

const checkLedger = async (): Promise<boolean> => {
  const command = 'services/payments/src/ledger/check-ledger/ledger-command.ts';
  const args = [path.join(projectRoot, command), 'check', '--home', path.dirname(runFile())];
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return code === 0;
};

type Account = 'card' | 'bank' | 'owner' | 'stripe';
type Sums = Record<Account, number>;

const accountOf: Record<string, Account> = {
  charge: 'card',
  refund: 'card',
  refund_failure: 'card',
  dispute: 'bank',
  dispute_reversal: 'bank',
  transfer: 'owner',
  transfer_reversal: 'owner',
};

/** Sums, for each payment, the cents that left the platform's balance, by where they went. */
const sumStripe = async (books: StripeBooks): Promise<Map<string, Sums>> => {
  const payments = await query<{ id: string; intentId: string }>(
    'payments',
    'SELECT id, intent_id AS "intentId" FROM payments WHERE intent_id IS NOT NULL',
  );
  const byIntent = new Map(payments.map(({ id, intentId }) => [intentId, id]));
  const byTransfer = new Map(books.transfers.map(({ id, metadata }) => [id, metadata.paymentId]));
  const bySource = new Map<string, string | undefined>([
    ...[...books.charges, ...books.refunds, ...books.disputes].map(
      (one) => [one.id, byIntent.get(one.payment_intent)] as const,
    ),
    ...byTransfer,
    ...books.reversals.map(({ id, transfer }) => [id, byTransfer.get(transfer)] as const),
  ]);
  const sums = new Map<string, Sums>();
  for (const one of books.balanceTransactions.filter((each) => !each.sandbox_account)) {
    const paymentId = bySource.get(one.source) ?? 'no payment';
    const ofPayment = sums.get(paymentId) ?? { card: 0, bank: 0, owner: 0, stripe: 0 };
    const account = accountOf[one.reporting_category];
    if (account) ofPayment[account] -= one.amount;
    ofPayment.stripe += one.fee;
    sums.set(paymentId, ofPayment);
  }
  return sums;
};

const sumLedger = async (): Promise<Map<string, Sums>> => {
  const rows = await query<Sums & { paymentId: string }>(
    'payments',
    `SELECT coalesce(payment_id::text, 'no payment') AS "paymentId", ${(
      ['card', 'bank', 'owner', 'stripe'] as const
    )
      .map(
        (name) => `coalesce(sum(cents) FILTER (WHERE account = '${name}'), 0)::float8 AS ${name}`,
      )
      .join(', ')}
     FROM ledger_balances GROUP BY 1`,
  );
  return new Map(rows.map(({ paymentId, ...sums }) => [paymentId, sums]));
};

const noCents: Sums = { card: 0, bank: 0, owner: 0, stripe: 0 };

const comparePayments = async (books: StripeBooks): Promise<string[]> => {
  const [atStripe, inLedger] = [await sumStripe(books), await sumLedger()];
  const paymentIds = [...new Set([...atStripe.keys(), ...inLedger.keys()])];
  const differences = paymentIds.flatMap((id) => {
    const [stripe, ledger] = [atStripe.get(id) ?? noCents, inLedger.get(id) ?? noCents];
    return (Object.keys(noCents) as Account[])
      .filter((account) => stripe[account] !== ledger[account])
      .map(
        (account) =>
          `payment ${id}: ${account} got ${stripe[account]} cents at Stripe, ${ledger[account]} in the ledger`,
      );
  });
  const total = (sums: Map<string, Sums>, account: Account) =>
    [...sums.values()].reduce((sum, one) => sum + one[account], 0);
  console.log(`Cents that went to each account, of ${paymentIds.length} payments:`);
  console.table(
    Object.fromEntries(
      (Object.keys(noCents) as Account[]).map((account) => {
        const [stripe, ledger] = [total(atStripe, account), total(inLedger, account)];
        return [account, { Stripe: stripe, ledger, difference: stripe - ledger }];
      }),
    ),
  );
  return differences;
};

const outside = `('card', 'bank', 'owner', 'stripe', 'operators-bank')`;

const compareBalance = async ({ balanceTransactions }: StripeBooks): Promise<string[]> => {
  const balance = balanceTransactions
    .filter((one) => !one.sandbox_account)
    .reduce((sum, { net }) => sum + net, 0);
  const [{ cents } = { cents: 0 }] = await query<{ cents: number }>(
    'payments',
    `SELECT coalesce(sum(cents), 0)::float8 AS cents FROM ledger_totals WHERE account NOT IN ${outside}`,
  );
  return balance === cents ? [] : [`Stripe's balance is ${balance} cents, the ledger's ${cents}`];
};

/** Each row is transferred once, and of a share no more than its owner earns with it. */
const compareTransfers = async ({ transfers }: StripeBooks): Promise<string[]> => {
  const rows = await query<{ id: string; transferId: string; cents: number }>(
    'payments',
    `SELECT id, transfer_id AS "transferId", amount_cents AS cents FROM transfers WHERE status = 'sent'`,
  );
  const byTransfer = new Map(rows.map((row) => [row.transferId, row]));
  const rowIds = transfers.map(({ metadata }) => metadata.transferId);
  const doubled = rowIds.filter((id, index) => rowIds.indexOf(id) !== index);
  const unknown = transfers.filter(({ id, amount }) => byTransfer.get(id)?.cents !== amount);
  return [
    ...(transfers.length === 0 ? ['nothing was transferred, so this run shows nothing'] : []),
    ...(rows.length === transfers.length
      ? []
      : [`${transfers.length} transfers at Stripe, ${rows.length} in the database`]),
    ...doubled.map((id) => `transfer ${id} was made twice`),
    ...unknown.map(({ id }) => `${id} is not in the database, or with another amount`),
    ...(await findOverpaid(transfers)),
  ];
};

/** A debt that other bookings have paid counts as returned, so its share may be transferred again after a late win. */
const findOverpaid = async (transfers: StripeBooks['transfers']): Promise<string[]> => {
  const shares = await query<{
    paymentId: string;
    bookingId: string;
    cents: number;
    commission: CommissionTerms | null;
  }>(
    'bookings',
    `SELECT a.payment_id AS "paymentId", a.booking_id AS "bookingId", a.amount_cents AS cents, b.commission
     FROM allocations a JOIN bookings b ON b.id = a.booking_id`,
  );
  const netted = await query<{ paymentId: string; bookingId: string; cents: number }>(
    'payments',
    `SELECT payment_id AS "paymentId", booking_id AS "bookingId",
       sum(CASE WHEN to_account = 'netting' THEN cents ELSE -cents END)::float8 AS cents
     FROM ledger WHERE 'netting' IN (from_account, to_account) GROUP BY 1, 2`,
  );
  const keyOf = (one: { paymentId?: string | undefined; bookingId?: string | undefined }) =>
    `${one.paymentId} ${one.bookingId}`;
  const paid = new Map(netted.map((one) => [keyOf(one), one.cents]));
  for (const { metadata, amount, amount_reversed: reversed } of transfers) {
    const key = keyOf(metadata);
    paid.set(key, (paid.get(key) ?? 0) + amount - reversed);
  }
  const earned = new Map(
    shares.map(({ cents, commission, ...share }) => {
      const least = feeOf(cents, termsOfShare(commission, { isFirst: false }));
      return [keyOf(share), commission ? cents - least : 0];
    }),
  );
  return [...paid]
    .filter(([key, cents]) => cents > (earned.get(key) ?? 0))
    .map(
      ([key, cents]) =>
        `payment and booking ${key}: ${cents} cents paid, ${earned.get(key)} earned`,
    );
};

/** Signs that no account may have, and entries that do not sum to zero. */
const findWrongBalances = async (): Promise<string[]> => {
  const rows = await query<{ what: string }>(
    'payments',
    `SELECT format('%s of payment %s and booking %s has %s cents', account, payment_id, booking_id, cents) AS what
     FROM ledger_balances
     WHERE payment_id IS NOT NULL AND (
       cents < 0 AND account IN ('unallocated', 'pending', 'available', 'commission', 'sending', 'due')
       OR cents > 0 AND account IN ('disputes', 'losses', 'debts'))
     UNION ALL
     SELECT format('the entries of payment %s sum to %s cents', payment_id, sum(cents))
     FROM ledger_balances GROUP BY payment_id HAVING sum(cents) <> 0
     UNION ALL
     SELECT format('owner %s has %s cents in netting', owner_id, sum(CASE WHEN to_account = 'netting' THEN cents ELSE -cents END))
     FROM ledger WHERE 'netting' IN (from_account, to_account)
     GROUP BY owner_id HAVING sum(CASE WHEN to_account = 'netting' THEN cents ELSE -cents END) <> 0`,
  );
  return rows.map(({ what }) => what);
};

const showBalances = async ({ payouts, transfers, reversals }: StripeBooks): Promise<void> => {
  const rows = await query<{ account: string; cents: number }>(
    'payments',
    'SELECT account, cents::float8 FROM ledger_totals WHERE cents <> 0 ORDER BY account',
  );
  console.log('Cents in each account of the ledger, which sum to zero:');
  console.table(Object.fromEntries(rows.map(({ account, cents }) => [account, { cents }])));
  console.log(`Sum: ${rows.reduce((sum, { cents }) => sum + cents, 0)}`);
  const paid = payouts.filter(({ status }) => status === 'paid').length;
  console.log(
    `${transfers.length} transfers, ${reversals.length} reversals, ${paid} payouts to banks`,
  );
};
