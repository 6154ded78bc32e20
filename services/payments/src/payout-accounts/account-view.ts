import type { PayoutAccount } from '@lendtools/contracts';
import { notStarted } from '../domain/payout-account.ts';
import type { StoredAccount } from '../store/payout-account-repository.ts';

export const viewOf = (account: StoredAccount | undefined): PayoutAccount => {
  const { state, needsInformation, isInReview, neededBy } = account ?? notStarted;
  return {
    state,
    needsInformation,
    isInReview,
    neededBy: neededBy?.toISOString() ?? null,
    isHeld: account?.isHeld ?? false,
  };
};
