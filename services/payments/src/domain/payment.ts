import type { DisputeState, DisputeSums } from './dispute.ts';

/** The life of a payment: pure rules, no clock, no database, no Stripe. */

export type PaymentState =
  | { status: 'pending' }
  /** The last card was refused; another may be tried. */
  | { status: 'failed'; failure: string }
  /** The card is authorized, and charged once the owner of the tool accepts. */
  | { status: 'authorized' }
  | { status: 'canceled' }
  | ({ status: 'succeeded' | 'refunded'; succeededAt: Date } & RefundSums & DisputeSums);

interface RefundSums {
  /** Cents promised back, whether or not Stripe has them back yet. */
  reservedCents: number;
  /** Cents that Stripe has given back. */
  refundedCents: number;
  /** Cents that were refunded in Stripe's dashboard: given back, and promised by nobody here. */
  outsideCents: number;
}

export interface Payment {
  id: string;
  userId: string;
  holdId: string | null;
  /** Its card is authorized first. */
  onRequest: boolean;
  amountCents: number;
  version: number;
  state: PaymentState;
}

/** What Stripe says of the intent right now. */
export type Observation =
  | { kind: 'open' }
  | { kind: 'declined'; failure: string }
  | { kind: 'authorized'; capturableCents: number }
  | { kind: 'succeeded'; receivedCents: number; currency: string }
  | { kind: 'canceled' };

export type PaymentEvent =
  | { type: 'PaymentSucceeded'; succeededAt: Date }
  | { type: 'PaymentFailed'; final: boolean; message: string }
  | { type: 'PaymentRefunded'; refundCents: number }
  | ({ type: 'PaymentRefundedAtStripe' } & OutsideRefundNews)
  | ({ type: 'PaymentDisputed' } & DisputeNews);

interface OutsideRefundNews {
  refundId: string;
  refundCents: number;
  outcome: 'given' | 'failed';
}

interface DisputeNews {
  disputeId: string;
  disputeCents: number;
  state: DisputeState;
  reason: string;
  answerBy: string | null;
}

/** The payment afterwards, and what to publish; nothing when nothing changed. */
export interface Decision {
  payment: Payment;
  event: PaymentEvent | null;
}

/** Something that cannot happen if Stripe and we work correctly: a person must look at it. */
export class ImpossibleTransition extends Error {}

export class RefundTooLarge extends Error {}

type Status = PaymentState['status'];

const ends = { succeeded: 'change', canceled: 'change' } as const;
const older = { open: 'keep', declined: 'keep', authorized: 'keep' } as const;

/**
 * What an observation does in each state. `keep`: it says nothing new, or it is older than what is known
 * (two requests may read the intent in one order and write in the other). `impossible`: Stripe never
 * leaves `succeeded` or `canceled`.
 */
export const transitions: Record<
  Status,
  Record<Observation['kind'], 'keep' | 'change' | 'impossible'>
> = {
  pending: { open: 'keep', declined: 'change', ...ends, authorized: 'change' },
  failed: { open: 'keep', declined: 'change', ...ends, authorized: 'change' },
  authorized: { open: 'keep', declined: 'keep', ...ends, authorized: 'keep' },
  canceled: { ...older, succeeded: 'impossible', canceled: 'keep' },
  succeeded: { ...older, succeeded: 'keep', canceled: 'impossible' },
  refunded: { ...older, succeeded: 'keep', canceled: 'impossible' },
};

/** Applies what Stripe reports. Only entering `succeeded` makes a PaymentSucceeded: hence once. */
export const observe = (payment: Payment, seen: Observation, now: Date): Decision => {
  const { state } = payment;
  const effect = transitions[state.status][seen.kind];
  if (effect === 'impossible') {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${state.status} → ${seen.kind}`);
  }
  if (effect === 'keep' || seen.kind === 'open') return { payment, event: null };
  if (seen.kind === 'declined') {
    const { failure } = seen;
    if (state.status === 'failed' && state.failure === failure) return { payment, event: null };
    const event: PaymentEvent = { type: 'PaymentFailed', final: false, message: failure };
    return { payment: moveTo(payment, { status: 'failed', failure }), event };
  }
  if (seen.kind === 'canceled') {
    const message = 'The payment was not made in time.';
    const event: PaymentEvent = { type: 'PaymentFailed', final: true, message };
    return { payment: moveTo(payment, { status: 'canceled' }), event };
  }
  if (seen.kind === 'authorized') {
    if (!payment.onRequest || seen.capturableCents !== payment.amountCents)
      throw new ImpossibleTransition(
        `Payment ${payment.id} of ${payment.amountCents} is authorized for ${seen.capturableCents}`,
      );
    return { payment: moveTo(payment, { status: 'authorized' }), event: null };
  }
  if (seen.receivedCents !== payment.amountCents || seen.currency !== 'usd') {
    throw new ImpossibleTransition(
      `Payment ${payment.id} of ${payment.amountCents} usd received ${seen.receivedCents} ${seen.currency}`,
    );
  }
  const refunds = { reservedCents: 0, refundedCents: 0, outsideCents: 0 };
  const disputes = { heldCents: 0, lostCents: 0, dispute: null };
  const sums = { ...refunds, ...disputes };
  return {
    payment: moveTo(payment, { status: 'succeeded', succeededAt: now, ...sums }),
    event: { type: 'PaymentSucceeded', succeededAt: now },
  };
};

/**
 * Promises a refund, before Stripe is asked: two refunds decided at once can't exceed the charge.
 * @throws RefundTooLarge when less is left; ImpossibleTransition when nothing was charged.
 */
export const reserveRefund = (payment: Payment, cents: number): Payment => {
  const { state } = payment;
  if (state.status !== 'succeeded' && state.status !== 'refunded') {
    throw new ImpossibleTransition(`Payment ${payment.id} is ${state.status}: nothing to refund`);
  }
  const reservedCents = state.reservedCents + cents;
  if (!Number.isInteger(cents) || cents < 1 || reservedCents > payment.amountCents) {
    throw new RefundTooLarge(
      `Payment ${payment.id}: ${cents} cents back, ${payment.amountCents - state.reservedCents} left`,
    );
  }
  return moveTo(payment, { ...state, reservedCents });
};

/** Stripe has refunded what was promised. The last cent makes the payment `refunded`. */
export const completeRefund = (payment: Payment, cents: number): Decision => {
  const { state } = payment;
  const promised = 'refundedCents' in state ? state.reservedCents - state.refundedCents : 0;
  if (state.status !== 'succeeded' || !(cents >= 1 && cents <= promised)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${cents} cents back were not promised`);
  }
  const refundedCents = state.refundedCents + cents;
  // A promise may be more than the dashboard left, until its excess is withdrawn. Stripe gives no more than was charged.
  if (refundedCents + state.outsideCents > payment.amountCents) {
    throw new ImpossibleTransition(
      `Payment ${payment.id} of ${payment.amountCents}: ${refundedCents} and ${state.outsideCents} cents back`,
    );
  }
  return {
    payment: moveTo(payment, withStatus(payment, { ...state, refundedCents })),
    event: { type: 'PaymentRefunded', refundCents: cents },
  };
};

