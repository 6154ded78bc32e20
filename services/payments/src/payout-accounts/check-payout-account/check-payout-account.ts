import type { Deps } from '../../deps.ts';
import { findAccount, isCheckDue } from '../../store/payout-account-repository.ts';
import { withoutSecrets } from '../../stripe/stripe-api.ts';
import { refreshAccount } from '../settle-account.ts';

/** Reads each account once a day: Stripe lists events about connected accounts only account by account. */
export const checkPayoutAccount = async (deps: Deps, id: string): Promise<void> => {
  if (!(await isCheckDue(deps.pool, id))) return;
  const { ownerId = id, accountId } = (await findAccount(deps.pool, id)) ?? {};
  if (!accountId) return;
  await refreshAccount(deps, { ownerId, accountId }).catch((error: unknown) => {
    throw withoutSecrets(error);
  });
};
