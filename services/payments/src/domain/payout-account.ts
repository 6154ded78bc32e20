import type { PayoutAccount } from '@lendtools/contracts';

/** The status of an owner's account; `neededBy` is a date instead of a text. */
export type PayoutStatus = Omit<PayoutAccount, 'neededBy' | 'isHeld'> & { neededBy: Date | null };

/** The fields of Stripe's account that decide its status. */
interface AccountAtStripe {
  details_submitted: boolean;
  capabilities?: { transfers?: string };
  requirements?: {
    currently_due: string[] | null;
    past_due: string[] | null;
    current_deadline: number | null;
  };
}

export const notStarted: PayoutStatus = {
  state: 'not-started',
  needsInformation: false,
  isInReview: false,
  neededBy: null,
};

/** An account is ready while it can receive transfers, even if Stripe needs more information later. */
export const statusOf = (account: AccountAtStripe): PayoutStatus => {
  const { details_submitted: isSubmitted, capabilities, requirements } = account;
  const due = [...(requirements?.currently_due ?? []), ...(requirements?.past_due ?? [])];
  const isReady = capabilities?.transfers === 'active';
  const needsInformation = isSubmitted && due.length > 0;
  const deadline = requirements?.current_deadline;
  return {
    state: isReady ? 'ready' : 'incomplete',
    needsInformation,
    isInReview: isSubmitted && !isReady && !needsInformation,
    neededBy: isReady && needsInformation && deadline ? new Date(deadline * 1_000) : null,
  };
};

export const isSameStatus = (one: PayoutStatus, other: PayoutStatus): boolean =>
  one.state === other.state &&
  one.needsInformation === other.needsInformation &&
  one.isInReview === other.isInReview &&
  one.neededBy?.getTime() === other.neededBy?.getTime();
