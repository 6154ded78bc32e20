import {
  databaseNow,
  inTransaction,
  type ListPage,
  reconcile,
  rowAttempts,
  schedule,
  type Transaction,
} from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { feeOf, hasObject, postingsOf } from '../../domain/balance-transaction.ts';
import { entriesOf, type Posting } from '../../domain/ledger.ts';
import {
  closeDays,
  dropOverdueTransactions,
  isChecked,
  listOverdueTransactions,
  lockTransaction,
  matchTransaction,
  sumLedger,
} from '../../store/balance-transaction-repository.ts';
import { findUnfollowedPayments, insertEntries } from '../../store/ledger-repository.ts';
import { findPayment, findPaymentByIntent } from '../../store/payment-repository.ts';
import { idOf, rethrowOutage, withoutSecrets } from '../../stripe/stripe-api.ts';
import { followOldJob } from '../follow-ledger/follow-old-payments.ts';

export const checkEveryMs = 3_600_000;
export const checkJob = 'check-ledger';
const walk = 'balance-transactions';
/** A movement is posted within seconds, and its balance transaction is checked after this time. */
const defaultPatienceMs = 10 * 60_000;
const retryAfterMs = 1.5 * checkEveryMs;
const mostDifferences = 100;

export type CheckDeps = Pick<Deps, 'pool' | 'stripe' | 'logger'>;

/**
 * Compares the ledger with Stripe's balance transactions, hourly. Posts fees, payouts and what is not ours. Each difference
 * is a failed row of this job: a transaction of ours that the ledger lacks, a movement that Stripe lacks after six hours, and
 * a wrong total. It is checked again each hour.
 * @returns whether a walk reached the end
 */
export const checkLedger = (
  deps: CheckDeps,
  { patienceMs = defaultPatienceMs } = {},
): Promise<boolean> =>
  check(deps, patienceMs).catch((error: unknown) => {
    throw withoutSecrets(error);
  });

const check = async (deps: CheckDeps, patienceMs: number): Promise<boolean> => {
  const { pool } = deps;
  const isFirst = await hasNeverCompleted(deps);
  if (isFirst && (await isFollowingOldPayments(deps))) return true;
  let upTo = '';
  const isDone = await reconcile(deps, walk, {
    job: checkJob,
    everyMs: checkEveryMs,
    read: async (page) => {
      const found = await listTransactions(deps, page, patienceMs);
      upTo = found.upTo;
      return found;
    },
    keyOf: ({ id }) => id,
    take: (transaction) => checkTransaction(deps, transaction),
  });
  if (!isDone) return false;
  if (isFirst) await postOpening(deps);
  const { attempt } = await rowAttempts(deps, checkJob, { retryAfterMs });
  for (const { key, stripeId, cents } of await listOverdueTransactions(pool, mostDifferences))
    await attempt(key, () => {
      throw new Error(`Stripe has no transaction of ${cents} cents for ${stripeId}`);
    });
  await closeDays(pool);
  await attempt('balance', () =>
    checkBalance(deps, upTo).catch((error) => rethrowOutage(error, deps.logger)),
  );
  return true;
};

/**
 * Checks now, up to the last minute unless `patienceMs` is given.
 * @returns the differences
 * @throws Error while payments from before the ledger are not posted
 */
export const checkLedgerNow = async (
  deps: CheckDeps,
  { patienceMs = 60_000 } = {},
): Promise<string[]> => {
  const { pool } = deps;
  if ((await hasNeverCompleted(deps)) && (await isFollowingOldPayments(deps)))
    throw new Error('Payments from before the ledger are not posted yet. Try again later.');
  const startedAt = await databaseNow(pool);
  do await pool.query('UPDATE reconciliations SET next_at = now() WHERE name = $1', [walk]);
  while (!(await checkLedger(deps, { patienceMs })));
  const { rows } = await pool.query<{ error: string }>(
    'SELECT error FROM failed_rows WHERE job = $1 AND failed_at >= $2 ORDER BY row_id',
    [checkJob, startedAt],
  );
  return rows.map(({ error }) => error);
};

/** Posts a balance transaction as the operator's: a charge of a lost backup and its refund, for example. */
export const acceptTransaction = async (
  { pool, stripe }: Pick<CheckDeps, 'pool' | 'stripe'>,
  transactionId: string,
): Promise<void> => {
  const transaction = await stripe.balanceTransactions.retrieve(transactionId);
  await inTransaction(pool, async (tx) => {
    await lockTransaction(tx, transactionId);
    if (await isChecked(tx, transactionId))
      throw new Error(`The ledger contains ${transactionId} already.`);
    await postUnknown(tx, transaction);
  });
};

const hasNeverCompleted = async ({ pool }: CheckDeps): Promise<boolean> => {
  const { rows } = await pool.query(
    'SELECT FROM reconciliations WHERE name = $1 AND reached_at <= to_timestamp(0)',
    [walk],
  );
  return rows.length > 0;
};

/** Until old payments are posted, their transactions would be differences. Those that fail do not delay the check. */
const isFollowingOldPayments = async (deps: CheckDeps): Promise<boolean> => {
  const { skip } = await rowAttempts(deps, followOldJob);
  return (await findUnfollowedPayments(deps.pool, { skip, limit: 1 })).length > 0;
};

