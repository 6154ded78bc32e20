import { z } from 'zod';
import { id } from '../api/common.ts';
import { problemKind, problemReporter } from '../api/problems.ts';
import { cancellationPolicy } from '../api/terms.ts';
import { disputeState } from './payments.ts';

const parties = { bookingId: id, toolId: id, toolName: z.string(), ownerId: id, renterId: id };
const instant = z.iso.datetime();
/** When a booking has which of its tool's units, by their numbers; a replica of the version before does not say. */
const taken = {
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  units: z.array(z.number().int()).optional(),
};
const line = { bookingId: id, toolId: id, quantity: z.number().int() };
/** What goes back of each of a booking's payments. */
const refunds = z.array(z.object({ paymentId: id, refundCents: z.number().int().positive() }));

/** A line's `bookingId` is that of the booking it becomes once it is paid. */
export const bookingHeld = z.object({
  holdId: id,
  userId: id,
  amountCents: z.number().int(),
  expiresAt: instant,
  lines: z.array(z.object({ ...line, ...taken })),
});

/** Paid: the hold's draft is now a booking. */
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
  /** As the owner and the renter read them, in the tool's zone: `2026-05-31`, `7.00 AM`. */
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
  timeZone: z.string(),
  /** A replica of the version before does not say. */
  cancellationPolicy: cancellationPolicy.nullable().optional(),
});

/** The card is authorized, not charged: the owner accepts or declines. `paidCents` is what it would be charged. */
export const bookingRequested = bookingCreated.extend({ answerBy: instant });

/** The owner accepted a request, or a change of a booking: the card of the hold is to be charged. */
export const bookingAccepted = z.object({ ...parties, bookingCode: z.string(), holdId: id });

