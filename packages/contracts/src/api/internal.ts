import { z } from 'zod';
import { bookingRejected } from '../events/bookings.ts';
import { goneElsewhere, goneFromShare, paymentSucceeded } from '../events/payments.ts';
import { fields, id, maxPageSize } from './common.ts';
import { commissionTerms } from './terms.ts';

/**
 * Lists changes since an instant, oldest first, so that a service can reconcile them with the events it consumed. The
 * cursor is the last item of the previous page: its instant in microseconds, and its key of up to three UUIDs.
 */
export const sinceQuery = z.object({
  since: z.iso.datetime(),
  cursor: z
    .string()
    .max(200)
    .regex(/^[\d .:+-]{19,40}_[\da-f:-]{1,150}$/)
    .optional(),
});
/** All pages together list every change before `upTo`. */
const sinceReply = { nextCursor: z.string().nullable(), upTo: z.iso.datetime() };

const listedPayment = paymentSucceeded.extend({
  /** True if a booking may be made with the payment: it is not fully refunded, and no refund of it is still to be made. */
  mayBeBooked: z.boolean(),
  /** Set if a dispute, or a refund in Stripe's dashboard, has changed the payment. */
  atStripe: z.object({ version: z.number().int(), ...goneElsewhere }).optional(),
  /** The latest `PaymentSharesChanged`, with the version of the payment that it contains. */
  shares: z.object({ version: z.number().int(), gone: z.array(goneFromShare) }).optional(),
});
export type ListedPayment = z.infer<typeof listedPayment>;

export const succeededPaymentsReply = z.object({ items: z.array(listedPayment), ...sinceReply });

/**
 * A refund that the bookings service has decided and the payments service has to make: for a cancelled or changed
 * booking, at an admin's request, or because the payment has no booking.
 */
const refundOwed = z.object({
  paymentId: id,
  bookingId: id.nullable(),
  /** Distinguishes several refunds of one payment or booking. */
  grantId: id.nullable(),
  refundCents: z.number().int().positive(),
  reason: z.enum([...bookingRejected.shape.reason.options, 'cancelled', 'changed', 'admin']),
  toolNames: z.array(z.string()),
});
export type RefundOwed = z.infer<typeof refundOwed>;

/** What a report is about, as its reporter sees it. */
export const reportedContentReply = z.object({
  title: z.string(),
  content: z.string(),
  authorId: id,
  bookingId: id.nullable(),
});
export const refundsOwedReply = z.object({ items: z.array(refundOwed), ...sinceReply });
export const refundsOfPaymentReply = z.object({ refunds: z.array(refundOwed) });

/** The part of a payment that pays for a booking. */
const paymentShare = z.object({
  bookingId: id,
  ownerId: id,
  toolId: id,
  /** What the payment paid for the booking; refunds are not subtracted. 0 for a line that costs nothing. */
  cents: z.number().int().nonnegative(),
  /** The commission on this share: only a booking's first share has the fixed part. Null if the booking has no terms. */
  terms: commissionTerms.nullable(),
  /**
   * When the owner may be paid: at the completion, or a while after a cancellation that left the owner something. Null while
   * the booking is in force, has an open problem, or left the owner nothing.
   */
  releaseAt: z.iso.datetime().nullable(),
});
export type PaymentShare = z.infer<typeof paymentShare>;

/** One snapshot. Both lists are empty if the payment is not known or not yet used. `refunds` are in order of decision. */
export const ordersOfPaymentReply = z.object({
  shares: z.array(paymentShare),
  /** Replicas of 1.0 omit `orderedAt`. */
  refunds: z.array(refundOwed.extend({ orderedAt: z.iso.datetime().optional() })),
});

/** A booking as admins see it beside its payment. */
export const bookingOfPayment = z.object({
  id,
  booking_code: z.string(),
  name: z.string(),
  booking_status: z.string(),
  startsAt: z.iso.datetime(),
});
/** Comma-separated payment ids. */
export const bookingsOfPaymentsQuery = fields({
  payments: z.string().regex(/^[\da-f-]{36}(,[\da-f-]{36}){0,199}$/),
});
export const bookingsOfPaymentsReply = z.object({
  payments: z.array(z.object({ paymentId: id, bookings: z.array(bookingOfPayment) })),
});

export const mostEarnedBookings = 5_000;
export const earnedBookingsBody = fields({
  bookings: z.array(id).max(mostEarnedBookings),
  owners: z.array(id).max(maxPageSize),
});
/** What the ledger does not contain of an owner's booking. */
const factsOfEarnedBooking = z.object({
  id,
  bookingCode: z.string(),
  toolName: z.string(),
  renterName: z.string(),
  /** Local dates of the tool. */
  startDate: z.string(),
  endDate: z.string(),
  /** Null if the operator pays the owner in another way. */
  terms: commissionTerms.nullable(),
  /** `release`: only for the time from which the owner may be paid. */
  waitsFor: z.enum(['rental', 'problem', 'release']),
  /** When the owner may be paid, if nothing happens until then; null while a problem is open. */
  releaseAt: z.iso.datetime().nullable(),
});
export type FactsOfEarnedBooking = z.infer<typeof factsOfEarnedBooking>;
/** Unknown bookings and owners are left out. */
export const earnedBookingsReply = z.object({
  bookings: z.array(factsOfEarnedBooking),
  owners: z.array(z.object({ id, name: z.string() })),
});

/** The state of a hold's card authorization at Stripe. */
export const authorizationBody = z.object({
  paymentId: id,
  userId: id,
  amountCents: z.number().int().positive(),
  status: z.enum(['authorized', 'canceled']),
});
/**
 * `pending`: the owner has not answered. `accepted`: the card may be charged. `ended`: the authorization must be
 * released.
 */
export const authorizationReply = z.object({ approval: z.enum(['pending', 'accepted', 'ended']) });

/** How much of each kind is open. A user's account is not deleted before all are 0. */
export const openBookingsReply = z.object({
  /** Rentals and requests that are neither completed nor ended. */
  rentals: z.number().int(),
  lendings: z.number().int(),
  problems: z.number().int(),
  /** Holds whose payment has begun, and payments that are not used or refunded yet. */
  purchases: z.number().int(),
});
export const openMoneyReply = z.object({
  refunds: z.number().int(),
  disputes: z.number().int(),
  /** Bookings whose owner has not received the whole price yet. */
  earnings: z.number().int(),
  /** Bookings for which the owner owes money. */
  debts: z.number().int(),
});
export type OpenMatters = z.infer<typeof openBookingsReply> & z.infer<typeof openMoneyReply>;

/** Rows by the name of the file in the download, and the addresses of the user's pictures. */
export const personalDataReply = z.object({
  files: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  pictures: z.array(z.string()),
});
export type PersonalData = z.infer<typeof personalDataReply>;

export const publicKeysReply = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** Recently revoked sessions and users. A user's tokens with an earlier `version` are invalid. */
export const revocationsReply = z.object({
  sessions: z.array(z.object({ sessionId: z.string(), accessUntil: z.iso.datetime() })),
  users: z.array(z.object({ userId: z.string(), version: z.number() })),
});
export type Revoked = z.infer<typeof revocationsReply>;
