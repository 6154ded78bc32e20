/** Accounts whose cents are part of the platform's balance at Stripe (ADR 16). */
const insideAccounts = [
  'unallocated',
  'pending',
  'available',
  'commission',
  'sending',
  'due',
  'disputes',
  'losses',
  'fees',
  'debts',
  'netting',
  'operator',
] as const;
/** Where money comes from and goes to: cards, disputes' banks, owners' accounts at Stripe, Stripe's fees, the operator. */
const outsideAccounts = ['card', 'bank', 'owner', 'stripe', 'operators-bank'] as const;

export type OutsideAccount = (typeof outsideAccounts)[number];
export type Account = (typeof insideAccounts)[number] | OutsideAccount;

/** Moves `cents > 0` between two accounts of one payment. */
export interface Posting {
  from: Account;
  to: Account;
  cents: number;
  bookingId: string | null;
  ownerId: string | null;
}

export interface Entry extends Posting {
  /** The movement. Entries of one key are inserted by one statement. */
  key: string;
  line: number;
  stripeId: string | null;
  happenedAt: Date;
}

/** Accounts with a balance for each booking. The others have one for the whole payment. */
const ofBooking: Account[] = ['pending', 'available', 'commission', 'sending', 'due', 'debts'];

/** The balance of an account of a payment, given the payment's entries. @param bookingId for the accounts of a booking */
export const balanceOf = (
  entries: readonly Posting[],
  account: Account,
  bookingId: string | null = null,
): number => {
  const isOfBooking = ofBooking.includes(account);
  let cents = 0;
  for (const entry of entries) {
    if (isOfBooking && entry.bookingId !== bookingId) continue;
    if (entry.to === account) cents += entry.cents;
    if (entry.from === account) cents -= entry.cents;
  }
  return cents;
};

/** The balance of an account over all bookings. */
export const totalOf = (entries: readonly Posting[], account: Account): number =>
  entries.reduce((sum, { from, to, cents }) => {
    if (to === account) return sum + cents;
    return from === account ? sum - cents : sum;
  }, 0);

/** The owner of a booking's share; undefined if nothing was posted for it. */
export const ownerOf = (entries: readonly Posting[], bookingId: string): string | undefined =>
  entries.find((entry) => entry.bookingId === bookingId && entry.ownerId)?.ownerId ?? undefined;

/**
 * These accounts add up to the operator's part of the platform's balance at Stripe: commission and own money, less what the
 * operator bears. The sum is negative if the balance is lower than what belongs to renters and owners (ADR 16).
 */
export const operatorsAccounts = [
  'commission',
  'operator',
  'fees',
  'losses',
  'disputes',
  'debts',
  'netting',
] as const satisfies Account[];

export interface Movement {
  key: string;
  stripeId: string | null;
  happenedAt: Date;
}

/** The entries of a movement. Postings of 0 cents are left out. */
export const entriesOf = (movement: Movement, postings: readonly Posting[]): Entry[] =>
  postings
    .filter(({ cents }) => cents > 0)
    .map((posting, index) => ({ ...movement, line: index + 1, ...posting }));
