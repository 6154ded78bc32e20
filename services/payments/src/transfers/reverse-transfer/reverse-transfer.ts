import { faultPoint, inTransaction, rowAttempts, schedule } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { entriesOf } from '../../domain/ledger.ts';
import { reversibleCents } from '../../domain/reversal.ts';
import { reverseShare } from '../../domain/share.ts';
import { isDenied } from '../../payout-accounts/settle-account.ts';
import { readLedger } from '../../store/ledger-repository.ts';
import { lockLedger } from '../../store/lock-ledger.ts';
import { postEntries } from '../../store/post-entries.ts';
import {
  claimReversal,
  endRejectedReversals,
  findReversible,
  hasUnknownReversal,
  insertReversal,
  type OwnReversal,
  type ReversibleTransfer,
  recordReversal,
  rejectReversal,
  rescheduleReversal,
  reverseAgainLater,
} from '../../store/reversal-repository.ts';
import { rethrowOutage, withoutSecrets } from '../../stripe/stripe-api.ts';
import { failureOf, judgeFailure } from '../judge-failure.ts';
import { scheduleReversals, scheduleReversalsOfShare } from '../schedule-reversals.ts';
import { scheduleTransfers } from '../schedule-transfers.ts';

const task = 'reverse-transfer';
/** The money of a transfer may be pending for days, and Stripe sends no event when it becomes available. */
const pendingAgainMs = 6 * 3_600_000;

type ReverseDeps = Pick<Deps, 'pool' | 'stripe' | 'logger'>;

/**
 * Takes back from an owner's account at Stripe what the owner owes for the transfer's share, as far as it is available there.
 * The rest stays owed, and is netted from the next transfer.
 * @param id the transfer's row
 */
export const reverseTransfer = async (deps: ReverseDeps, id: string): Promise<void> => {
  const { pool, logger } = deps;
  const transfer = await findReversible(pool, id);
  if (!transfer) return;
  const reversal = await claimOrPrepare(deps, transfer);
  if (!reversal) return;
  const { attempt } = await rowAttempts(deps, task);
  await attempt(reversal.id, () =>
    send(deps, transfer, reversal).catch((error) =>
      recordFailure(deps, { transfer, reversal: reversal.id }, error),
    ),
  ).catch((err) => logger.warn({ err, transfer: id }, 'a transfer could not be reversed'));
};

const claimOrPrepare = async (
  deps: ReverseDeps,
  transfer: ReversibleTransfer,
): Promise<OwnReversal | undefined> => {
  const claimed = await claimReversal(deps.pool, transfer.id);
  if (claimed) return claimed;
  if (await rescheduleReversal(deps.pool, transfer.id)) return undefined;
  return prepare(deps, transfer).catch((error) => rethrowOutage(error, deps.logger));
};

/** Inserts the row before Stripe is called. @returns undefined if nothing can be reversed now */
const prepare = async (
  { pool, stripe }: ReverseDeps,
  transfer: ReversibleTransfer,
): Promise<OwnReversal | undefined> => {
  const { id, paymentId, bookingId, accountId, transferId } = transfer;
  const debt = reversibleCents(await readLedger(pool, paymentId), bookingId);
  const balance = debt > 0 ? await readBalance(stripe, accountId) : undefined;
  const atStripe = balance && (await stripe.transfers.retrieve(transferId));
  return inTransaction(pool, async (tx) => {
    const entries = await lockLedger(tx, paymentId);
    // Another replica may have made the next try meanwhile.
    if (await rescheduleReversal(tx, id)) return undefined;
    await endRejectedReversals(tx, id);
    const current = await findReversible(tx, id);
    // One at a time: the debt still contains what an unfinished reversal takes.
    if (!balance || !current || (await hasUnknownReversal(tx, transfer))) return undefined;
    if (atStripe?.amount_reversed !== current.reversedCents) {
      // Reversed without us, or since the backup that was restored. Once that is posted, the task is scheduled again.
      await schedule(tx, 'follow-ledger', paymentId);
      return undefined;
    }
    const owedCents = reversibleCents(entries, bookingId);
    const wantedCents = Math.min(owedCents, current.amountCents - current.reversedCents);
    const amountCents = Math.min(wantedCents, balance.availableCents);
    if (amountCents > 0) return insertReversal(tx, { transfer: id, amountCents });
    if (wantedCents > 0 && balance.pendingCents > 0)
      await schedule(tx, task, id, new Date(Date.now() + pendingAgainMs));
    return undefined;
  });
};

