import { z } from 'zod';
import { id } from '../api/common.ts';
import { problemKind, problemReporter } from '../api/problems.ts';
import { cancellationPolicy } from '../api/terms.ts';
import { disputeState } from './payments.ts';

const parties = { bookingId: id, toolId: id, toolName: z.string(), ownerId: id, renterId: id };
const instant = z.iso.datetime();
/** Which units of its tool a booking has, by number, and when. Replicas of the previous version omit them. */
const taken = {
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  units: z.array(z.number().int()).optional(),
};
const line = { bookingId: id, toolId: id, quantity: z.number().int() };
/** Refund per payment of the booking. */
const refunds = z.array(z.object({ paymentId: id, refundCents: z.number().int().positive() }));

/** A line's `bookingId` becomes the id of the booking once the hold is paid. */
export const bookingHeld = z.object({
  holdId: id,
  userId: id,
  amountCents: z.number().int(),
  expiresAt: instant,
  lines: z.array(z.object({ ...line, ...taken })),
});

/** The hold was paid, so its draft is now a booking. */
export const bookingCreated = z.object({
  ...parties,
  bookingCode: z.string(),
  coverImage: z.string(),
  quantity: z.number().int(),
  rentalCircle: z.enum(['hourly', 'daily']),
  period: z.number().int(),
  priceCents: z.number().int(),
  paidCents: z.number().int(),
  startsAt: instant,
  endsAt: instant,
  units: taken.units,
  /** As shown to owner and renter, in the tool's time zone: `2026-05-31`, `7.00 AM`. */
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
  timeZone: z.string(),
  /** Replicas of the previous version omit it. */
  cancellationPolicy: cancellationPolicy.nullable().optional(),
});

/** The card is authorized, not charged, until the owner accepts or declines. `paidCents`: the amount to charge. */
export const bookingRequested = bookingCreated.extend({ answerBy: instant });

/** The owner accepted a request or a change, so payments captures the hold's card authorization. */
export const bookingAccepted = z.object({ ...parties, bookingCode: z.string(), holdId: id });

/** A request ended without a booking; nothing was charged. `failed`: the card could not be charged. */
export const bookingRequestEnded = z.object({
  ...parties,
  bookingCode: z.string(),
  outcome: z.enum(['declined', 'withdrawn', 'lapsed', 'failed']),
  note: z.string(),
});

const rentalBefore = z.object({
  quantity: z.number().int(),
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
  paidCents: z.number().int(),
});

/**
 * The renter requests other dates or another quantity (the fields of `BookingCreated`) and the owner has to accept.
 * The card is authorized for `dueCents`, not charged. `before` stays in force until then.
 */
export const bookingChangeRequested = bookingRequested.extend({
  changeId: id,
  before: rentalBefore,
  dueCents: z.number().int(),
  /** If the price drops: the refund, and what the owner keeps. */
  refundCents: z.number().int(),
  keptCents: z.number().int(),
});

/** The requested change did not happen: the booking is unchanged and nothing was charged. */
export const bookingChangeRequestEnded = bookingRequestEnded.extend({
  changeId: id,
  /** The amount that was authorized for the change. Replicas of the previous version omit it. */
  dueCents: z.number().int().optional(),
});

/** A request or a change that the owner has not answered will lapse soon. */
export const bookingAnswerDue = z.object({
  ...parties,
  bookingCode: z.string(),
  /** Null for a request. */
  changeId: id.nullable(),
  answerBy: instant,
  timeZone: z.string(),
});

export const bookingReturned = z.object({ ...parties, quantity: z.number().int() });

/**
 * The return was confirmed by mistake, so the tool is still
 * rented out. Of a return and its undo, the later version wins.
 */
export const bookingReturnUndone = bookingReturned;

/**
 * Published once per booking that was not cancelled: 48 hours (`COMPLETE_AFTER_HOURS`) after the confirmed return or,
 * without one, after the end of the rental; later if a problem had to be settled first.
 */
export const bookingCompleted = z.object({
  ...parties,
  bookingCode: z.string(),
  quantity: z.number().int(),
  endsAt: instant,
  /** Null if the owner has not confirmed the return. */
  returnedAt: instant.nullable(),
});

const problem = { ...parties, bookingCode: z.string(), problemId: id, kind: problemKind };
/** An open problem blocks completion until an admin settles it. */
export const bookingProblemReported = z.object({
  ...problem,
  by: problemReporter,
  text: z.string(),
});

/** `note` is shown to both parties. */
export const bookingProblemSettled = z.object({
  ...problem,
  by: problemReporter,
  adminId: id,
  note: z.string(),
});

/** The hold expired unpaid and its dates are free again. After a late payment its lines may still be booked. */
export const bookingExpired = z.object({
  holdId: id,
  userId: id,
  lines: z.array(z.object(line)).optional(),
});

