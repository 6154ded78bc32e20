import { balanceOf, type Entry } from '../src/domain/ledger.ts';
import { refundedCents } from '../src/domain/refund-fills.ts';
import type { PaymentFacts } from '../src/domain/settle-ledger.ts';
import { remainsOf } from '../src/domain/share.ts';

/** Checks that money which a renter waits for is not released to an owner. @param added the entries of one reading */
export const checkReleases = (
  facts: PaymentFacts,
  posted: readonly Entry[],
  added: readonly Entry[],
): void => {
  const index = added.findIndex(({ key }) => key.startsWith('release:'));
  if (index < 0) return;
  const before = [...posted, ...added.slice(0, index)];
  for (const { bookingId } of facts.shares) {
    const orders = facts.orders.filter((order) => order.bookingId === bookingId);
    const ordered = orders.reduce((sum, { cents }) => sum + cents, 0);
    const filled = balanceOf(before, 'due', bookingId) + refundedCents(facts, before, bookingId);
    const remains = remainsOf(before, bookingId);
    if (filled < ordered && remains > 0)
      throw new Error(`${bookingId} is released: ${JSON.stringify({ ordered, filled, remains })}`);
  }
};