/** The cursor contains the end of the walk, which is the beginning of the next one. */
const listTransactions = async (
  { stripe, pool }: CheckDeps,
  { since, cursor }: { since: string; cursor?: string },
  patienceMs: number,
): Promise<ListPage<Stripe.BalanceTransaction>> => {
  const [upTo = '', after] = cursor?.split(' ') ?? [
    new Date((await databaseNow(pool)).getTime() - patienceMs).toISOString(),
  ];
  const { data, has_more } = await stripe.balanceTransactions.list({
    limit: 100,
    expand: ['data.source'],
    created: { gte: Math.max(0, secondsOf(since)), lt: secondsOf(upTo) },
    ...(after && { starting_after: after }),
  });
  const last = has_more && data.at(-1);
  return { items: data.filter(isCounted), nextCursor: last ? `${upTo} ${last.id}` : null, upTo };
};

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);

const isCounted = ({ currency, balance_type: type }: Stripe.BalanceTransaction): boolean =>
  currency === 'usd' && type === 'payments';

/** @throws Error if the transaction moved our money and the ledger lacks it */
const checkTransaction = async (
  deps: CheckDeps,
  transaction: Stripe.BalanceTransaction,
): Promise<void> => {
  const { id: transactionId, amount: cents, fee: feeCents, source } = transaction;
  const { reporting_category: category } = transaction;
  const stripeId = idOf(source);
  const isExplained = await inTransaction(deps.pool, async (tx) => {
    await lockTransaction(tx, transactionId);
    if (await isChecked(tx, transactionId)) return true;
    const matched = await matchTransaction(tx, { transactionId, stripeId, cents });
    if (matched) {
      await post(tx, transaction, [feeOf(feeCents)], matched.paymentId);
      return true;
    }
    if (hasObject(category) && (await isOurs(tx, source))) return false;
    await postUnknown(tx, transaction);
    return true;
  });
  if (isExplained) return;
  throw new Error(
    `The ledger lacks Stripe's ${transactionId}: ${category} of ${cents} cents for ${stripeId}`,
  );
};

const postUnknown = (tx: Transaction, transaction: Stripe.BalanceTransaction): Promise<void> => {
  const { reporting_category: category, amount: cents, fee: feeCents } = transaction;
  return post(tx, transaction, postingsOf({ category, cents, feeCents }), null);
};

const post = (
  tx: Transaction,
  { id, created }: Stripe.BalanceTransaction,
  postings: Posting[],
  paymentId: string | null,
): Promise<void> => {
  const movement = { key: `balance:${id}`, stripeId: id, happenedAt: new Date(created * 1_000) };
  return insertEntries(tx, paymentId, entriesOf(movement, postings));
};

/** Whether we made the object, or it belongs to one of our payments. Then the ledger must have it, so follows the payment. */
const isOurs = async (
  tx: Transaction,
  source: Stripe.BalanceTransaction['source'],
): Promise<boolean> => {
  if (source === null || typeof source === 'string') return false;
  const { metadata, payment_intent: intent } = source as {
    metadata?: Record<string, string>;
    payment_intent?: string | { id: string } | null;
  };
  const named = metadata?.paymentId;
  const payment =
    (intent && (await findPaymentByIntent(tx, idOf(intent)))) ||
    (named && isUuid(named) ? await findPayment(tx, named) : undefined);
  if (payment) await schedule(tx, 'follow-ledger', payment.id);
  return payment !== undefined || named !== undefined;
};

const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/**
 * After the first walk, the operator's account takes over what Stripe has no transaction for: the sandbox of 1.0.0 had none.
 */
const postOpening = async ({ pool, logger }: CheckDeps): Promise<void> => {
  const { cents, count } = await inTransaction(pool, async (tx) => {
    const dropped = await dropOverdueTransactions(tx);
    const happenedAt = await databaseNow(tx);
    const movement = {
      key: `balance:opening:${happenedAt.toISOString()}`,
      stripeId: null,
      happenedAt,
    };
    const postings = postingsOf({ category: 'opening', cents: -dropped.cents, feeCents: 0 });
    await insertEntries(tx, null, entriesOf(movement, postings));
    return dropped;
  });
  if (count > 0)
    logger.warn(
      { cents, count },
      'movements that Stripe has no transactions for became the opening balance',
    );
};

const mostTries = 3;

/** Stripe's balance less what the walk has not reached must be the ledger less what Stripe does not have yet. */
const checkBalance = async (deps: CheckDeps, upTo: string): Promise<void> => {
  for (let tries = 1; tries <= mostTries; tries++) {
    const before = await readBalance(deps.stripe);
    const newer = await sumSince(deps.stripe, upTo);
    const ledger = await sumLedger(deps.pool);
    // Money moved meanwhile, so the numbers are not of one moment.
    if ((await readBalance(deps.stripe)) !== before) continue;
    if (before - newer === ledger) return;
    throw new Error(`Stripe's balance was ${before - newer} cents, and the ledger has ${ledger}`);
  }
};

const readBalance = async (stripe: Stripe): Promise<number> => {
  const { available, pending } = await stripe.balance.retrieve();
  return [...available, ...pending].reduce(
    (sum, { amount, currency }) => (currency === 'usd' ? sum + amount : sum),
    0,
  );
};

const sumSince = async (stripe: Stripe, upTo: string): Promise<number> => {
  let cents = 0;
  const created = { gte: secondsOf(upTo) };
  for await (const one of stripe.balanceTransactions.list({ limit: 100, created }))
    if (isCounted(one)) cents += one.net;
  return cents;
};
