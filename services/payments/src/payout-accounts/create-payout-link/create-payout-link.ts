import { pages, routes } from '@lendtools/contracts';
import { handle, inTransaction, scaled, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { payoutsUnavailable } from '../../domain/errors.ts';
import { findAccount } from '../../store/payout-account-repository.ts';
import { readClock } from '../../store/stripe-event-repository.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { openAccount } from '../open-account.ts';
import { isDenied, settleAccount } from '../settle-account.ts';

const linksAnHour = (factor: number) => ({
  kind: 'payout-links',
  limit: scaled(30, factor),
  windowSeconds: 3_600,
  rejection: 'You have opened Stripe many times in the last hour.',
});

/** Creates the owner's account first if there is none. The link is short-lived and secret, so it is not stored. */
export const createPayoutLink = (deps: Deps) =>
  handle(routes.createPayoutLink, async ({ user: { userId } }) => {
    const { pool, config, logger } = deps;
    await spend(pool, userId, linksAnHour(config.RATE_LIMIT_FACTOR));
    const url = await linkOf(deps, userId).catch((error: unknown) =>
      rethrowOutage(error, logger, payoutsUnavailable),
    );
    return { url };
  });

const linkOf = async (deps: Deps, ownerId: string): Promise<string> => {
  const { pool } = deps;
  const stored = await findAccount(pool, ownerId);
  if (!stored?.accountId || stored.state === 'not-started')
    return onboardingLink(deps, await openAccount(deps, ownerId));
  const { accountId, state, needsInformation, isInReview } = stored;
  const isDone = isInReview || (state === 'ready' && !needsInformation);
  try {
    return await (isDone ? dashboardLink : onboardingLink)(deps, accountId);
  } catch (error) {
    if (!isDenied(error)) throw error;
    const readAt = await readClock(pool);
    const denied = { accountId, account: undefined, readAt };
    await inTransaction(pool, (tx) => settleAccount(tx, ownerId, denied));
    return onboardingLink(deps, await openAccount(deps, ownerId));
  }
};

const dashboardLink = async ({ stripe }: Deps, accountId: string): Promise<string> =>
  (await stripe.accounts.createLoginLink(accountId)).url;

/** Stripe leads an owner with a used or expired link to `refresh_url`, where the app requests another one. */
const onboardingLink = async ({ stripe, config }: Deps, account: string): Promise<string> => {
  const at = (from: string) => new URL(`${pages.getPaid}?from=${from}`, config.PUBLIC_URL).href;
  const link = await stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    return_url: at('stripe'),
    refresh_url: at('expired-link'),
  });
  return link.url;
};
