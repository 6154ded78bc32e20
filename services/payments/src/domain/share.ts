import { type CommissionTerms, feeOf } from '@lendtools/contracts/commission';
import { type Account, balanceOf, type Posting } from './ledger.ts';

/** A booking's part of a payment. */
export interface Share {
  bookingId: string;
  ownerId: string;
  cents: number;
  /**
   * The operator's commission. Null for a share that is the operator's, because its owner is paid by hand. Undefined if the
   * terms were not read: nothing is released then.
   */
  terms?: CommissionTerms | null;
  /** When its owner may be paid; null as long as that is open. */
  releaseAt?: Date | null;
}

export interface ShareId {
  paymentId: string;
  bookingId: string;
}

/** A share and its owner. */
export type OwnedShare = Pick<Share, 'bookingId' | 'ownerId'>;

/** Postings with the key of their movement, if they have one already. */
export type KeyedPosting = Posting & { key?: string };

interface ShareBalances {
  pending: number;
  available: number;
  commission: number;
  /** At most 0: transferred to the owner, and refunded or lost since. */
  debts: number;
  sending: number;
  owner: number;
  netting: number;
  /** Debts that an admin has written off, and that no money has paid since. */
  writtenOff: number;
  /** Released to the operator. Money that the operator returned to the renter by hand is not counted. */
  operator: number;
}

export const balancesOfShare = (
  entries: readonly KeyedPosting[],
  bookingId: string,
): ShareBalances => {
  const own = entries.filter((entry) => entry.bookingId === bookingId);
  const released = own.filter(({ key, from }) => !key?.startsWith('by-hand:') && from !== 'due');
  const writeOffs = own.filter(({ from, to }) => from === 'losses' || to === 'losses');
  const inOwn = (account: Account) => balanceOf(own, account, bookingId);
  return {
    pending: inOwn('pending'),
    available: inOwn('available'),
    commission: inOwn('commission'),
    debts: inOwn('debts'),
    sending: inOwn('sending'),
    owner: inOwn('owner'),
    netting: inOwn('netting'),
    writtenOff: balanceOf(writeOffs, 'debts', bookingId),
    operator: balanceOf(released, 'operator'),
  };
};

const releasedCents = ({ pending, operator, writtenOff, ...rest }: ShareBalances): number =>
  Object.values(rest).reduce((sum, cents) => sum + cents, 0 - writtenOff);

/** What remains of a share, wherever it is. */
export const remainsOf = (entries: readonly KeyedPosting[], bookingId: string): number => {
  const balances = balancesOfShare(entries, bookingId);
  return balances.pending + balances.operator + releasedCents(balances);
};

/**
 * Takes cents from a share, at most what remains of it. After the release, the commission shrinks to the fee of what still
 * remains. What the owner got already becomes a debt.
 */
export const takeFromShare = (
  entries: readonly KeyedPosting[],
  { bookingId, ownerId, terms }: Share,
  { cents, to }: { cents: number; to: Account },
): Posting[] => {
  const balances = balancesOfShare(entries, bookingId);
  const postings: Posting[] = [];
  let rest = cents;
  const take = (from: Account, atMost: number) => {
    const part = Math.min(rest, Math.max(0, atMost));
    rest -= part;
    if (part > 0 && from !== to) postings.push({ from, to, cents: part, bookingId, ownerId });
  };
  take('pending', balances.pending);
  take('operator', balances.operator);
  const fee = feeOf(Math.max(0, releasedCents(balances) - rest), terms ?? null);
  take('commission', balances.commission - fee);
  take('available', balances.available);
  take('debts', rest);
  return postings;
};

const isReleased = (entries: readonly KeyedPosting[], bookingId: string, to: Account): boolean =>
  entries.some(
    (entry) =>
      entry.bookingId === bookingId && entry.key?.startsWith('release:') && entry.to === to,
  );

/**
 * Returns cents to a share: after the release to the commission, up to the fee, then to the operator for a debt that was
 * written off, then to the owner, debts first.
 */
export const giveToShare = (
  entries: readonly KeyedPosting[],
  { bookingId, ownerId, terms }: Share,
  { cents, from }: { cents: number; from: Account },
): Posting[] => {
  const postings: Posting[] = [];
  let rest = cents;
  const give = (to: Account, atMost: number) => {
    const part = Math.min(rest, Math.max(0, atMost));
    rest -= part;
    if (part > 0) postings.push({ from, to, cents: part, bookingId, ownerId });
    return part;
  };
  if (isReleased(entries, bookingId, 'available') || isReleased(entries, bookingId, 'commission')) {
    const balances = balancesOfShare(entries, bookingId);
    const fee = feeOf(Math.max(0, releasedCents(balances) + cents), terms ?? null);
    give('commission', fee - balances.commission);
    const { writtenOff, debts } = balances;
    const paid = give('debts', writtenOff - debts);
    const recovered = Math.min(paid, writtenOff);
    if (recovered > 0)
      postings.push({ from: 'debts', to: 'losses', cents: recovered, bookingId, ownerId });
    give('available', rest);
  } else give(isReleased(entries, bookingId, 'operator') ? 'operator' : 'pending', rest);
  return postings;
};

/** Splits what is pending between the operator's commission and the owner; without terms, all is the operator's. */
export const releaseShare = (
  entries: readonly KeyedPosting[],
  { bookingId, ownerId, terms }: Share,
): Posting[] => {
  const balances = balancesOfShare(entries, bookingId);
  const { pending, commission } = balances;
  const from = { from: 'pending' as const, bookingId, ownerId };
  if (!terms) return [{ ...from, to: 'operator', cents: pending }];
  const fee = feeOf(Math.max(0, releasedCents(balances) + pending), terms) - commission;
  const feePart = Math.min(pending, Math.max(0, fee));
  return [
    { ...from, to: 'commission', cents: feePart },
    { ...from, to: 'available', cents: pending - feePart },
  ];
};

/** A transfer that Stripe made: what was being sent, or else what the owner has, becomes the owner's. */
export const transferShare = (
  entries: readonly KeyedPosting[],
  { bookingId, ownerId }: OwnedShare,
  { cents, sendingCents }: { cents: number; sendingCents: number },
): Posting[] => {
  const { available } = balancesOfShare(entries, bookingId);
  const ofShare = { bookingId, ownerId };
  const fromSending = Math.min(cents, sendingCents);
  const fromAvailable = Math.min(cents - fromSending, available);
  return [
    { from: 'sending', to: 'owner', cents: fromSending, ...ofShare },
    { from: 'available', to: 'owner', cents: fromAvailable, ...ofShare },
    { from: 'debts', to: 'owner', cents: cents - fromSending - fromAvailable, ...ofShare },
    { from: 'sending', to: 'available', cents: sendingCents - fromSending, ...ofShare },
  ];
};

/** Money that came back from the owner pays the share's debt, then what was written off. The rest is the owner's again. */
export const reverseShare = (
  entries: readonly KeyedPosting[],
  { bookingId, ownerId }: OwnedShare,
  cents: number,
): Posting[] => {
  const { debts, writtenOff } = balancesOfShare(entries, bookingId);
  const paid = Math.min(cents, writtenOff - debts);
  const ofShare = { bookingId, ownerId };
  return [
    { from: 'owner', to: 'debts', cents: paid, ...ofShare },
    { from: 'debts', to: 'losses', cents: Math.max(0, paid + debts), ...ofShare },
    { from: 'owner', to: 'available', cents: cents - paid, ...ofShare },
  ];
};
