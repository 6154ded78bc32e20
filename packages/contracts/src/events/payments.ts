import { z } from 'zod';
import { id } from '../api/common.ts';

const payment = {
  paymentId: id,
  userId: id,
  /** Null for a client that uses only the documented calls; the bookings service later uses such a payment for bookings. */
  holdId: id.nullable(),
};

export const paymentSucceeded = z.object({
  ...payment,
  amountCents: z.number().int().positive(),
  currency: z.literal('usd'),
  paymentIntentId: z.string(),
  succeededAt: z.iso.datetime(),
});
export type PaymentSucceeded = z.infer<typeof paymentSucceeded>;

/** `final`: the intent is cancelled at Stripe and can never succeed, so its hold may be released. */
export const paymentFailed = z.object({ ...payment, final: z.boolean(), message: z.string() });

export const paymentRefunded = z.object({
  ...payment,
  refundId: z.string(),
  refundCents: z.number().int().positive(),
  reason: z.enum(['slot-lost', 'unassigned', 'unsettled', 'cancelled', 'changed', 'admin']),
  bookingId: id.nullable(),
  toolNames: z.array(z.string()),
});

/**
 * `inquiry`: the bank only asks for information. `open`: the bank holds the money. `won`: the bank returned the money,
 * or never took it.
 */
export const disputeState = z.enum(['inquiry', 'open', 'won', 'lost']);

/** Parts of a payment that can no longer be refunded, as of a version of the payment. */
export const goneElsewhere = {
  /** Cents that were refunded in Stripe's dashboard. */
  outsideCents: z.number().int().nonnegative(),
  /** Cents that a bank holds in a dispute or has taken after a lost one. */
  disputedCents: z.number().int().nonnegative(),
  /** The part of `disputedCents` that a bank holds until it decides. */
  heldCents: z.number().int().nonnegative(),
  /** The most important state of the payment's disputes. */
  dispute: disputeState.nullable(),
};

/** What is gone of a booking's share of a payment, by the ledger. */
export const goneFromShare = z.object({
  bookingId: id,
  /** Cents that were refunded in Stripe's dashboard, or that the payment never had for it. */
  outsideCents: z.number().int().nonnegative(),
  /** Cents that a bank has taken after a lost dispute. */
  lostCents: z.number().int().nonnegative(),
  /** Cents that a bank would take if it decided for the cardholder now. */
  heldCents: z.number().int().nonnegative(),
});
export type GoneFromShare = z.infer<typeof goneFromShare>;

/** Nothing is gone of the shares that are left out. Contains the change of the same version of the payment. */
export const paymentSharesChanged = z.object({ paymentId: id, shares: z.array(goneFromShare) });

/**
 * An admin of the Stripe account refunded the payment in Stripe's dashboard. `failed`: the card's bank rejected the
 * refund.
 */
export const paymentRefundedAtStripe = z.object({
  ...payment,
  ...goneElsewhere,
  refundId: z.string(),
  refundCents: z.number().int().positive(),
  outcome: z.enum(['refunded', 'failed']),
});

/** A cardholder disputes the payment at their bank. Published at each new state. `reason` is Stripe's code. */
export const paymentDisputed = z.object({
  ...payment,
  ...goneElsewhere,
  disputeId: z.string(),
  disputeCents: z.number().int().positive(),
  state: disputeState,
  reason: z.string(),
  /** Stripe's deadline for evidence; null if no evidence can be submitted. */
  answerBy: z.iso.datetime().nullable(),
});

/** Stripe's deadline for evidence in a dispute is near, and none has been submitted. */
export const disputeAnswerDue = z.object({
  ...payment,
  disputeId: z.string(),
  disputeCents: z.number().int().positive(),
  reason: z.string(),
  answerBy: z.iso.datetime(),
});

/** The card's issuer suspects fraud. Refunding now avoids a later dispute. `fraudType` is Stripe's code. */
export const fraudWarningReceived = z.object({
  ...payment,
  warningId: z.string(),
  amountCents: z.number().int().positive(),
  fraudType: z.string(),
});

/**
 * `not-started`: there is no account at Stripe, or it was deleted. `incomplete`: the account can't receive money yet, or
 * not any more. `ready`: it can.
 */
export const payoutState = z.enum(['not-started', 'incomplete', 'ready']);

/** Where an owner stands with Stripe. */
export const payoutStatus = {
  state: payoutState,
  /** The owner has submitted the form, and Stripe needs more. A `ready` account still works until `neededBy`. */
  needsInformation: z.boolean(),
  /** Stripe checks what the owner submitted, so the owner has to wait. */
  isInReview: z.boolean(),
  /** When a `ready` account stops to work without the information; null if Stripe has set no deadline. */
  neededBy: z.iso.datetime().nullable(),
};

/** An owner's account at Stripe has another status than `before`. */
export const payoutAccountChanged = z.object({
  ownerId: id,
  ...payoutStatus,
  before: z.object({ state: payoutState, needsInformation: z.boolean() }),
});

/** An owner who has earned something can't be paid yet: 1, 7 or 30 days after the first paid booking. */
export const payoutReminderDue = z.object({ ownerId: id, state: payoutState });

/** Stripe moved an owner's part of a booking to the owner's account there. Stripe pays it out to the owner's bank by itself. */
export const transferSent = z.object({
  /** Stripe's id. */
  transferId: z.string(),
  paymentId: id,
  bookingId: id,
  ownerId: id,
  amountCents: z.number().int().positive(),
});

/** Stripe's payout of an owner's account reached the bank or failed. A payout that was paid may still fail days later. */
export const payoutSettled = z.object({
  /** Stripe's id. */
  payoutId: z.string(),
  ownerId: id,
  amountCents: z.number().int().positive(),
  status: z.enum(['paid', 'failed']),
  /** When the bank has the money, by Stripe's estimate. */
  arrivesAt: z.iso.datetime(),
  /** Stripe's code, such as `account_closed`; null unless it failed. */
  failureCode: z.string().nullable(),
});

/** What an owner got for a booking was refunded or lost since. The owner owes it. */
export const debtIncurred = z.object({
  paymentId: id,
  bookingId: id,
  ownerId: id,
  debtCents: z.number().int().positive(),
  reason: z.enum(['refund', 'dispute', 'other']),
});

/** `reversal`: taken back from the owner's account at Stripe. `netting`: kept from what the owner earned with another booking. */
export const debtPaid = z.object({
  paymentId: id,
  bookingId: id,
  ownerId: id,
  paidCents: z.number().int().positive(),
  by: z.enum(['reversal', 'netting']),
});
