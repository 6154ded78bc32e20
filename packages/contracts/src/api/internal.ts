import { z } from 'zod';
import { bookingRejected } from '../events/bookings.ts';
import { goneElsewhere, paymentSucceeded } from '../events/payments.ts';
import { fields, id } from './common.ts';

/**
 * Lists what happened since an instant, oldest first, so that another service can reconcile it with the events it
 * consumed. The cursor is the last item of the previous page: its instant, to the microsecond, and its key of up to
 * three UUIDs.
 */
export const sinceQuery = z.object({
  since: z.iso.datetime(),
  cursor: z
    .string()
    .max(200)
    .regex(/^[\d .:+-]{19,40}_[\da-f:-]{1,150}$/)
    .optional(),
});
/** Once the last page is read, everything before `upTo` has been listed. */
const sinceReply = { nextCursor: z.string().nullable(), upTo: z.iso.datetime() };

/** A succeeded payment, for bookings. Replicas of the previous version omit the optional fields. */
const listedPayment = paymentSucceeded.extend({
  /** Whether a booking may be made with the payment: no refund is owed from it, and it is not fully refunded. */
  mayBeBooked: z.boolean().optional(),
  /** Set if a dispute or a refund in Stripe's dashboard changed the payment. */
  atStripe: z.object({ version: z.number().int(), ...goneElsewhere }).optional(),
});
export type ListedPayment = z.infer<typeof listedPayment>;

export const succeededPaymentsReply = z.object({ items: z.array(listedPayment), ...sinceReply });

/**
 * A refund that bookings has decided on: for a cancelled or changed booking, by an admin, or because the payment has
 * no booking.
 */
const refundOwed = z.object({
  paymentId: id,
  bookingId: id.nullable(),
  /**
   * Distinguishes several refunds of one payment or booking: by
   * an admin, for a change, or of money that came back at Stripe.
   */
  grantId: id.nullish(),
  refundCents: z.number().int().positive(),
  reason: z.enum([...bookingRejected.shape.reason.options, 'cancelled', 'changed', 'admin']),
  toolNames: z.array(z.string()),
});
export type RefundOwed = z.infer<typeof refundOwed>;

export const refundsOwedReply = z.object({ items: z.array(refundOwed), ...sinceReply });
export const refundsOfPaymentReply = z.object({ refunds: z.array(refundOwed) });

/** A booking as shown to admins next to its payment. */
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

/** The state of a hold's card authorization, as Stripe reported it to payments. */
export const authorizationBody = z.object({
  paymentId: id,
  userId: id,
  amountCents: z.number().int().positive(),
  status: z.enum(['authorized', 'canceled']),
});
/** `open`: the owner has not answered. `accepted`: capture it. `ended`: release it. */
export const authorizationReply = z.object({ request: z.enum(['open', 'accepted', 'ended']) });

export const publicKeysReply = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/**
 * Recently revoked sessions and users. Replicas of accounts without versions omit `version`; then every token of that
 * user is invalid.
 */
export const revocationsReply = z.object({
  sessions: z.array(z.object({ sessionId: z.string(), accessUntil: z.iso.datetime().optional() })),
  users: z.array(
    z.object({ userId: z.string(), version: z.number().default(Number.MAX_SAFE_INTEGER) }),
  ),
});
export type Revoked = z.infer<typeof revocationsReply>;
