import type { Deps } from '../../deps.ts';
import { findAccount, isCheckDue } from '../../store/payout-account-repository.ts';
import { withoutSecrets } from '../../stripe/stripe-api.ts';
import { refreshAccount } from '../settle-account.ts';
import { settleRecentPayouts } from '../settle-payout.ts';

/**
 * Reads each account and its payouts once a day: Stripe lists events about connected accounts only account by account. The account comes
 * last, because it schedules the next check.
 */
export const checkPayoutAccount = async (deps: Deps, id: string): Promise<void> => {
  if (!(await isCheckDue(deps.pool, id))) return;
  const { ownerId = id, accountId } = (await findAccount(deps.pool, id)) ?? {};
  if (!accountId) return;
  const account = { ownerId, accountId };
  await settleRecentPayouts(deps, account)
    .then(() => refreshAccount(deps, account))
    .catch((error: unknown) => {
      throw withoutSecrets(error);
    });
};