/** What is on an owner's account at Stripe. */
const readBalance = async (
  stripe: Stripe,
  stripeAccount: string,
): Promise<{ availableCents: number; pendingCents: number }> => {
  const balance = await stripe.balance.retrieve({}, { stripeAccount }).catch((error: unknown) => {
    if (!isDenied(error)) throw error;
    return { available: [], pending: [] };
  });
  const { available, pending } = balance;
  return { availableCents: sumOf(available), pendingCents: sumOf(pending) };
};

const sumOf = (amounts: readonly { amount: number; currency: string }[]): number =>
  amounts.reduce((sum, { amount, currency }) => (currency === 'usd' ? sum + amount : sum), 0);

const send = async (
  deps: ReverseDeps,
  transfer: ReversibleTransfer,
  reversal: OwnReversal,
): Promise<void> => {
  const { paymentId, bookingId, ownerId, transferId } = transfer;
  await faultPoint('payments.beforeStripeReversal');
  const made =
    (reversal.tries > 1 && (await findAtStripe(deps, transferId, reversal.id))) ||
    (await createAtStripe(deps, transferId, reversal));
  await faultPoint('payments.afterStripeReversal');
  const { id: reversalId, amount: cents } = made;
  const createdAt = new Date(made.created * 1_000);
  await inTransaction(deps.pool, async (tx) => {
    const posted = await lockLedger(tx, paymentId);
    const key = `reversal:${reversalId}`;
    // Stripe's event may have been faster.
    const isPosted = posted.some((entry) => entry.key === key);
    const share = { bookingId, ownerId, cents: 0 };
    const movement = { key, stripeId: reversalId, happenedAt: createdAt };
    const added = isPosted ? [] : entriesOf(movement, reverseShare(posted, share, cents));
    await postEntries(tx, paymentId, added);
    const { id: rowId } = reversal;
    await recordReversal(tx, {
      transferId,
      reversalId,
      rowId,
      cents,
      createdAt,
      isReturned: false,
    });
    const entries = [...posted, ...added];
    await scheduleReversals(tx, paymentId, entries);
    // The debt may have become smaller meanwhile.
    await scheduleTransfers(tx, paymentId, entries);
    await faultPoint('payments.beforeReversalCommit');
  });
};

/** A try without a reply, or with a 500, may have been carried out. */
const findAtStripe = async (
  { stripe }: ReverseDeps,
  transferId: string,
  reversalId: string,
): Promise<Stripe.TransferReversal | undefined> => {
  for await (const one of stripe.transfers.listReversals(transferId, { limit: 100 }))
    if (one.metadata?.reversalId === reversalId) return one;
  return undefined;
};

const createAtStripe = (
  { stripe }: ReverseDeps,
  transferId: string,
  { id, amountCents, attempt }: OwnReversal,
): Promise<Stripe.TransferReversal> =>
  stripe.transfers.createReversal(
    transferId,
    { amount: amountCents, metadata: { reversalId: id } },
    { idempotencyKey: `reversal:${id}${attempt > 0 ? `#${attempt}` : ''}` },
  );

/** @throws the failure, unless Stripe rejected the reversal: then another one follows hours later */
const recordFailure = async (
  { pool, logger }: ReverseDeps,
  { transfer, reversal: id }: { transfer: ReversibleTransfer; reversal: string },
  failure: unknown,
): Promise<void> => {
  const verdict = judgeFailure(failure, { withoutSource: true });
  if (verdict === 'rejected') {
    logger.warn({ err: withoutSecrets(failure), reversal: id }, 'Stripe rejected a reversal');
    return inTransaction(pool, async (tx) => {
      await rejectReversal(tx, id, failureOf(failure));
      // The share's other transfers waited for it.
      await scheduleReversalsOfShare(tx, transfer);
    });
  }
  await reverseAgainLater(pool, id, {
    ...failureOf(failure),
    freshKey: verdict === 'next-attempt',
  });
  rethrowOutage(failure, logger);
};
