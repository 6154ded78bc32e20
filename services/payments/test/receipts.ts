import { randomUUID } from 'node:crypto';
import type { Receipt, ReceiptLine } from '@lendtools/contracts';
import { extractText, getDocumentProxy } from 'unpdf';

/** Four days of a drill for $42, the amount of the payments that tests buy. */
export const receiptLine = (overrides: Partial<ReceiptLine> = {}): ReceiptLine => ({
  bookingId: randomUUID(),
  bookingCode: 'LT123456',
  toolName: 'Hammer drill',
  ownerName: 'Olga Owner',
  quantity: 1,
  startDate: '2026-06-01',
  startTime: '7.00 AM',
  endDate: '2026-06-05',
  endTime: '7.00 AM',
  timeZone: 'America/Chicago',
  rentalCircle: 'daily',
  period: 4,
  priceCents: 1_050,
  discountCents: 0,
  before: null,
  amountCents: 4_200,
  ...overrides,
});

export const buildReceipt = (overrides: Partial<Receipt> = {}): Receipt => ({
  number: 'R-4H7K-2M9Q',
  paymentId: randomUUID(),
  date: '2026-06-01T03:30:00.000Z',
  renterName: 'Rita Renter',
  card: { brand: 'visa', last4: '4242' },
  lines: [receiptLine()],
  restCents: 0,
  totalCents: 4_200,
  tax: null,
  creditNotes: [],
  refundedCents: 0,
  ...overrides,
});

/** The texts of a PDF file's pages. Spaces at the ends of lines depend on the layout, so runs of spaces become one. */
export const pagesOf = async (file: Uint8Array): Promise<string[]> => {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(file)));
  return text.map((page) => page.replace(/\s+/g, ' '));
};

export const textOf = async (file: Uint8Array): Promise<string> => (await pagesOf(file)).join(' ');
