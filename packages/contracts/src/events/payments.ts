import { z } from 'zod';
import { id } from '../api/common.ts';

const payment = {
  paymentId: id,
  userId: id,
  /** Null for a client that knows only the documented calls: bookings draws on it later. */
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

/** `final`: the intent is cancelled at Stripe and can never succeed, so the hold may go. */
export const paymentFailed = z.object({ ...payment, final: z.boolean(), message: z.string() });

export const paymentRefunded = z.object({
  ...payment,
  refundId: z.string(),
  refundCents: z.number().int().positive(),
  reason: z.enum(['slot-lost', 'unassigned', 'cancelled']),
  bookingId: id.nullable(),
  toolNames: z.array(z.string()),
});
