import { z } from 'zod';
import { rentalCircle } from './catalog.ts';
import { bounded, fields, id } from './common.ts';

const noReceipt = 'This is not the number of a receipt';
/** `R` for a receipt, `C` for a credit note, then eight random digits and letters without I, L, O and U. */
export const receiptNumber = bounded(11, noReceipt).regex(
  /^[RC]-[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}$/,
  noReceipt,
);

const cents = z.number().int();
const rentalTime = {
  quantity: z.number().int(),
  /** Local dates and times of the tool: `2026-05-31`, `7.00 AM`. */
  startDate: z.string(),
  startTime: z.string(),
  endDate: z.string(),
  endTime: z.string(),
};

/** What a payment paid for: a booking as it was bought, or a later change of it that cost more. */
const receiptLine = z.object({
  bookingId: id,
  bookingCode: z.string(),
  toolName: z.string(),
  ownerName: z.string(),
  ...rentalTime,
  timeZone: z.string(),
  rentalCircle,
  /** Days or hours, depending on `rentalCircle`. */
  period: z.number().int(),
  /** Price of a unit for a day or an hour. */
  priceCents: cents,
  discountCents: cents,
  /** The booking before the change: only the difference of the prices was due. Null if the line is no change. */
  before: z.object({ ...rentalTime, totalCents: cents }).nullable(),
  /** What this payment paid of the line. Several payments may share the price of a booking. */
  amountCents: cents,
});
export type ReceiptLine = z.infer<typeof receiptLine>;

/** A payment may be used for any number of cheap bookings; a receipt lists this many of them. */
export const mostReceiptLines = 500;

export const receiptLinesReply = z.object({
  renterName: z.string(),
  lines: z.array(receiptLine),
});
export type ReceiptLines = z.infer<typeof receiptLinesReply>;

const creditNote = z.object({
  number: receiptNumber,
  /** When Stripe made the refund. */
  date: z.iso.datetime(),
  amountCents: cents,
  taxCents: cents,
  /** As in the event `PaymentRefunded`, or `other` if the refund was made in Stripe's dashboard. */
  reason: z.enum([
    'slot-lost',
    'unassigned',
    'unsettled',
    'cancelled',
    'changed',
    'admin',
    'other',
  ]),
  /** Null if the refund belongs to no booking. */
  bookingCode: z.string().nullable(),
  toolNames: z.array(z.string()),
  /** True if the card's bank has returned the refund. It is sent again later, under the same number. */
  isReturned: z.boolean(),
});
export type CreditNote = z.infer<typeof creditNote>;

const receipt = z.object({
  number: receiptNumber,
  paymentId: id,
  /** When the card was charged. */
  date: z.iso.datetime(),
  renterName: z.string(),
  /** Null if unknown. */
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  lines: z.array(receiptLine),
  /** The part of the payment that pays for no listed booking. */
  restCents: cents,
  totalCents: cents,
  /** The tax that the total includes; null unless the operator has set one. */
  tax: z.object({ name: z.string(), percent: z.number(), cents }).nullable(),
  /** Oldest first. */
  creditNotes: z.array(creditNote),
  /** What the valid credit notes add up to. */
  refundedCents: cents,
});
export type Receipt = z.infer<typeof receipt>;

export const receiptReply = z.object({ receipt });

export const receiptParams = fields({ userId: id, paymentId: id });
export const receiptFileParams = fields({ userId: id, paymentId: id, number: receiptNumber });
/** `refund`: Stripe's id of the refund whose credit note is wanted; without it, the payment's receipt. */
export const emailedReceiptQuery = fields({
  refund: bounded(255, 'There is no such refund').min(1).optional(),
});
export const pdf = z.string().meta({ format: 'binary', description: 'A PDF file' });
