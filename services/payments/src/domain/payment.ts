import type { DisputeState, DisputeSums } from './dispute.ts';

export type PaymentState =
  | { status: 'pending' }
  /** The last card was declined; another may be tried. */
  | { status: 'failed'; failure: string }
  /** The card is authorized; it is charged once the owner accepts. */
  | { status: 'authorized' }
  | { status: 'canceled' }
  | ({ status: 'succeeded' | 'refunded'; succeededAt: Date } & RefundSums & DisputeSums);

interface RefundSums {
  /** Cents of all promised refunds. A promised refund is owed and reserved on the payment, whether it is sent yet or not. */
  reservedCents: number;
  /** Cents of promised refunds that Stripe has completed. */
  refundedCents: number;
  /** Cents refunded without us, such as in Stripe's dashboard. */
  outsideCents: number;
}

export interface Payment {
  id: string;
  userId: string;
  holdId: string | null;
  /** The card is only authorized at first. */
  onRequest: boolean;
  amountCents: number;
  version: number;
  state: PaymentState;
}

/** The status of an intent as just read from Stripe. */
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

/** The payment afterwards and the event to publish; no event if nothing changed. */
export interface Decision {
  payment: Payment;
  event: PaymentEvent | null;
}

/** Cannot happen if Stripe and we work correctly: a person must look at it. */
export class ImpossibleTransition extends Error {}

export class RefundTooLarge extends Error {}

type Status = PaymentState['status'];

const ends = { succeeded: 'change', canceled: 'change' } as const;
const older = { open: 'keep', declined: 'keep', authorized: 'keep' } as const;

/**
 * The effect of an observation in each state. `keep`: it is not new, or older than the state (two requests may read the intent in
 * one order and write in the other). `impossible`: at Stripe, an intent never leaves `succeeded` or `canceled`.
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

/** Applies an observation. Only the transition to `succeeded` publishes PaymentSucceeded, so it is published once. */
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
 * Reserves the cents of a refund before it is sent, so that concurrent refunds can't exceed the charge.
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
      `Payment ${payment.id}: refund of ${cents} cents, ${payment.amountCents - state.reservedCents} left`,
    );
  }
  return moveTo(payment, { ...state, reservedCents });
};

/** Applies a completed refund. The last cent makes the payment `refunded`. */
export const completeRefund = (payment: Payment, cents: number): Decision => {
  const { state } = payment;
  const promised = 'refundedCents' in state ? state.reservedCents - state.refundedCents : 0;
  if (state.status !== 'succeeded' || !(cents >= 1 && cents <= promised)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: refund of ${cents} cents not promised`);
  }
  const refundedCents = state.refundedCents + cents;
  // Only completed refunds are checked here. Promised ones may exceed the charge after a refund in the dashboard, until
  // the excess is withdrawn.
  if (refundedCents + state.outsideCents > payment.amountCents) {
    throw new ImpossibleTransition(
      `Payment ${payment.id} of ${payment.amountCents}: ${refundedCents} cents refunded by us, ${state.outsideCents} outside`,
    );
  }
  return {
    payment: moveTo(payment, withStatus(payment, { ...state, refundedCents })),
    event: { type: 'PaymentRefunded', refundCents: cents },
  };
};

/** The bank returned the refund, so it is owed again. */
export const revokeRefund = (payment: Payment, cents: number): Payment => {
  const { state } = payment;
  if (!('refundedCents' in state) || !(cents >= 1 && cents <= state.refundedCents)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${cents} cents were not refunded`);
  }
  const refundedCents = state.refundedCents - cents;
  return moveTo(payment, { ...state, status: 'succeeded', refundedCents });
};

/** Withdraws cents from the promised refunds, because they were returned another way. */
export const withdrawRefund = (payment: Payment, cents: number): Payment => {
  const { state } = payment;
  const promised = 'refundedCents' in state ? state.reservedCents - state.refundedCents : 0;
  if (!('refundedCents' in state) || !(cents >= 1 && cents <= promised)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${cents} cents were not promised`);
  }
  return moveTo(payment, { ...state, reservedCents: state.reservedCents - cents });
};

/** Promised cents that are no longer available: refunded in the dashboard, or lost to a dispute. */
export const excessOf = ({ amountCents, state }: Payment): number => {
  if (!('refundedCents' in state)) return 0;
  const { reservedCents, refundedCents, outsideCents, lostCents } = state;
  const excess = reservedCents + outsideCents + lostCents - amountCents;
  return Math.max(0, Math.min(excess, reservedCents - refundedCents));
};

/** Available cents that are not promised. Cents that a bank holds count as available until a dispute is lost. */
export const roomOf = ({ amountCents, state }: Payment): number => {
  if (!('refundedCents' in state)) return 0;
  const { reservedCents, outsideCents, lostCents } = state;
  return Math.max(0, amountCents - reservedCents - outsideCents - lostCents);
};

/** Applies a refund that was made without us; negative cents if it failed after all. */
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
      `Payment ${payment.id} of ${payment.amountCents}: ${state.refundedCents} cents refunded by us, ${outsideCents} outside`,
    );
  }
  return {
    payment: moveTo(payment, withStatus(payment, { ...state, outsideCents })),
    event: { type: 'PaymentRefundedAtStripe', ...news },
  };
};

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

/** The last refunded cent makes the payment `refunded`, whether we or an outside refund returned it. */
const withStatus = ({ amountCents }: Payment, state: ChargedState): ChargedState => {
  const isAllBack = state.refundedCents + state.outsideCents === amountCents;
  return { ...state, status: isAllBack ? 'refunded' : 'succeeded' };
};

const moveTo = (payment: Payment, state: PaymentState): Payment => {
  return { ...payment, version: payment.version + 1, state };
};
