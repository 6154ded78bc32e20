import { z } from 'zod';
import { bookingRejected } from '../events/bookings.ts';
import { goneElsewhere, paymentSucceeded } from '../events/payments.ts';
import { fields, id } from './common.ts';

/**
 * A list of what happened from an instant on, oldest first, which another service compares with what it has consumed. The
 * cursor is the last item of the previous page: its instant, to the microsecond, and its key, which has up to three UUIDs.
 */
export const sinceQuery = z.object({
  since: z.iso.datetime(),
  cursor: z
    .string()
    .max(200)
    .regex(/^[\d .:+-]{19,40}_[\da-f:-]{1,150}$/)
    .optional(),
});
/** `upTo`, on the last page: everything that happened before is in this page or an earlier one. */
const sinceReply = { nextCursor: z.string().nullable(), upTo: z.iso.datetime() };

/** A succeeded payment, for bookings. Replicas of the previous version omit the two optional fields. */
const listedPayment = paymentSucceeded.extend({
  /** None of it is promised as a refund, and not all of it was refunded. */
  mayBeBooked: z.boolean().optional(),
  /** Where the dashboard or a dispute changed it. */
  atStripe: z.object({ version: z.number().int(), ...goneElsewhere }).optional(),
});
export type ListedPayment = z.infer<typeof listedPayment>;

export const succeededPaymentsReply = z.object({ items: z.array(listedPayment), ...sinceReply });

/** What bookings has decided to refund of a payment: for a cancelled booking, or because there is none for it. */
const refundOwed = z.object({
  paymentId: id,
  bookingId: id.nullable(),
  /** Tells apart the refunds of one payment or booking: an admin's refund, a change, or money that returned at Stripe. */
  grantId: id.nullish(),
  refundCents: z.number().int().positive(),
  reason: z.enum([...bookingRejected.shape.reason.options, 'cancelled', 'changed', 'admin']),
  toolNames: z.array(z.string()),
});
export type RefundOwed = z.infer<typeof refundOwed>;

export const refundsOwedReply = z.object({ items: z.array(refundOwed), ...sinceReply });
export const refundsOfPaymentReply = z.object({ refunds: z.array(refundOwed) });

/** What admins see of a booking beside its payment. */
export const bookingOfPayment = z.object({
  id,
  booking_code: z.string(),
  name: z.string(),
  booking_status: z.string(),
  startsAt: z.iso.datetime(),
});
/** Ids of payments, with commas between them. */
export const bookingsOfPaymentsQuery = fields({
  payments: z.string().regex(/^[\da-f-]{36}(,[\da-f-]{36}){0,199}$/),
});
export const bookingsOfPaymentsReply = z.object({
  payments: z.array(z.object({ paymentId: id, bookings: z.array(bookingOfPayment) })),
});

/** What became of the authorization of a hold's card, as payments knows from Stripe. */
export const authorizationBody = z.object({
  paymentId: id,
  userId: id,
  amountCents: z.number().int().positive(),
  status: z.enum(['authorized', 'canceled']),
});
/** `open`: the owner has not answered. `accepted`: it is to be captured. `ended`: nobody needs it. */
export const authorizationReply = z.object({ request: z.enum(['open', 'accepted', 'ended']) });

export const publicKeysReply = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** What ended recently. A replica of accounts from before versions gives none: then no token of that user is valid. */
export const revocationsReply = z.object({
  sessions: z.array(z.object({ sessionId: z.string(), accessUntil: z.iso.datetime().optional() })),
  users: z.array(
    z.object({ userId: z.string(), version: z.number().default(Number.MAX_SAFE_INTEGER) }),
  ),
});
export type Revoked = z.infer<typeof revocationsReply>;
