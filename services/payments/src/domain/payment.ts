import type { DisputeState, DisputeSums } from './dispute.ts';

export type PaymentState =
  | { status: 'pending' }
  /** The last card was declined; the renter may try another card. */
  | { status: 'failed'; failure: string }
  | { status: 'authorized' }
  | { status: 'canceled' }
  | ({ status: 'succeeded' | 'refunded'; succeededAt: Date } & RefundSums & DisputeSums);

interface RefundSums {
  /** Cents of reserved refunds: those that the bookings service ordered, whether sent or not. */
  reservedCents: number;
  /** Cents of reserved refunds that Stripe has completed. */
  refundedCents: number;
  /** Cents refunded without us, such as in Stripe's dashboard. */
  outsideCents: number;
}

export interface Payment {
  id: string;
  userId: string;
  holdId: string | null;
  /** Whether the card is only authorized at first, until the owner accepts. */
  onRequest: boolean;
  amountCents: number;
  version: number;
  state: PaymentState;
}

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
  | ({ type: 'PaymentRefundedAtStripe' } & OutsideRefundChange)
  | ({ type: 'PaymentDisputed' } & DisputeChange);

interface OutsideRefundChange {
  refundId: string;
  refundCents: number;
  outcome: 'refunded' | 'failed';
}

interface DisputeChange {
  disputeId: string;
  disputeCents: number;
  state: DisputeState;
  reason: string;
  answerBy: string | null;
}

export interface Decision {
  payment: Payment;
  event: PaymentEvent | null;
}

/** Cannot happen if Stripe and this service work correctly, so a person must investigate. */
export class ImpossibleTransition extends Error {}

export class RefundTooLarge extends Error {}

type Status = PaymentState['status'];

const ends = { succeeded: 'change', canceled: 'change' } as const;
const older = { open: 'keep', declined: 'keep', authorized: 'keep' } as const;

/**
 * `keep`: the observation is not new, or is older than the state, because a concurrent request stored a newer one first.
 * `impossible`: at Stripe, an intent never leaves `succeeded` or `canceled`.
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

/** Applies what was observed at Stripe. PaymentSucceeded is published once, by the only transition to `succeeded`. */
export const observe = (payment: Payment, observed: Observation, now: Date): Decision => {
  const { state } = payment;
  const effect = transitions[state.status][observed.kind];
  if (effect === 'impossible') {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${state.status} → ${observed.kind}`);
  }
  if (effect === 'keep' || observed.kind === 'open') return { payment, event: null };
  if (observed.kind === 'declined') {
    const { failure } = observed;
    if (state.status === 'failed' && state.failure === failure) return { payment, event: null };
    const event: PaymentEvent = { type: 'PaymentFailed', final: false, message: failure };
    return { payment: moveTo(payment, { status: 'failed', failure }), event };
  }
  if (observed.kind === 'canceled') {
    const message = 'The payment was not made in time.';
    const event: PaymentEvent = { type: 'PaymentFailed', final: true, message };
    return { payment: moveTo(payment, { status: 'canceled' }), event };
  }
  if (observed.kind === 'authorized') {
    if (!payment.onRequest || observed.capturableCents !== payment.amountCents)
      throw new ImpossibleTransition(
        `Payment ${payment.id} of ${payment.amountCents} is authorized for ${observed.capturableCents}`,
      );
    return { payment: moveTo(payment, { status: 'authorized' }), event: null };
  }
  if (!isWhole(payment, observed) && uncapturedCents(payment, observed) === 0) {
    throw new ImpossibleTransition(
      `Payment ${payment.id} of ${payment.amountCents} usd received ${observed.receivedCents} ${observed.currency}`,
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

type Charge = Extract<Observation, { kind: 'succeeded' }>;

const isWhole = ({ amountCents }: Payment, { receivedCents, currency }: Charge): boolean =>
  receivedCents === amountCents && currency === 'usd';

/** Cents of an authorization that Stripe released, because an operator captured only a part of it in the dashboard. */
export const uncapturedCents = (payment: Payment, { receivedCents, currency }: Charge): number => {
  const isPart = receivedCents > 0 && receivedCents < payment.amountCents;
  return payment.onRequest && isPart && currency === 'usd'
    ? payment.amountCents - receivedCents
    : 0;
};

/**
 * Reserves a refund's cents before it is sent, so that concurrent refunds can't exceed the charge.
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

export const completeRefund = (payment: Payment, cents: number): Decision => {
  const { state } = payment;
  const reserved = 'refundedCents' in state ? state.reservedCents - state.refundedCents : 0;
  if (state.status !== 'succeeded' || !(cents >= 1 && cents <= reserved)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: refund of ${cents} cents not reserved`);
  }
  const refundedCents = state.refundedCents + cents;
  // Check here too: after a dashboard refund, reserved refunds may exceed the charge until the ledger withdraws the excess.
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

/** Counts a completed refund as owed again, because the bank returned the money. */
export const revokeRefund = (payment: Payment, cents: number): Payment => {
  const { state } = payment;
  if (!('refundedCents' in state) || !(cents >= 1 && cents <= state.refundedCents)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${cents} cents were not refunded`);
  }
  const refundedCents = state.refundedCents - cents;
  return moveTo(payment, { ...state, status: 'succeeded', refundedCents });
};

/** Withdraws cents from the reserved refunds, because the payer got them in another way. */
export const withdrawRefund = (payment: Payment, cents: number): Payment => {
  const { state } = payment;
  const reserved = 'refundedCents' in state ? state.reservedCents - state.refundedCents : 0;
  if (!('refundedCents' in state) || !(cents >= 1 && cents <= reserved)) {
    throw new ImpossibleTransition(`Payment ${payment.id}: ${cents} cents were not reserved`);
  }
  return moveTo(payment, { ...state, reservedCents: state.reservedCents - cents });
};

/** @param cents negative if a counted refund failed after all */
export const applyOutsideRefund = (
  payment: Payment,
  cents: number,
  change: OutsideRefundChange,
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
    event: { type: 'PaymentRefundedAtStripe', ...change },
  };
};

export const applyDisputes = (
  payment: Payment,
  sums: DisputeSums,
  change: DisputeChange,
): Decision => {
  const { state } = payment;
  if (!('refundedCents' in state)) {
    throw new ImpossibleTransition(`Payment ${payment.id} is ${state.status}, and disputed`);
  }
  return {
    payment: moveTo(payment, { ...state, ...sums }),
    event: { type: 'PaymentDisputed', ...change },
  };
};

type ChargedState = Extract<PaymentState, { refundedCents: number }>;

const withStatus = ({ amountCents }: Payment, state: ChargedState): ChargedState => {
  const isAllBack = state.refundedCents + state.outsideCents === amountCents;
  return { ...state, status: isAllBack ? 'refunded' : 'succeeded' };
};

const moveTo = (payment: Payment, state: PaymentState): Payment => {
  return { ...payment, version: payment.version + 1, state };
};
