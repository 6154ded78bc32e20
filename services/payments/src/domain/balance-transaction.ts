import type { Account, OutsideAccount, Posting } from './ledger.ts';

/** A balance transaction of Stripe that no payment here explains, or the fee of one that does. */
export interface BalanceTransaction {
  /** Stripe's reporting category, such as `payout` or `fee`. */
  category: string;
  /** Positive if the money came in; without the fee. */
  cents: number;
  feeCents: number;
}

const ofNone = { bookingId: null, ownerId: null };

/** Which accounts the money moves between. What is unknown here is the operator's, with Stripe as the other side. */
const accounts: Record<string, [inside: Account, outside: OutsideAccount]> = {
  charge: ['operator', 'card'],
  refund: ['operator', 'card'],
  refund_failure: ['operator', 'card'],
  partial_capture_reversal: ['operator', 'card'],
  dispute: ['operator', 'bank'],
  dispute_reversal: ['operator', 'bank'],
  transfer: ['operator', 'owner'],
  transfer_reversal: ['operator', 'owner'],
  connect_collection_transfer: ['losses', 'owner'],
  payout: ['operator', 'operators-bank'],
  payout_reversal: ['operator', 'operators-bank'],
  topup: ['operator', 'operators-bank'],
  topup_reversal: ['operator', 'operators-bank'],
  fee: ['fees', 'stripe'],
  network_cost: ['fees', 'stripe'],
  tax: ['fees', 'stripe'],
};

/** Categories of transactions that belong to a charge, refund, dispute or transfer. */
export const hasObject = (category: string): boolean =>
  ['card', 'bank', 'owner'].includes(accounts[category]?.[1] ?? '') &&
  category !== 'connect_collection_transfer';

export const postingsOf = ({ category, cents, feeCents }: BalanceTransaction): Posting[] => {
  const [inside, outside] = accounts[category] ?? ['operator', 'stripe'];
  return [move(inside, outside, cents), move('fees', 'stripe', -feeCents)];
};

/** Stripe's fee for a charge or dispute. Negative if Stripe returns it. */
export const feePosting = (feeCents: number): Posting => move('fees', 'stripe', -feeCents);

const move = (inside: Account, outside: Account, cents: number): Posting =>
  cents < 0
    ? { from: inside, to: outside, cents: -cents, ...ofNone }
    : { from: outside, to: inside, cents, ...ofNone };
