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

/** Cents of the share that the payment could not cover. */
const lackingCents = (entries: readonly Entry[], { bookingId, cents }: Share): number => {
  const own = entries.filter((entry) => entry.bookingId === bookingId);
  return Math.max(0, cents + balanceOf(own, 'unallocated'));
};

/** Divides among the shares what a dispute took before the payment was allocated. */
const lostBeforeParts = (entries: readonly Entry[], lacking: readonly number[]): number[] => {
  const lost = lostCents(entries.filter(({ bookingId }) => bookingId === null));
  return divide(Math.min(lost, sum(lacking)), lacking);
};

const lostCents = (entries: readonly Entry[]): number =>
  totalOf(entries.filter(isOf('loss')), 'disputes');

/** Dashboard refunds charged to the share, and refunds of other bookings that used it up. */
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
