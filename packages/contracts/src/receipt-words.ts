import type { CreditNote, Receipt, ReceiptLine } from './api/receipts.ts';
import { formatOfZones } from './local-time.ts';
import { timeInWords } from './rental-period.ts';

/** The texts of receipts, which the page and the PDF file share. */

export interface ReceiptRow {
  title: string;
  details: string[];
  amountCents: number;
}

type Rental = Pick<ReceiptLine, 'quantity' | 'startDate' | 'startTime' | 'endDate' | 'endTime'>;
/** Formats cents as dollars. */
type Money = (cents: number) => string;

const dayOf = formatOfZones({ dateStyle: 'medium' });

/** `Jun 1, 2026` in the time zone of the first rented tool. */
export const dateOnReceipt = ({ lines }: Pick<Receipt, 'lines'>, instant: string): string =>
  dayOf(lines[0]?.timeZone ?? 'UTC').format(new Date(instant));

const momentInWords = (date: string, time: string): string =>
  [dayOf('UTC').format(new Date(`${date}T00:00:00Z`)), timeInWords(time)]
    .filter(Boolean)
    .join(', ');

const timesInWords = ({ startDate, startTime, endDate, endTime }: Rental): string =>
  `${momentInWords(startDate, startTime)} – ${momentInWords(endDate, endTime)}`;

const times = (count: number): string => (count === 1 ? '' : ` × ${count}`);

const periodInWords = ({ period, rentalCircle }: ReceiptLine): string =>
  `${period} ${rentalCircle === 'hourly' ? 'hour' : 'day'}${period === 1 ? '' : 's'}`;

const rowOf = (line: ReceiptLine, money: Money): ReceiptRow => {
  const { before, priceCents, period, quantity, discountCents, amountCents } = line;
  const totalCents = priceCents * period * quantity - discountCents;
  const dueCents = totalCents - (before?.totalCents ?? 0);
  const less = discountCents > 0 ? `, less a discount of ${money(discountCents)}` : '';
  return {
    title: `${line.toolName}${times(quantity)}${before ? ', changed' : ''}`,
    details: [
      `Booking ${line.bookingCode}, rented from ${line.ownerName}`,
      timesInWords(line),
      `${money(priceCents)} × ${periodInWords(line)}${times(quantity)}${less}`,
      ...(before
        ? [
            `Before: ${timesInWords(before)}${times(before.quantity)} for ${money(before.totalCents)}`,
          ]
        : []),
      ...(dueCents === amountCents
        ? []
        : [`${money(dueCents - amountCents)} was paid by another payment`]),
    ],
    amountCents,
  };
};

/** What the payment paid for. The amounts add up to the receipt's total. */
export const receiptRows = ({ lines, restCents }: Receipt, money: Money): ReceiptRow[] => [
  ...lines.map((line) => rowOf(line, money)),
  ...(restCents > 0
    ? [{ title: 'Not used for a booking listed here', details: [], amountCents: restCents }]
    : []),
];

const reasons: Record<CreditNote['reason'], string> = {
  'slot-lost': 'The dates were no longer available',
  unassigned: 'The payment was not used',
  unsettled: 'The booking failed',
  cancelled: 'The booking was cancelled',
  changed: 'The booking was changed',
  admin: 'Refunded by LendTools',
  other: 'Refunded by LendTools',
};

export const creditNoteInWords = ({ reason, bookingCode, toolNames }: CreditNote): string => {
  const what = [toolNames.join(', '), bookingCode && `booking ${bookingCode}`].filter(Boolean);
  return [reasons[reason], ...what].join(': ').replace(': booking', ', booking');
};

export const returnedNote =
  'The card’s bank returned this refund. It is sent again, under the same number.';

const brands: Record<string, string> = {
  amex: 'American Express',
  unionpay: 'UnionPay',
  jcb: 'JCB',
};

/** `Visa ending in 4242`. */
export const cardInWords = ({ brand, last4 }: NonNullable<Receipt['card']>): string => {
  const name = brands[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1);
  return `${name} ending in ${last4}`;
};

/** `Includes 8.25 % sales tax: $1.02`. */
export const taxInWords = (
  { name, percent }: NonNullable<Receipt['tax']>,
  cents: number,
  money: Money,
): string => `Includes ${percent} % ${name}: ${money(cents)}`;
