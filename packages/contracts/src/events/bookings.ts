import { z } from 'zod';
import { id } from '../api/common.ts';
import { disputeState } from './payments.ts';

const parties = { bookingId: id, toolId: id, toolName: z.string(), ownerId: id, renterId: id };
const instant = z.iso.datetime();
const lines = z.array(z.object({ bookingId: id, toolId: id, quantity: z.number().int() }));

/** A line's `bookingId` is that of the booking it becomes once it is paid. */
export const bookingHeld = z.object({
  holdId: id,
  userId: id,
  amountCents: z.number().int(),
  expiresAt: instant,
  lines,
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
  /** As the owner and the renter read them, in the tool's zone: `2026-05-31`, `7.00 AM`. */
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
  timeZone: z.string(),
});

export const bookingReturned = z.object({ ...parties, quantity: z.number().int() });

/** Its return was confirmed by mistake: it is rented out as before. The later version of the two counts. */
export const bookingReturnUndone = bookingReturned;

/** The hold ended unpaid and its dates are free again. If it is paid late, its lines may still be booked. */
export const bookingExpired = z.object({ holdId: id, userId: id, lines: lines.optional() });

/**
 * A succeeded payment, or what is left of one, that has no booking: it is refunded. `slot-lost`: the hold had ended
 * and somebody else has the dates. `unassigned`: it was not used for a booking in time.
 */
export const bookingRejected = z.object({
  paymentId: id,
  userId: id,
  holdId: id.nullable(),
  refundCents: z.number().int().positive(),
  reason: z.enum(['slot-lost', 'unassigned']),
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
  refunds: z.array(z.object({ paymentId: id, refundCents: z.number().int().positive() })),
});

/** An admin refunds part or all of what was paid; the booking stays as it is. */
export const bookingRefundGranted = z.object({
  ...parties,
  bookingCode: z.string(),
  grantId: id,
  adminId: id,
  reason: z.string(),
  refunds: z.array(z.object({ paymentId: id, refundCents: z.number().int().positive() })),
});

/**
 * Something happened to a payment at Stripe itself, and these bookings were paid with it: none where it was not allocated.
 * The version is the payment's.
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
    }),
  ]),
  bookings: z.array(
    z.object({
      bookingId: id,
      bookingCode: z.string(),
      toolId: id,
      toolName: z.string(),
      ownerId: id,
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

/** Bookings has taken in what changed of a tool: its calendar may be another. */
export const availabilityChanged = z.object({ toolId: id });

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
