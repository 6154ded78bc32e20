import { z } from 'zod';
import { id } from '../api/common.ts';
import { problemKind, problemReporter } from '../api/problems.ts';
import { cancellationPolicy } from '../api/terms.ts';
import { disputeState } from './payments.ts';

const parties = { bookingId: id, toolId: id, toolName: z.string(), ownerId: id, renterId: id };
const instant = z.iso.datetime();
/** The time of a booking, and the numbers of the tool's units that it uses. */
const taken = {
  startsAt: instant,
  endsAt: instant,
  units: z.array(z.number().int()),
};
const line = { bookingId: id, toolId: id, quantity: z.number().int() };
/** All payments of the booking. Replicas before 1.1 list none. */
const payments = { paymentIds: z.array(id).optional() };
/**
 * The refund orders of the booking, per payment. `expectedCents`: what is refunded now, if that is less because the rest was
 * refunded in Stripe's dashboard or lost in a dispute.
 */
const refunds = z.array(
  z.object({
    paymentId: id,
    refundCents: z.number().int().positive(),
    expectedCents: z.number().int().nonnegative().optional(),
  }),
);

/**
 * What remains of the payments, and the operator's commission on it: the owner earns the difference. Absent without a
 * commission. Not for the renter.
 */
const earnings = z.object({ grossCents: z.number().int(), feeCents: z.number().int() }).optional();

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
  totalCents: z.number().int(),
  startsAt: instant,
  endsAt: instant,
  units: taken.units,
  /** Local dates and times of the tool, as shown to owner and renter: `2026-05-31`, `7.00 AM`. */
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
  timeZone: z.string(),
  /** Null if the tool has no policy: a cancellation is then fully refunded. */
  cancellationPolicy: cancellationPolicy.nullable(),
  /**
   * Payments whose receipts belong to this event. The payment of a cart is listed by its first booking only. Replicas before
   * 1.1 list none.
   */
  paymentIds: z.array(id).optional(),
  earnings,
});

const rentalBefore = z.object({
  quantity: z.number().int(),
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
  totalCents: z.number().int(),
});

/**
 * The owner has to accept or decline a booking or its change. The fields of `BookingCreated` describe the requested state.
 * The card is authorized, not charged: for `totalCents`, or for the `dueCents` of a change.
 */
export const approvalRequested = bookingCreated.omit({ units: true, paymentIds: true }).extend({
  approvalId: id,
  answerBy: instant,
  /** Null if the approval is for the booking itself. */
  change: z
    .object({
      changeId: id,
      /** The current dates, quantity and price, which stay in force until the change is made. */
      before: rentalBefore,
      dueCents: z.number().int(),
      /** If the price drops: the refund. `keptCents`: what the owner keeps. */
      refundCents: z.number().int(),
      keptCents: z.number().int(),
    })
    .nullable(),
});

/** The owner accepted, so the payments service captures the hold's card authorization. */
export const approvalAccepted = z.object({
  ...parties,
  bookingCode: z.string(),
  approvalId: id,
  holdId: id,
});

/** An approval ended without a booking or a change; nothing was charged. `failed`: the card could not be charged. */
export const approvalEnded = z.object({
  ...parties,
  bookingCode: z.string(),
  approvalId: id,
  outcome: z.enum(['declined', 'withdrawn', 'lapsed', 'failed']),
  note: z.string(),
  /** Null if the approval was for the booking itself. `dueCents` were authorized for the change. */
  change: z.object({ changeId: id, dueCents: z.number().int() }).nullable(),
});

/** An approval that the owner has not answered will lapse soon. */
export const approvalDue = z.object({
  ...parties,
  bookingCode: z.string(),
  approvalId: id,
  /** Null if the approval is for the booking itself. */
  changeId: id.nullable(),
  answerBy: instant,
  timeZone: z.string(),
});

export const bookingReturned = z.object({ ...parties, quantity: z.number().int() });

/**
 * The return was confirmed by mistake, so the tool is still rented out.
 * If a return and its undo arrive in the wrong order, the later version counts.
 */
export const bookingReturnUndone = bookingReturned;

/**
 * Published once per booking that was not cancelled: 48 hours after the confirmed return or,
 * without one, after the end of the rental; later if a problem had to be settled first.
 */
export const bookingCompleted = z.object({
  ...parties,
  ...payments,
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
  ...payments,
  by: problemReporter,
  adminId: id,
  note: z.string(),
});

/** The hold expired unpaid and its dates are free again. After a late payment its lines may still be booked. */
export const bookingExpired = z.object({
  holdId: id,
  userId: id,
  lines: z.array(z.object(line)),
});

