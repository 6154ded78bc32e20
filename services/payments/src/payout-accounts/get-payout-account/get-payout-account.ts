import { routes } from '@lendtools/contracts';
import { forbidden, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { findAccount, type StoredAccount } from '../../store/payout-account-repository.ts';
import { withoutSecrets } from '../../stripe/stripe-api.ts';
import { viewOf } from '../account-view.ts';
import { refreshAccount } from '../settle-account.ts';

/** The owner may just return from Stripe, before the webhook has arrived. */
const staleAfterMs = { ready: 600_000, others: 3_000 };

const isStale = ({ state, needsInformation, readAt }: StoredAccount): boolean => {
  const isSettled = state === 'ready' && !needsInformation;
  const ageMs = Date.now() - (readAt?.getTime() ?? 0);
  return ageMs > (isSettled ? staleAfterMs.ready : staleAfterMs.others);
};

/** Reads an account from Stripe that may have changed. Replies with the stored status while Stripe is unavailable. */
export const getPayoutAccount = (deps: Deps) =>
  handle(routes.payoutAccount, async ({ params: { userId }, allow }) => {
    const answer = allow([userId], forbidden);
    const { pool, logger } = deps;
    const stored = await findAccount(pool, userId);
    if (!stored?.accountId || !isStale(stored)) return answer(viewOf(stored));
    const { ownerId, accountId } = stored;
    await refreshAccount(
      deps,
      { ownerId, accountId },
      { timeout: 3_000, maxNetworkRetries: 0 },
    ).catch((error: unknown) =>
      logger.warn({ err: withoutSecrets(error) }, 'cannot read an owner’s account from Stripe'),
    );
    return answer(viewOf(await findAccount(pool, userId)));
  });
