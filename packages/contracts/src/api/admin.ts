import { z } from 'zod';
import {
  bounded,
  fields,
  id,
  listTotal,
  nextCursor,
  page,
  person,
  wholeNumber,
  words,
} from './common.ts';
import { bookingOfPayment } from './internal.ts';

const cents = z.number().int();
const instant = z.iso.datetime();

/**
 * What waits for an admin. `dispute`: evidence is due. `fraud-warning`: a refund can still avoid a dispute. `refund`: Stripe could not make
 * it. `transfer`: stuck. `report`: of content or a person. `problem`: reported by a party or the system. `return`: the rental is over, and its owner has not confirmed the
 * return. `dead-letter`: a consumer could not process the event.
 */
export const workKind = z.enum([
  'dispute',
  'fraud-warning',
  'refund',
  'transfer',
  'report',
  'problem',
  'return',
  'dead-letter',
]);
export type WorkKind = z.infer<typeof workKind>;

const work = z.object({
  kind: workKind,
  /** Null if the broker cannot be reached. */
  count: z.number().int().nullable(),
  /** Since when the oldest one waits; null if none does, or if unknown. */
  since: instant.nullable(),
  /** The earliest deadline; null if there is none. */
  dueAt: instant.nullable(),
});
export type Work = z.infer<typeof work>;
/** What waits in one service: each kind once, with its count, also if that is 0. */
export const workReply = z.object({ work: z.array(work) });

/** `q` matches part of the name, or is a tool's id. */
export const listedToolsQuery = fields({
  ...page,
  q: words.optional(),
  state: z.enum(['offered', 'hidden'], 'Please ask for offered or hidden').optional(),
});
const listedTool = z.object({
  id,
  name: z.string(),
  category: z.string(),
  owner: person,
  /** In dollars, as in a tool. */
  price: z.number(),
  rental_circle: z.enum(['hourly', 'daily']),
  quantity: z.number().int(),
  rating: z.number(),
  cover_image: z.string(),
  /** Whether visitors find it. */
  isOffered: z.boolean(),
  createdAt: instant,
});
export type ListedTool = z.infer<typeof listedTool>;
/** Newest first, without removed tools. */
export const listedToolsReply = z.object({
  tools: z.array(listedTool),
  ...listTotal,
  nextCursor,
});

/** `q` matches part of the comment. */
export const listedReviewsQuery = fields({
  ...page,
  q: words.optional(),
  /** Reviews with at most this many stars. */
  stars: wholeNumber(1, 5, 'A review has 1 to 5 stars').optional(),
});
const listedReview = z.object({
  id,
  rating: z.number().int(),
  comment: z.string(),
  toolId: id,
  toolName: z.string(),
  bookingId: id,
  bookingCode: z.string(),
  renter: person,
  owner: person,
  createdAt: instant,
  /** Null until the review appears. Until then an admin who owns the tool does not get it. */
  publishedAt: instant.nullable(),
});
export type ListedReview = z.infer<typeof listedReview>;
/** Newest first. */
export const listedReviewsReply = z.object({
  reviews: z.array(listedReview),
  ...listTotal,
  nextCursor,
});

export const threadsQuery = fields({
  limit: wholeNumber(1, 50, 'A page holds 1 to 50').optional(),
  cursor: page.cursor,
  /** Only threads of this owner or renter. */
  userId: id.optional(),
});
/** A thread without its messages. */
const listedThread = z.object({
  id,
  /** Null for a question that no booking continues. */
  bookingId: id.nullable(),
  toolName: z.string(),
  owner: person,
  renter: person,
  startedAt: instant,
  lastAt: instant,
  messages: z.number().int(),
});
export type ListedThread = z.infer<typeof listedThread>;
/** The last started first. */
export const threadsReply = z.object({ threads: z.array(listedThread), nextCursor });

const failedRefund = z.object({
  /** Our id of the refund. */
  key: z.string(),
  paymentId: id,
  amountCents: cents,
  /** Stripe's reason; null if it gave none. */
  error: z.string().nullable(),
  since: instant,
  nextTryAt: instant,
  stripeUrl: z.string(),
  bookings: z.array(bookingOfPayment),
});
export type FailedRefund = z.infer<typeof failedRefund>;
export const failedRefundsQuery = fields({
  limit: page.limit,
  cursor: bounded(200, 'This page does not exist').optional(),
});
export const failedRefundsReply = z.object({ refunds: z.array(failedRefund), nextCursor });

export const stripeObjectParams = fields({
  stripeId: bounded(255, 'This is not a Stripe id').regex(
    /^(?:pi|re|pyr|tr|trr|dp|du|acct|po)_\w+$/,
    'This is not a Stripe id',
  ),
});
export const stripeObjectReply = z.object({
  kind: z.enum(['payment', 'refund', 'transfer', 'reversal', 'dispute', 'account', 'payout']),
  /** Null for an account and a payout. */
  paymentId: id.nullable(),
  /** Whose account it is, or who was paid; null otherwise. */
  ownerId: id.nullable(),
  /** What the payment pays for; of a transfer, a reversal or a refund of one booking, only that booking. */
  bookings: z.array(bookingOfPayment),
});
export type StripeObject = z.infer<typeof stripeObjectReply>;

export const moneyQuery = fields({
  months: wholeNumber(1, 13, 'Please ask for 1 to 13 months').default(6),
});
const moneyMonth = z.object({
  /** In UTC, by when the entries of the ledger were posted. */
  month: z.string(),
  chargedCents: cents,
  /** Refunded to cards. */
  refundedCents: cents,
  /** Transferred to owners, less what was transferred back. */
  paidOutCents: cents,
  commissionCents: cents,
});
export type MoneyMonth = z.infer<typeof moneyMonth>;
/** Newest first, without gaps; the first month is not over. */
export const moneyReply = z.object({ months: z.array(moneyMonth) });
