import { type CommissionTerms, feeOf, termsOfShare } from '@lendtools/contracts/commission';

/** The part of a share that is not released. */
export interface PendingShare {
  pendingCents: number;
  /** What was released of it earlier and remains, with the commission. */
  releasedCents: number;
  commissionCents: number;
  /** Whether it is the booking's first share, which bears the fixed part of the commission. */
  isFirst: boolean;
}

/** An owner's balances of a booking, over all its payments. */
export interface EarningBalances {
  paidCents: number;
  /** With what is being sent. */
  availableCents: number;
  commissionCents: number;
  transferredCents: number;
  nettedCents: number;
  operatorCents: number;
  /** At least 0. */
  debtCents: number;
  writtenOffCents: number;
  pending: PendingShare[];
}

export interface EarnedMoney {
  paidCents: number;
  refundedCents: number;
  commissionCents: number;
  writtenOffCents: number;
  earnedCents: number;
  onTheWayCents: number;
  availableCents: number;
  transferredCents: number;
  nettedCents: number;
  outsideStripeCents: number;
  debtCents: number;
}

/** The commission that a release would charge now. */
const feeOfPending = (shares: readonly PendingShare[], terms: CommissionTerms | null): number =>
  shares.reduce((sum, { pendingCents, releasedCents, commissionCents, isFirst }) => {
    const fee = feeOf(releasedCents + pendingCents, termsOfShare(terms, { isFirst }));
    return sum + Math.min(pendingCents, Math.max(0, fee - commissionCents));
  }, 0);

/** @param terms null if the operator pays the owner in another way */
export const earnedMoneyOf = (
  { pending, operatorCents, ...balances }: EarningBalances,
  terms: CommissionTerms | null,
): EarnedMoney => {
  const { paidCents, availableCents, transferredCents, nettedCents, debtCents, writtenOffCents } =
    balances;
  const pendingCents = pending.reduce((sum, share) => sum + share.pendingCents, 0);
  const feeCents = feeOfPending(pending, terms);
  const onTheWayCents = terms ? pendingCents - feeCents : 0;
  const outsideStripeCents = operatorCents + (terms ? 0 : pendingCents);
  const commissionCents = balances.commissionCents + feeCents;
  const earnedCents =
    onTheWayCents +
    availableCents +
    transferredCents +
    nettedCents +
    outsideStripeCents -
    debtCents;
  return {
    paidCents,
    refundedCents: paidCents + writtenOffCents - commissionCents - earnedCents,
    commissionCents,
    writtenOffCents,
    earnedCents,
    onTheWayCents,
    availableCents,
    transferredCents,
    nettedCents,
    outsideStripeCents,
    debtCents,
  };
};

/** What else decides when an owner is paid. */
export interface PayoutConditions {
  /** What the booking waits for, and when its money may be released; null if unknown. */
  booking: { waitsFor: 'rental' | 'problem' | 'release'; releaseAt: Date | null };
  isDisputed: boolean;
  /** A transfer was reversed in Stripe's dashboard, and no admin has decided what happens to the money. */
  isReturned: boolean;
  account: { state: string; isHeld: boolean };
  /** When a rejected transfer is tried again; null if none is. */
  retryAt: Date | null;
  now: Date;
}

export interface Wait {
  waitsFor: 'rental' | 'problem' | 'release' | 'dispute' | 'account' | 'hold' | 'transfer';
  expectedAt: Date | null;
}

/** Why an owner's money of a booking is not transferred. @returns null if there is none */
export const waitOf = (
  { onTheWayCents, availableCents }: Pick<EarnedMoney, 'onTheWayCents' | 'availableCents'>,
  { booking, isDisputed, isReturned, account, retryAt, now }: PayoutConditions,
): Wait | null => {
  const { waitsFor, releaseAt } = booking;
  const isReleasedLater = waitsFor !== 'release' || (releaseAt !== null && releaseAt > now);
  if (onTheWayCents > 0 && isReleasedLater) return { waitsFor, expectedAt: releaseAt };
  if (onTheWayCents + availableCents === 0) return null;
  if (isDisputed) return { waitsFor: 'dispute', expectedAt: null };
  if (account.isHeld || isReturned) return { waitsFor: 'hold', expectedAt: null };
  if (account.state !== 'ready') return { waitsFor: 'account', expectedAt: null };
  return { waitsFor: 'transfer', expectedAt: retryAt !== null && retryAt > now ? retryAt : now };
};

interface Waiting extends Wait {
  cents: number;
}

/** The earliest expected transfer, and all cents that are expected with it. */
export const nextTransferOf = (waiting: readonly Waiting[]): { at: Date; cents: number } | null => {
  const times = waiting.flatMap(({ expectedAt }) => (expectedAt ? [expectedAt.getTime()] : []));
  if (times.length === 0) return null;
  const at = Math.min(...times);
  const due = waiting.filter(({ expectedAt }) => expectedAt?.getTime() === at);
  return { at: new Date(at), cents: due.reduce((sum, { cents }) => sum + cents, 0) };
};
