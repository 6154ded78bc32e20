import type { GoneFromShare } from '@lendtools/contracts';
import { divide } from './divide.ts';
import { balanceOf, type Entry, totalOf } from './ledger.ts';
import { remainsOf, type Share } from './share.ts';

/** What bookings may no longer refund of each share. Leaves out shares of which nothing is gone. */
export const goneFromShares = (
  entries: readonly Entry[],
  shares: readonly Share[],
): GoneFromShare[] => {
  const sorted = shares.toSorted((one, other) => (one.bookingId < other.bookingId ? -1 : 1));
  const lacking = sorted.map((share) => lackingCents(entries, share));
  const lostBefore = lostBeforeParts(entries, lacking);
  const held = heldParts(entries, sorted);
  return sorted
    .map(({ bookingId }, index) => {
      const own = entries.filter((entry) => entry.bookingId === bookingId);
      const lost = lostBefore[index] ?? 0;
      return {
        bookingId,
        outsideCents: (lacking[index] ?? 0) - lost + outsideCents(own),
        lostCents: lost + lostCents(own),
        heldCents: held[index] ?? 0,
      };
    })
    .filter((gone) => gone.outsideCents + gone.lostCents + gone.heldCents > 0);
};

const isOf =
  (...prefixes: string[]) =>
  ({ key }: Entry): boolean =>
    prefixes.includes(key.split(':', 1)[0] as string);

/** What the payment did not have for the share. */
const lackingCents = (entries: readonly Entry[], { bookingId, cents }: Share): number => {
  const own = entries.filter((entry) => entry.bookingId === bookingId);
  return Math.max(0, cents + balanceOf(own, 'unallocated'));
};

/** The part of what shares lack that a dispute took before bookings had used the payment. */
const lostBeforeParts = (entries: readonly Entry[], lacking: readonly number[]): number[] => {
  const lost = lostCents(entries.filter(({ bookingId }) => bookingId === null));
  return divide(Math.min(lost, sum(lacking)), lacking);
};

const lostCents = (entries: readonly Entry[]): number =>
  totalOf(entries.filter(isOf('loss')), 'disputes');

/** What dashboard refunds took from the share and its refunds, and what refunds of other bookings took from the share. */
const outsideCents = (own: readonly Entry[]): number => {
  const isOwnRefund = ({ from, to }: Entry) => from === 'due' || to === 'due';
  const taken = own.filter(
    (entry) => isOf('outside')(entry) || (isOf('refund', 'by-hand')(entry) && !isOwnRefund(entry)),
  );
  return totalOf(taken, 'card') + totalOf(taken, 'operator');
};

/** What undecided disputes would take from each share if they were lost now. */
const heldParts = (entries: readonly Entry[], shares: readonly Share[]): number[] => {
  const remains = shares.map(({ bookingId }) => remainsOf(entries, bookingId));
  const held = -balanceOf(entries, 'disputes') - balanceOf(entries, 'unallocated');
  return divide(Math.max(0, Math.min(held, sum(remains))), remains);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