/** A request that became no booking; nothing was charged. `failed`: the card could not be. */
export const bookingRequestEnded = z.object({
  ...parties,
  bookingCode: z.string(),
  outcome: z.enum(['declined', 'withdrawn', 'lapsed', 'failed']),
  /** What the owner wrote. */
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
 * The owner is asked whether the renter may have other dates, or another quantity: those of `BookingCreated`'s fields. The
 * card is authorized for `dueCents`, not charged; `before` is what the booking is, and stays until the owner accepts.
 */
export const bookingChangeRequested = bookingRequested.extend({
  changeId: id,
  before: rentalBefore,
  dueCents: z.number().int(),
  /** What would go back of a lower price, and what would stay with the owner. */
  refundCents: z.number().int(),
  keptCents: z.number().int(),
});

/** The booking stays as it was; nothing was charged. */
export const bookingChangeRequestEnded = bookingRequestEnded.extend({
  changeId: id,
  /** What was to be charged; not said by the release before. */
  dueCents: z.number().int().optional(),
});

/** A request, or a change of a booking, that its owner has not answered yet lapses soon. */
export const bookingAnswerDue = z.object({
  ...parties,
  bookingCode: z.string(),
  /** Null for a request. */
  changeId: id.nullable(),
  answerBy: instant,
  timeZone: z.string(),
});

export const bookingReturned = z.object({ ...parties, quantity: z.number().int() });

/** Its return was confirmed by mistake: it is rented out as before. The later version of the two counts. */
export const bookingReturnUndone = bookingReturned;

/**
 * Published once for each booking that was not cancelled: 48 hours (`COMPLETE_AFTER_HOURS`) after its confirmed return or,
 * without one, after its end; later where a problem had to be settled first.
 */
export const bookingCompleted = z.object({
  ...parties,
  bookingCode: z.string(),
  quantity: z.number().int(),
  endsAt: instant,
  /** Null where the owner has not confirmed the return. */
  returnedAt: instant.nullable(),
});

const problem = { ...parties, bookingCode: z.string(), problemId: id, kind: problemKind };
/** A problem keeps the booking from being completed until an admin settles it. */
export const bookingProblemReported = z.object({
  ...problem,
  by: problemReporter,
  text: z.string(),
});

/** `note` is for both parties. */
export const bookingProblemSettled = z.object({
  ...problem,
  by: problemReporter,
  adminId: id,
  note: z.string(),
});

/** The hold ended unpaid and its dates are free again. If it is paid late, its lines may still be booked. */
export const bookingExpired = z.object({
  holdId: id,
  userId: id,
  lines: z.array(z.object(line)).optional(),
});

/**
 * A succeeded payment, or what is left of one, that has no booking: it is refunded. `slot-lost`: the hold had ended, and
 * its dates are taken or over, its tool is deleted or its owner disabled. `unassigned`: it was not used for a booking in time.
 * `unsettled`: booking it kept failing.
 */
export const bookingRejected = z.object({
  paymentId: id,
  userId: id,
  holdId: id.nullable(),
  refundCents: z.number().int().positive(),
  reason: z.enum(['slot-lost', 'unassigned', 'unsettled']),
  toolNames: z.array(z.string()),
});

/** `refunds` names each payment for the booking and how much of it is refunded. */
export const bookingCancelled = z.object({
  ...parties,
  bookingCode: z.string(),
  quantity: z.number().int(),
  cancelledBy: z.enum(['renter', 'owner', 'admin']),
  reason: z.string(),
  /** Of the rental that does not take place; a replica of the version before does not say. */
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  refunds,
  /** What is left with the owner, by the booking's policy; a replica of the version before refunds everything. */
  keptCents: z.number().int().optional(),
  /** How often it was changed; a replica of the version before does not say. */
  changes: z.number().int().optional(),
});

/**
 * Its renter has other dates, or another quantity, from now on: those of `BookingCreated`'s fields, and `before`. What it costs
 * more is paid (`dueCents`); of what it costs less `refunds` go back, and `keptCents` stay with the owner.
 */
export const bookingChanged = bookingCreated.extend({
  changeId: id,
  before: rentalBefore,
  /** The owner was asked, and accepted; absent where nobody was asked. */
  accepted: z.boolean().optional(),
  dueCents: z.number().int(),
  refunds,
  keptCents: z.number().int(),
  /** How often it was changed, this one included: its calendar file counts on. */
  changes: z.number().int(),
  /** The largest share that a cancellation may still refund. */
  mostPercent: z.number().int(),
});

/** An admin refunds part or all of what was paid; the booking stays as it is. */
export const bookingRefundGranted = z.object({
  ...parties,
  bookingCode: z.string(),
  grantId: id,
  adminId: id,
  reason: z.string(),
  refunds,
});

/**
 * Something happened to a payment that admins must know of: at Stripe itself, or it could not be settled. These bookings were paid with it, none
 * where it was not allocated. The version is the payment's.
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
      /** Until when Stripe accepts evidence; null where there is none to submit. Replicas of the previous version omit it. */
      answerBy: instant.nullish(),
    }),
    /** Booking it kept failing, so all of it is refunded. */
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
      /** A lost dispute has cancelled it. Replicas of the previous version omit it. */
      isCancelled: z.boolean().optional(),
    }),
  ),
});

/**
 * It is time to remind somebody of a booking: both of the pick-up and of the return's end, the renter of the day of the
 * return. `tool-late`: both are told that the tool is not back from the renter before. After `usefulUntil` nobody is told
 * any more.
 */
export const bookingReminderDue = z.object({
  ...parties,
  bookingCode: z.string(),
  kind: z.enum(['pick-up', 'return-day', 'return-due', 'tool-late']),
  usefulUntil: instant,
  /** As in `BookingCreated`. */
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
});

/**
 * Bookings has taken in what changed of a tool: its calendar may be another. `taken` is said to those who know of its
 * bookings, but not yet when they are: all of them, in one or several events. Without `bookedAt` it is held.
 */
export const availabilityChanged = z.object({
  toolId: id,
  taken: z
    .array(z.object({ ...line, ...z.object(taken).required().shape, bookedAt: instant.optional() }))
    .optional(),
});

/** The tool's sums are as of the event's version (of the tool's reviews). */
const ratedTool = z.object({
  ...parties,
  toolRatingCount: z.number().int(),
  toolRatingSum: z.number().int(),
});

/** New or changed. */
export const reviewAdded = ratedTool.extend({
  reviewId: id,
  rating: z.number().int(),
  comment: z.string(),
  changed: z.boolean(),
});

/** Its booking was cancelled. */
export const reviewWithdrawn = ratedTool;

/** A secret address now shows a person's bookings to anyone who has it. */
export const calendarFeedCreated = z.object({ userId: id });
