import { z } from 'zod';
import { disputeState, paymentSucceeded } from '../events/payments.ts';
import { bounded, fields, id, nextCursor, numeric, page } from './common.ts';
import { bookingOfPayment } from './internal.ts';

/**
 * Cents: the documented `total x 100`, which is slightly off in floating point (19.99 * 100 is 1998.9999999999998)
 * and is rounded. At least Stripe's minimum charge of 50 cents.
 */
const amount = numeric(
  z
    .number('The amount must be a number of cents')
    .refine((cents) => Math.abs(cents - Math.round(cents)) < 0.5, {
      message: 'The amount must be a whole number of cents',
    })
    .overwrite(Math.round)
    .min(50, 'The smallest payment is $0.50')
    .max(99_999_999, 'The largest payment is $999,999.99'),
);

/** `amount` is checked against the hold's; `userId` is documented and ignored. */
export const createPaymentIntentBody = fields({ amount, holdId: id.optional() });
/** What PRICE_CHANGED adds to the fields of a problem. */
export interface PriceChanged {
  /** The right price, in cents. */
  amount: number;
}
export const createPaymentIntentReply = z.object({ clientSecret: z.string(), paymentId: id });

const paymentIntentId = "Please send Stripe's id of the payment";
export const confirmPaymentBody = fields({
  paymentIntentId: bounded(200, paymentIntentId).min(1, paymentIntentId),
});
const paymentStatus = z.enum([
  'pending',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'refunded',
]);
export const confirmPaymentReply = z.object({
  message: z.string(),
  payment: z.object({
    id,
    status: paymentStatus,
    amount: z.number().int(),
    refunded: z.number().int(),
  }),
});
export const paymentConfigReply = z.object({
  publishableKey: z.string(),
  /** Where to load Stripe.js from, when not from Stripe itself. */
  scriptUrl: z.string().nullable(),
});
export const webhookReply = z.object({ received: z.literal(true) });
/** A user's succeeded payments, for bookings; internal. */
export const userPaymentsReply = z.object({ payments: z.array(paymentSucceeded) });

/** `open`: an admin may have something to do. `over`: decided, or nothing to act on any more. */
export const disputesQuery = fields({
  limit: page.limit,
  /** Stripe's id of the last one on the page before. */
  cursor: bounded(255, 'This page does not exist')
    .regex(/^\w+$/, 'This page does not exist')
    .optional(),
  when: z.enum(['open', 'over'], 'Please ask for open or over').default('open'),
});

const ofPayment = {
  /** Stripe's. */
  id: z.string(),
  paymentId: id,
  amountCents: z.number().int(),
  createdAt: z.iso.datetime(),
  /** The payment in Stripe's dashboard. */
  stripeUrl: z.string(),
  /** What the payment pays for. */
  bookings: z.array(bookingOfPayment),
};
const dispute = z.object({
  ...ofPayment,
  state: disputeState,
  /** Stripe's own word, such as `under_review`. */
  status: z.string(),
  /** Stripe's word for what the cardholder says, such as `product_not_received`. */
  reason: z.string(),
  /** The whole payment. */
  paidCents: z.number().int(),
  /** Until when Stripe accepts evidence; null where there is nothing to submit, or nothing any more. */
  answerBy: z.iso.datetime().nullable(),
});
export type Dispute = z.infer<typeof dispute>;
/** Open ones by deadline, the others newest first. */
export const disputesReply = z.object({ disputes: z.array(dispute), nextCursor });

const fraudWarning = z.object({
  ...ofPayment,
  /** Stripe's word, such as `made_with_stolen_card`. */
  fraudType: z.string(),
  /** True while the charge is not disputed and not fully refunded. */
  isActionable: z.boolean(),
});
export type FraudWarning = z.infer<typeof fraudWarning>;
/** Open ones oldest first, the others newest first. */
export const fraudWarningsReply = z.object({ warnings: z.array(fraudWarning), nextCursor });