/**
 * A succeeded payment, or a part of it, is refunded because no booking uses it. `slot-lost`: the hold had expired, and its dates
 * are taken or over, its tool is deleted or its owner disabled. `unassigned`: it was not used for a booking in time. `unsettled`:
 * creating the booking kept failing.
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
  ...payments,
  bookingCode: z.string(),
  quantity: z.number().int(),
  cancelledBy: z.enum(['renter', 'owner', 'admin']),
  reason: z.string(),
  /** The start of the rental that was cancelled. */
  startsAt: instant,
  endsAt: instant,
  refunds,
  /** What the owner keeps under the booking's policy. */
  keptCents: z.number().int(),
  earnings,
  /** Number of changes so far. */
  changes: z.number().int(),
});

/**
 * The booking has new dates or a new quantity (the fields of `BookingCreated`); `before` has the old ones. If it
 * costs more, `dueCents` were paid; if less, `refunds` are refunded and the owner keeps `keptCents`.
 */
export const bookingChanged = bookingCreated.extend({
  changeId: id,
  before: rentalBefore,
  /** True if the owner accepted the change; absent if no answer was needed. */
  accepted: z.boolean().optional(),
  dueCents: z.number().int(),
  refunds,
  keptCents: z.number().int(),
  /** Number of changes, including this one; becomes the SEQUENCE of the booking's calendar file. */
  changes: z.number().int(),
  /** The maximum percentage that a cancellation refunds from now on. */
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
 * A payment needs admins' attention: it changed at Stripe or could not be settled. `bookings` lists the bookings paid with it, if
 * there are any. The event's version is that of the payment.
 */
export const bookingPaymentChanged = z.object({
  paymentId: id,
  renterId: id,
  change: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('refund'),
      cents: z.number().int().positive(),
      outcome: z.enum(['refunded', 'failed']),
      /** Stripe's id of the refund. Replicas before 1.1 omit it. */
      refundId: z.string().optional(),
    }),
    z.object({
      kind: z.literal('dispute'),
      cents: z.number().int().positive(),
      state: disputeState,
      reason: z.string(),
      /** Stripe's deadline for evidence; null if none can be submitted. */
      answerBy: instant.nullable(),
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
      /** True if the booking was cancelled because the dispute was lost. */
      isCancelled: z.boolean(),
    }),
  ),
});

/**
 * `pick-up`: reminds both parties a day ahead. `return-day`: reminds the renter on the day of the return. `return-due`:
 * reminds both parties at the end of the rental. `tool-late`: warns both parties that the previous renter has not returned
 * the tool. No reminder is sent after `usefulUntil`.
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
 * A tool's calendar may have changed, for example because its owner has changed the tool. With `taken`, the event lists
 * the tool's booked and held dates again, for consumers that lost events; a long list is split over several events. A line
 * without `bookedAt` is only held.
 */
export const availabilityChanged = z.object({
  toolId: id,
  taken: z.array(z.object({ ...line, ...taken, bookedAt: instant.optional() })).optional(),
});

/** The sums of the tool's ratings as of the event's version. The version counts the changes of the tool's reviews. */
const ratedTool = z.object({
  ...parties,
  toolRatingCount: z.number().int(),
  toolRatingSum: z.number().int(),
});

/** A renter's review of a tool and its owner has appeared. `changed`: replicas of 1.0 publish each edit as well. */
export const reviewAdded = ratedTool.extend({
  reviewId: id,
  rating: z.number().int(),
  /** Empty between people of whom one has blocked the other. */
  comment: z.string(),
  changed: z.boolean(),
});

/** An owner's review of a renter has appeared. */
export const renterReviewAdded = z.object({
  ...parties,
  reviewId: id,
  care: z.number().int(),
  punctuality: z.number().int(),
  communication: z.number().int(),
  /** Empty between people of whom one has blocked the other. */
  comment: z.string(),
});

/** The time to review a booking ends soon, and these parties have not written. */
export const reviewDue = z.object({
  ...parties,
  bookingCode: z.string(),
  missing: z.array(z.enum(['owner', 'renter'])),
  /** When the time ends, and reviews that were written appear. */
  closesAt: instant,
  timeZone: z.string(),
});

/** The sums changed without a new review: its booking was cancelled, or LendTools hid it or shows it again. */
export const reviewWithdrawn = ratedTool;

/** A secret calendar address was created; anyone who has it can read the user's bookings. */
export const calendarFeedCreated = z.object({ userId: id });
