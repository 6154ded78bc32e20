import { goneFromShares } from '../src/domain/gone-from-shares.ts';
import { balanceOf, type Entry } from '../src/domain/ledger.ts';
import { remainsOf, type Share } from '../src/domain/share.ts';

/** Cents refunded from `due`, to the card or by hand. */
const refundedOf = (entries: readonly Entry[], bookingId: string): number =>
  entries
    .filter(({ key, bookingId: of }) => of === bookingId && /^(refund|by-hand):/.test(key))
    .reduce((sum, { from, to, cents }) => {
      if (from === 'due') return sum + cents;
      return to === 'due' ? sum - cents : sum;
    }, 0);

/** Checks that each share equals its remaining, ordered, outside and lost cents. */
export const checkGone = (entries: readonly Entry[], shares: readonly Share[]): void => {
  const all = goneFromShares(entries, shares);
  for (const { bookingId, cents } of shares) {
    const gone = all.find((one) => one.bookingId === bookingId);
    const { outsideCents = 0, lostCents = 0, heldCents = 0 } = gone ?? {};
    const remains = remainsOf(entries, bookingId);
    const ordered = balanceOf(entries, 'due', bookingId) + refundedOf(entries, bookingId);
    const isWhole = remains + ordered + outsideCents + lostCents === cents;
    const hasSigns = outsideCents >= 0 && lostCents >= 0 && heldCents >= 0 && heldCents <= remains;
    if (!isWhole || !hasSigns)
      throw new Error(`${bookingId}: ${JSON.stringify({ cents, remains, ordered, ...gone })}`);
  }
};
