import { divide } from './divide.ts';
import { type Account, balanceOf, type Posting, totalOf } from './ledger.ts';
import { giveToShare, type KeyedPosting, remainsOf, type Share, takeFromShare } from './share.ts';

/** A booking with refunds that Stripe does not have yet; null for refunds of no booking. */
export interface UnsentRefunds {
  bookingId: string | null;
  /** Cents of the booking's refunds that are pending at Stripe. */
  sentCents: number;
}

interface Deduction {
  cents: number;
  to: Account;
  shares: readonly Share[];
  /** By the newest refund, the newest first. */
  unsent: readonly UnsentRefunds[];
}

const byBooking = (one: { bookingId: string }, other: { bookingId: string }): number =>
  one.bookingId < other.bookingId ? -1 : 1;

/**
 * Takes cents from a payment, in this order: what is not part of a share; the shares, in proportion to what remains of each;
 * unsent refunds, the newest first; losses. So a refund in the dashboard shrinks an ordered refund only if nothing else is
 * left.
 */
export const deduct = (
  entries: readonly KeyedPosting[],
  { cents, to, shares, unsent }: Deduction,
): Posting[] => {
  const postings: Posting[] = [];
  let rest = cents;
  const take = (from: Account, part: number, share?: Omit<Posting, 'from' | 'to' | 'cents'>) => {
    if (part <= 0) return;
    postings.push({ from, to, cents: part, bookingId: null, ownerId: null, ...share });
    rest -= part;
  };
  take('unallocated', Math.min(rest, balanceOf(entries, 'unallocated')));

  const sorted = shares.toSorted(byBooking);
  const remains = sorted.map(({ bookingId }) => remainsOf(entries, bookingId));
  const fromShares = Math.min(rest, sum(remains));
  const parts = divide(fromShares, remains);
  sorted.forEach((share, index) => {
    const part = parts[index] ?? 0;
    postings.push(...takeFromShare(entries, share, { cents: part, to }));
    rest -= part;
  });

  for (const { bookingId, sentCents } of unsent) {
    const { ownerId = null } = shares.find((share) => share.bookingId === bookingId) ?? {};
    const due = balanceOf(entries, 'due', bookingId);
    take('due', Math.min(rest, due - sentCents), { bookingId, ownerId });
  }
  take('losses', rest);
  return postings;
};

interface Restoration {
  cents: number;
  from: Account;
  shares: readonly Share[];
  /** All entries of the payment. */
  entries: readonly KeyedPosting[];
}

/**
 * Returns cents that were deducted, in reverse order: losses, the shares in proportion to what was taken from each, what was
 * not part of a share. What was taken from a booking's refund returns to its share.
 * @param deducted the entries of the deduction, and of what was restored of it since
 */
export const restore = (
  deducted: readonly Posting[],
  { cents, from, shares, entries }: Restoration,
): Posting[] => {
  const postings: Posting[] = [];
  let rest = cents;
  const give = (to: Account, part: number, share?: Omit<Posting, 'from' | 'to' | 'cents'>) => {
    if (part <= 0) return;
    postings.push({ from, to, cents: part, bookingId: null, ownerId: null, ...share });
    rest -= part;
  };
  const ofNoShare = deducted.filter(({ bookingId }) => bookingId === null);
  give('losses', Math.min(rest, -balanceOf(ofNoShare, 'losses')));

  const sorted = shares.toSorted(byBooking);
  const taken = sorted.map(({ bookingId }) =>
    Math.max(
      0,
      totalOf(
        deducted.filter((entry) => entry.bookingId === bookingId),
        from,
      ),
    ),
  );
  const parts = divide(Math.min(rest, sum(taken)), taken);
  sorted.forEach((share, index) => {
    const part = parts[index] ?? 0;
    postings.push(...giveToShare(entries, share, { cents: part, from }));
    rest -= part;
  });
  give('unallocated', rest);
  return postings;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