/**
 * A succeeded payment, or its remainder, has no booking and is refunded. `slot-lost`: the hold had expired, and its
 * dates are taken or over, its tool is deleted or its owner disabled. `unassigned`: it was not used for a booking in
 * time. `unsettled`: creating the booking kept failing.
 */
export const bookingRejected = z.object({
  paymentId: id,
  userId: id,
  holdId: id.nullable(),
  refundCents: z.number().int().positive(),
  reason: z.enum(['slot-lost', 'unassigned', 'unsettled']),
  toolNames: z.array(z.string()),
});

/** `refunds`: each payment for the booking and the amount to refund. */
export const bookingCancelled = z.object({
  ...parties,
  bookingCode: z.string(),
  quantity: z.number().int(),
  cancelledBy: z.enum(['renter', 'owner', 'admin']),
  reason: z.string(),
  /** When the rental would have taken place. Replicas of the previous version omit them. */
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  refunds,
  /** What the owner keeps under the booking's policy. Replicas of the previous version omit it and refund everything. */
  keptCents: z.number().int().optional(),
  /** Number of changes so far. Replicas of the previous version omit it. */
  changes: z.number().int().optional(),
});

/**
 * The booking has new dates or a new quantity (the fields of `BookingCreated`); `before` has the old ones. If it
 * costs more, `dueCents` were paid; if less, `refunds` are refunded and the owner keeps `keptCents`.
 */
export const bookingChanged = bookingCreated.extend({
  changeId: id,
  before: rentalBefore,
  /** The owner accepted the change; absent if no answer was needed. */
  accepted: z.boolean().optional(),
  dueCents: z.number().int(),
  refunds,
  keptCents: z.number().int(),
  /** Number of changes, including this one; becomes the SEQUENCE of its calendar file. */
  changes: z.number().int(),
  /** Cap in percent on what a cancellation refunds from now on. */
  mostPercent: z.number().int(),
});

/** An admin refunds part or all of the payment; the booking is unchanged. */
export const bookingRefundGranted = z.object({
  ...parties,
  bookingCode: z.string(),
  grantId: id,
  adminId: id,
  reason: z.string(),
  refunds,
});

/**
 * A payment needs admins' attention: it changed at Stripe or could not be settled. `bookings` were paid with it;
 * empty if it was not allocated. The version is the payment's.
 */
export const bookingPaymentChanged = z.object({
  paymentId: id,
  renterId: id,
  change: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('refund'),
      cents: z.number().int().positive(),
      outcome: z.enum(['given', 'failed']),
    }),
    z.object({
      kind: z.literal('dispute'),
      cents: z.number().int().positive(),
      state: disputeState,
      reason: z.string(),
      /** Stripe's deadline for evidence; null if none can be submitted. Replicas of the previous version omit it. */
      answerBy: instant.nullish(),
    }),
    /** Creating the booking kept failing, so the whole payment is refunded. */
    z.object({
      kind: z.literal('unsettled'),
      cents: z.number().int().positive(),
      toolNames: z.array(z.string()),
    }),
  ]),
  bookings: z.array(
    z.object({
      bookingId: id,
      bookingCode: z.string(),
      toolId: id,
      toolName: z.string(),
      ownerId: id,
      /** Cancelled because the dispute was lost. Replicas of the previous version omit it. */
      isCancelled: z.boolean().optional(),
    }),
  ),
});

/**
 * A reminder is due: to both parties before the pick-up and the end of the return, to the renter on the day of the
 * return. `tool-late`: both parties learn that the previous renter has not returned the tool. No reminder is sent
 * after `usefulUntil`.
 */
export const bookingReminderDue = z.object({
  ...parties,
  bookingCode: z.string(),
  kind: z.enum(['pick-up', 'return-day', 'return-due', 'tool-late']),
  usefulUntil: instant,
  /** The same fields as in `BookingCreated`. */
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
});

/**
 * A tool's calendar may have changed, because bookings has stored a change of the tool. `taken` backfills consumers
 * that have its bookings without their times: all of them, in one or several events. Without `bookedAt` a line is
 * only held.
 */
export const availabilityChanged = z.object({
  toolId: id,
  taken: z
    .array(z.object({ ...line, ...z.object(taken).required().shape, bookedAt: instant.optional() }))
    .optional(),
});

/** The tool's sums are those at the event's version, which counts changes of the tool's reviews. */
const ratedTool = z.object({
  ...parties,
  toolRatingCount: z.number().int(),
  toolRatingSum: z.number().int(),
});

/** Added, or edited if `changed`. */
export const reviewAdded = ratedTool.extend({
  reviewId: id,
  rating: z.number().int(),
  comment: z.string(),
  changed: z.boolean(),
});

/** The review was withdrawn because its booking was cancelled. */
export const reviewWithdrawn = ratedTool;

/** A secret calendar address was created; anyone who has it can read the user's bookings. */
export const calendarFeedCreated = z.object({ userId: id });
