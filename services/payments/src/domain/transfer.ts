import { type Account, balanceOf, type Entry, entriesOf, type Posting } from './ledger.ts';
import { type OwnedShare, reverseShare, transferShare } from './share.ts';

export interface StripeTransfer {
  transferId: string;
  /** The id of the row that it was sent for, from its metadata. */
  rowId: string;
  bookingId: string;
  /** The owner's account at Stripe. */
  accountId: string;
  cents: number;
  createdAt: Date;
  /** `rowId` is null if it was reversed without us. */
  reversals: { reversalId: string; rowId: string | null; cents: number; createdAt: Date }[];
}

/**
 * Posts a transfer that Stripe made, and its reversals. It counts even if a restored backup lacks its row, or if we took it
 * for rejected. Returns nothing for what is posted already.
 * @param posted the payment's entries so far
 */
export const transferEntries = (
  posted: readonly Entry[],
  share: OwnedShare,
  { transferId, rowId, cents, createdAt, reversals }: StripeTransfer,
): Entry[] => {
  const entries = [...posted];
  const { bookingId } = share;
  const has = (key: string) => entries.some((entry) => entry.key === key);
  const post = (key: string, postings: Posting[], stripeId: string, happenedAt: Date) => {
    if (!has(key)) entries.push(...entriesOf({ key, stripeId, happenedAt }, postings));
  };
  const key = `transfer:${rowId}`;
  const isOther = entries.some((one) => one.key === `${key}:sent` && one.stripeId !== transferId);
  const ofRow = entries.filter((one) => one.key === key || one.key === `${key}:rejected`);
  const ofShare = balanceOf(entries, 'sending', bookingId);
  const sendingOf = () => {
    // Stripe made two transfers for the row, and the other one took what was being sent.
    if (isOther) return 0;
    // A transfer without a row was made after the backup, so what the backup was sending is over.
    return has(key) ? Math.min(ofShare, balanceOf(ofRow, 'sending', bookingId)) : ofShare;
  };
  const sentKey = isOther ? `transfer:${transferId}:sent` : `${key}:sent`;
  const sent = transferShare(entries, share, { cents, sendingCents: sendingOf() });
  post(sentKey, sent, transferId, createdAt);
  for (const reversal of reversals) {
    const returned = reverseShare(entries, share, reversal.cents);
    post(`reversal:${reversal.reversalId}`, returned, reversal.reversalId, reversal.createdAt);
  }
  return entries.slice(posted.length);
};

/** What an owner owes for a share of any payment. */
export interface Debt {
  paymentId: string;
  bookingId: string;
  cents: number;
}

/**
 * Pays debts of the owner, in the given order, from what is available of a share.
 * @returns the entries of each payment, and what is still available
 */
export const netDebts = (
  posted: readonly Entry[],
  { paymentId, bookingId, ownerId }: OwnedShare & { paymentId: string },
  { debts, happenedAt }: { debts: readonly Debt[]; happenedAt: Date },
): { movements: { paymentId: string; entries: Entry[] }[]; leftCents: number } => {
  const prefix = `netting:${paymentId}:${bookingId}:`;
  const keys = new Set(posted.map(({ key }) => key).filter((key) => key.startsWith(prefix)));
  const movements: { paymentId: string; entries: Entry[] }[] = [];
  let leftCents = balanceOf(posted, 'available', bookingId);
  for (const debt of debts) {
    const cents = Math.min(leftCents, debt.cents);
    if (cents <= 0) continue;
    leftCents -= cents;
    const movement = { key: `${prefix}${keys.size + 1}`, stripeId: null, happenedAt };
    keys.add(movement.key);
    const move = (line: number, from: Account, to: Account, ofBooking: string): Entry => ({
      ...movement,
      line,
      from,
      to,
      cents,
      bookingId: ofBooking,
      ownerId,
    });
    if (debt.paymentId === paymentId && debt.bookingId === bookingId)
      movements.push({ paymentId, entries: [move(1, 'available', 'debts', bookingId)] });
    else
      movements.push(
        { paymentId, entries: [move(1, 'available', 'netting', bookingId)] },
        { paymentId: debt.paymentId, entries: [move(2, 'netting', 'debts', debt.bookingId)] },
      );
  }
  return { movements, leftCents };
};

type PreparedTransfer = OwnedShare & { id: string; cents: number };

/** What is about to be sent leaves what is available. */
export const prepareEntries = ({ id, ...posting }: PreparedTransfer, happenedAt: Date): Entry[] =>
  entriesOf({ key: `transfer:${id}`, stripeId: null, happenedAt }, [
    { ...posting, from: 'available', to: 'sending' },
  ]);

/** What Stripe did not transfer is available again, unless a transfer of a lost backup has ended it. */
export const rejectEntries = (
  posted: readonly Entry[],
  { id, cents, ...share }: PreparedTransfer,
  happenedAt: Date,
): Entry[] => {
  const part = Math.min(cents, balanceOf(posted, 'sending', share.bookingId));
  return entriesOf({ key: `transfer:${id}:rejected`, stripeId: null, happenedAt }, [
    { ...share, cents: part, from: 'sending', to: 'available' },
  ]);
};
