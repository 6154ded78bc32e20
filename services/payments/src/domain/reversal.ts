import { balanceOf } from './ledger.ts';
import { balancesOfShare, type KeyedPosting } from './share.ts';

/**
 * The debt of a share that may be taken back from its owner now. The renter comes first: what an ordered refund made the owner
 * owe counts only once Stripe has made the refund.
 */
export const reversibleCents = (entries: readonly KeyedPosting[], bookingId: string): number => {
  const debtCents = -balancesOfShare(entries, bookingId).debts;
  const ordered = entries.filter(({ from, to }) => from === 'due' || to === 'due');
  const orderedCents = -balanceOf(ordered, 'debts', bookingId);
  const dueCents = balanceOf(entries, 'due', bookingId);
  return Math.max(0, debtCents - Math.max(0, Math.min(orderedCents, dueCents)));
};
