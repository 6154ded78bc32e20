import { z } from 'zod';
import { id } from '../api/common.ts';

const payment = {
  paymentId: id,
  userId: id,
  /** Null for a client that uses only the documented calls: bookings allocates the payment later. */
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

/** `final`: the intent is cancelled at Stripe and can never succeed, so the hold may be released. */
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
 * `inquiry`: the bank only requests information. `open`: it holds the money. `won`: it returned the money, or never
 * took it.
 */
export const disputeState = z.enum(['inquiry', 'open', 'won', 'lost']);

/** Money that can no longer be refunded, at a version of the payment: the event's own, or one sent along. */
export const goneElsewhere = {
  /** Refunded in Stripe's dashboard. */
  outsideCents: z.number().int().nonnegative(),
  /** Held by a bank, or lost in a dispute. */
  disputedCents: z.number().int().nonnegative(),
  /** The part of `disputedCents` that a bank holds until it decides. Replicas of the previous version omit it. */
  heldCents: z.number().int().nonnegative().optional(),
  /** The most important state among the payment's disputes. */
  dispute: disputeState.nullable(),
};

/** Refunded in Stripe's dashboard, not through this system. `failed`: the card's bank rejected the refund. */
export const paymentRefundedAtStripe = z.object({
  ...payment,
  ...goneElsewhere,
  refundId: z.string(),
  refundCents: z.number().int().positive(),
  outcome: z.enum(['given', 'failed']),
});

/** A cardholder disputes the payment with their bank; published at each new state. `reason` is Stripe's code. */
export const paymentDisputed = z.object({
  ...payment,
  ...goneElsewhere,
  disputeId: z.string(),
  disputeCents: z.number().int().positive(),
  state: disputeState,
  reason: z.string(),
  /** Stripe's deadline for evidence; null if none can be submitted. Replicas of the previous version omit it. */
  answerBy: z.iso.datetime().nullish(),
});

/** Stripe's deadline for evidence in a dispute is near, and none has been submitted. */
export const disputeAnswerDue = z.object({
  ...payment,
  disputeId: z.string(),
  disputeCents: z.number().int().positive(),
  reason: z.string(),
  answerBy: z.iso.datetime(),
});

/** The card's issuer suspects fraud; refunding now avoids a later dispute. `fraudType` is Stripe's code. */
export const fraudWarningReceived = z.object({
  ...payment,
  warningId: z.string(),
  amountCents: z.number().int().positive(),
  fraudType: z.string(),
});
