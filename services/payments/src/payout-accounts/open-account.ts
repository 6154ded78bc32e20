import { faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { beginCreation, findAccount, nextAttempt } from '../store/payout-account-repository.ts';
import { readClock } from '../store/stripe-event-repository.ts';
import { isStoredFailure } from '../stripe/stripe-api.ts';
import { settleAccount } from './settle-account.ts';

/** Stripe's clock and ours may differ. */
const clockMarginMs = 300_000;

/**
 * Creates the owner's account at Stripe, or replaces a denied one. The row is committed first and determines the
 * idempotency key, so concurrent requests get the same account. A key is not enough after an unknown outcome: Stripe
 * stores a 500 under it, and forgets it after a day. So a retry looks for the account first.
 * @returns Stripe's id
 */
export const openAccount = async (deps: Deps, ownerId: string): Promise<string> => {
  const { pool, stripe } = deps;
  const { attempt, since } = await beginCreation(pool, ownerId);
  const readAt = await readClock(pool);
  const account =
    (since && (await findCreated(stripe, ownerId, since))) ||
    (await createAtStripe(deps, ownerId, attempt));
  await faultPoint('payments.afterAccountCreate');
  await inTransaction(pool, (tx) =>
    settleAccount(tx, ownerId, { accountId: account.id, account, readAt }),
  );
  return (await findAccount(pool, ownerId))?.accountId ?? account.id;
};

const findCreated = async (
  stripe: Stripe,
  ownerId: string,
  since: Date,
): Promise<Stripe.Account | undefined> => {
  const created = { gte: Math.floor((since.getTime() - clockMarginMs) / 1_000) };
  for await (const account of stripe.accounts.list({ created, limit: 100 }))
    if (account.metadata?.ownerId === ownerId) return account;
  return undefined;
};

const createAtStripe = (
  { pool, stripe }: Deps,
  ownerId: string,
  attempt: number,
): Promise<Stripe.Account> =>
  stripe.accounts
    .create(accountParams(ownerId), {
      idempotencyKey: `account:${ownerId}${attempt > 0 ? `#${attempt}` : ''}`,
    })
    .catch(async (error: unknown) => {
      const isKeyUsed = error instanceof Stripe.errors.StripeIdempotencyError;
      if (isStoredFailure(error) || isKeyUsed) await nextAttempt(pool, ownerId, attempt);
      throw error;
    });

/** The kind of account that Stripe calls Express. LendTools pays the fees and bears the losses; owners only get transfers. */
const accountParams = (ownerId: string): Stripe.AccountCreateParams => ({
  country: 'US',
  controller: {
    fees: { payer: 'application' },
    losses: { payments: 'application' },
    requirement_collection: 'stripe',
    stripe_dashboard: { type: 'express' },
  },
  capabilities: { transfers: { requested: true } },
  // 7394: equipment, tool, furniture and appliance rental.
  business_profile: { mcc: '7394', product_description: 'Rents tools to neighbors on LendTools' },
  metadata: { ownerId },
});
