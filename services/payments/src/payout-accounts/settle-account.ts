import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction, type Transaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { isSameStatus, notStarted, statusOf } from '../domain/payout-account.ts';
import { lockAccount, saveStatus } from '../store/payout-account-repository.ts';
import { readClock } from '../store/stripe-event-repository.ts';

/** An account as Stripe showed it to a request of `readAt`. */
export interface Reading {
  accountId: string;
  /** Undefined if Stripe denies access: the account was deleted, or the key belongs to another platform. */
  account: Stripe.Account | undefined;
  readAt: Date;
}

export const readAccount = async (
  { pool, stripe }: Pick<Deps, 'pool' | 'stripe'>,
  accountId: string,
  options: Stripe.RequestOptions = {},
): Promise<Reading> => {
  const readAt = await readClock(pool);
  const account = await stripe.accounts.retrieve(accountId, {}, options).catch((error: unknown) => {
    if (!isDenied(error)) throw error;
    return undefined;
  });
  return { accountId, account, readAt };
};

export const isDenied = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'account_invalid';

/** Stores the status of an owner's account, and publishes it if it changed. The reply to the later request wins. */
export const settleAccount = async (
  tx: Transaction,
  ownerId: string,
  { accountId, account, readAt }: Reading,
): Promise<void> => {
  const stored = await lockAccount(tx, ownerId);
  const isOther = stored.accountId !== null && stored.accountId !== accountId;
  // Another account replaces a denied one, but nothing else does.
  if (isOther && (!account || stored.state !== 'not-started')) return;
  if (stored.readAt && stored.readAt > readAt) return;
  const status = account ? statusOf(account) : notStarted;
  const version = await saveStatus(tx, { ownerId, accountId, readAt, ...status });
  if (isSameStatus(stored, status)) return;
  const { state, needsInformation } = stored;
  const neededBy = status.neededBy?.toISOString() ?? null;
  const data = { ownerId, ...status, neededBy, before: { state, needsInformation } };
  await addToOutbox(tx, newEvent('PayoutAccountChanged', { id: ownerId, version }, data));
};

/** Reads the account and stores its status. */
export const refreshAccount = async (
  deps: Pick<Deps, 'pool' | 'stripe'>,
  { ownerId, accountId }: { ownerId: string; accountId: string },
  options?: Stripe.RequestOptions,
): Promise<void> => {
  const reading = await readAccount(deps, accountId, options);
  await inTransaction(deps.pool, (tx) => settleAccount(tx, ownerId, reading));
};
