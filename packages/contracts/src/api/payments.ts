import { z } from 'zod';
import { disputeState, paymentSucceeded, payoutStatus } from '../events/payments.ts';
import { bounded, fields, id, nextCursor, numeric, page } from './common.ts';
import { bookingOfPayment } from './internal.ts';

/**
 * Cents: the documented `total x 100`, rounded because 19.99 * 100 is 1998.9999999999998. Stripe's minimum is 50 cents.
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

const noSuchCard = 'This is not a saved card';
/** Stripe's id of the payment method. */
const cardId = bounded(255, noSuchCard).regex(/^pm_\w+$/, noSuchCard);

/** `amount` must match the hold's. `userId` is documented and ignored. */
export const createPaymentIntentBody = fields({
  amount,
  holdId: id.optional(),
  /** Pay with this saved card. */
  cardId: cardId.optional(),
  /** Save the new card for the next purchase. */
  saveCard: z.boolean('Please say whether the card is saved').optional(),
});
/** Extra fields of the error reply PRICE_CHANGED. */
export interface PriceChanged {
  /** The current price in cents. */
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
export const cardParams = fields({ userId: id, cardId });
/** As Stripe names and formats it; nothing of it is stored. */
const savedCard = z.object({
  id: z.string(),
  /** Such as `visa`. */
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number().int(),
  expYear: z.number().int(),
});
export type SavedCard = z.infer<typeof savedCard>;
/** The newest first. */
export const savedCardsReply = z.object({ cards: z.array(savedCard) });
export const paymentConfigReply = z.object({
  publishableKey: z.string(),
  /** Where to load Stripe.js from; null for Stripe's own server. */
  scriptUrl: z.string().nullable(),
});
export const webhookReply = z.object({ received: z.literal(true) });
/** For calls between services: a user's succeeded payments. */
export const userPaymentsReply = z.object({ payments: z.array(paymentSucceeded) });

/** `open`: an admin may have to act. `over`: no action is possible any more. */
export const disputesQuery = fields({
  limit: page.limit,
  /** Stripe's id of the last item of the previous page. */
  cursor: bounded(255, 'This page does not exist')
    .regex(/^\w+$/, 'This page does not exist')
    .optional(),
  when: z.enum(['open', 'over'], 'Please ask for open or over').default('open'),
});

const ofPayment = {
  /** Stripe's id. */
  id: z.string(),
  paymentId: id,
  amountCents: z.number().int(),
  createdAt: z.iso.datetime(),
  stripeUrl: z.string(),
  bookings: z.array(bookingOfPayment),
};
const dispute = z.object({
  ...ofPayment,
  state: disputeState,
  /** Stripe's status, such as `under_review`. */
  status: z.string(),
  /** Stripe's code for the cardholder's claim, such as `product_not_received`. */
  reason: z.string(),
  /** The amount of the whole payment. */
  paidCents: z.number().int(),
  /** Stripe's deadline for evidence; null if no evidence can be submitted. */
  answerBy: z.iso.datetime().nullable(),
  /** When an admin let the owners be paid in spite of the inquiry; null if none did. */
  waivedAt: z.iso.datetime().nullable(),
});
export type Dispute = z.infer<typeof dispute>;
/** Open disputes by deadline, closed ones newest first. */
export const disputesReply = z.object({ disputes: z.array(dispute), nextCursor });

const fraudWarning = z.object({
  ...ofPayment,
  /** Stripe's code, such as `made_with_stolen_card`. */
  fraudType: z.string(),
  /** True while the charge is neither disputed nor fully refunded. */
  isActionable: z.boolean(),
});
export type FraudWarning = z.infer<typeof fraudWarning>;
/** Open warnings oldest first, closed ones newest first. */
export const fraudWarningsReply = z.object({ warnings: z.array(fraudWarning), nextCursor });

export const payoutAccountReply = z.object({
  ...payoutStatus,
  /** Payouts wait because an admin holds them, or because the owner's LendTools account is disabled. */
  isHeld: z.boolean(),
});
export type PayoutAccount = z.infer<typeof payoutAccountReply>;
/** Opens once, within minutes. Anyone who has it acts as the owner, so it is neither stored nor logged. */
export const payoutLinkReply = z.object({ url: z.url() });
export const holdPayoutsBody = fields({
  isHeld: z.boolean('Please say whether payouts are held'),
});
