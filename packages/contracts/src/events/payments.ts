import { z } from 'zod';
import { id } from '../api/common.ts';

const payment = {
  paymentId: id,
  userId: id,
  /** Null for a client that knows only the documented calls: bookings allocates it later. */
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

/** `final`: the intent is cancelled at Stripe and can never succeed, so the hold may end. */
export const paymentFailed = z.object({ ...payment, final: z.boolean(), message: z.string() });

export const paymentRefunded = z.object({
  ...payment,
  refundId: z.string(),
  refundCents: z.number().int().positive(),
  reason: z.enum(['slot-lost', 'unassigned', 'unsettled', 'cancelled', 'changed', 'admin']),
  bookingId: id.nullable(),
  toolNames: z.array(z.string()),
});

/** `inquiry`: the bank only asks. `open`: it holds the money. `won`: it returned it, or took none. */
export const disputeState = z.enum(['inquiry', 'open', 'won', 'lost']);

/** What can no longer be refunded, as of a version of the payment: the event's, or one that comes with it. */
export const goneElsewhere = {
  /** Refunded in Stripe's dashboard. */
  outsideCents: z.number().int().nonnegative(),
  /** Held by a bank, or lost to it. */
  disputedCents: z.number().int().nonnegative(),
  /** Of `disputedCents`, what a bank holds until it has decided. Replicas of the previous version omit it. */
  heldCents: z.number().int().nonnegative().optional(),
  /** Of the payment's disputes, the one that matters most. */
  dispute: disputeState.nullable(),
};

/** Refunded in Stripe's dashboard, not by us; `failed`: the card's bank did not take that refund. */
export const paymentRefundedAtStripe = z.object({
  ...payment,
  ...goneElsewhere,
  refundId: z.string(),
  refundCents: z.number().int().positive(),
  outcome: z.enum(['given', 'failed']),
});

/** A cardholder disputes the payment with their bank; published at each new state. `reason` is Stripe's word. */
export const paymentDisputed = z.object({
  ...payment,
  ...goneElsewhere,
  disputeId: z.string(),
  disputeCents: z.number().int().positive(),
  state: disputeState,
  reason: z.string(),
  /** Until when Stripe accepts evidence; null where there is none to submit. Replicas of the previous version omit it. */
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

/** The card's issuer suspects fraud: a refund now avoids a dispute later. `fraudType` is Stripe's word. */
export const fraudWarningReceived = z.object({
  ...payment,
  warningId: z.string(),
  amountCents: z.number().int().positive(),
  fraudType: z.string(),
});