/** The bank has returned the refund: it is owed again. */
export const revokeRefund = (payment: Payment, cents: number): Payment => {
  const { state } = payment;
  if (!('refundedCents' in state) || !(cents >= 1 && cents <= state.refundedCents)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${cents} cents were not given back`);
  }
  const refundedCents = state.refundedCents - cents;
  return moveTo(payment, { ...state, status: 'succeeded', refundedCents });
};

/** What was promised was refunded another way: it is no longer promised. */
export const withdrawRefund = (payment: Payment, cents: number): Payment => {
  const { state } = payment;
  const promised = 'refundedCents' in state ? state.reservedCents - state.refundedCents : 0;
  if (!('refundedCents' in state) || !(cents >= 1 && cents <= promised)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${cents} cents were not promised`);
  }
  return moveTo(payment, { ...state, reservedCents: state.reservedCents - cents });
};

/** Cents that are promised though they went back in the dashboard, or are lost to a dispute. */
export const excessOf = ({ amountCents, state }: Payment): number => {
  if (!('refundedCents' in state)) return 0;
  const { reservedCents, refundedCents, outsideCents, lostCents } = state;
  const excess = reservedCents + outsideCents + lostCents - amountCents;
  return Math.max(0, Math.min(excess, reservedCents - refundedCents));
};

/** Cents that are available and not promised. What a bank holds counts as available: it comes back, or is lost. */
export const roomOf = ({ amountCents, state }: Payment): number => {
  if (!('refundedCents' in state)) return 0;
  const { reservedCents, outsideCents, lostCents } = state;
  return Math.max(0, amountCents - reservedCents - outsideCents - lostCents);
};

/** Stripe gave money back that nobody here promised, or, with less than 0 cents, did not after all. */
export const countOutside = (
  payment: Payment,
  cents: number,
  news: OutsideRefundNews,
): Decision => {
  const { state } = payment;
  if (!('refundedCents' in state)) {
    throw new ImpossibleTransition(`Payment ${payment.id} is ${state.status}, and was refunded`);
  }
  const outsideCents = state.outsideCents + cents;
  if (outsideCents < 0 || state.refundedCents + outsideCents > payment.amountCents) {
    throw new ImpossibleTransition(
      `Payment ${payment.id} of ${payment.amountCents}: ${state.refundedCents} and ${outsideCents} cents back`,
    );
  }
  return {
    payment: moveTo(payment, withStatus(payment, { ...state, outsideCents })),
    event: { type: 'PaymentRefundedAtStripe', ...news },
  };
};

/** A dispute of the payment was opened, or has moved on. */
export const changeDisputes = (
  payment: Payment,
  sums: DisputeSums,
  news: DisputeNews,
): Decision => {
  const { state } = payment;
  if (!('refundedCents' in state)) {
    throw new ImpossibleTransition(`Payment ${payment.id} is ${state.status}, and disputed`);
  }
  return {
    payment: moveTo(payment, { ...state, ...sums }),
    event: { type: 'PaymentDisputed', ...news },
  };
};

type ChargedState = Extract<PaymentState, { refundedCents: number }>;

/** The last cent given back, by whomever, makes the payment `refunded`. */
const withStatus = ({ amountCents }: Payment, state: ChargedState): ChargedState => {
  const isAllBack = state.refundedCents + state.outsideCents === amountCents;
  return { ...state, status: isAllBack ? 'refunded' : 'succeeded' };
};

const moveTo = (payment: Payment, state: PaymentState): Payment => {
  return { ...payment, version: payment.version + 1, state };
};
