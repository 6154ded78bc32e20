import { describe, expect, it } from '@jest/globals';
import type { CreditNote } from '@lendtools/contracts';
import { buildReceipt, pagesOf, receiptLine, textOf } from '../../test/receipts.ts';
import { receiptPdf } from './receipt-pdf.ts';

const site = 'https://tools.example';
const { number } = buildReceipt();
const write = (receipt = buildReceipt(), of = number) => receiptPdf({ receipt, number: of, site });
const read = async (...given: Parameters<typeof write>) => textOf(await write(...given));

const note = (overrides: Partial<CreditNote> = {}): CreditNote => ({
  number: 'C-0000-0001',
  date: '2026-06-03T12:00:00.000Z',
  amountCents: 1_000,
  taxCents: 76,
  reason: 'cancelled',
  bookingCode: 'LT123456',
  toolNames: ['Hammer drill'],
  isReturned: false,
  ...overrides,
});

describe('the PDF file of a receipt', () => {
  it('names number, local date, renter, card, tool, dates, code, owner and sums', async () => {
    const text = await read();

    for (const words of [
      'Receipt R-4H7K-2M9Q',
      'tools.example',
      'Date May 31, 2026',
      'For Rita Renter',
      'Paid with Visa ending in 4242',
      'Hammer drill',
      'Booking LT123456, rented from Olga Owner',
      'Jun 1, 2026, 7:00 AM – Jun 5, 2026, 7:00 AM',
      '$10.50 × 4 days',
      'Total paid $42.00',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/Includes|Refunded|another payment/);
  });

  it('shows quantity, discount, a part paid otherwise and a part without a booking', async () => {
    const line = receiptLine({ quantity: 2, discountCents: 840, amountCents: 5_000 });

    const text = await read(buildReceipt({ lines: [line], restCents: 345, totalCents: 5_345 }));

    expect(text).toContain('Hammer drill × 2');
    expect(text).toContain('$10.50 × 4 days × 2, less a discount of $8.40');
    expect(text).toContain('$25.60 was paid by another payment');
    expect(text).toContain('Not used for a booking listed here');
    expect(text).toContain('$3.45');
    expect(text).toContain('Total paid $53.45');
  });

  it('shows a change with the dates and the price before it', async () => {
    const before = {
      quantity: 1,
      startDate: '2026-06-01',
      startTime: '7.00 AM',
      endDate: '2026-06-03',
      endTime: '7.00 AM',
      totalCents: 2_100,
    };

    const text = await read(
      buildReceipt({ lines: [receiptLine({ before, amountCents: 2_100 })], totalCents: 2_100 }),
    );

    expect(text).toContain('Hammer drill, changed');
    expect(text).toContain('Before: Jun 1, 2026, 7:00 AM – Jun 3, 2026, 7:00 AM for $21.00');
    expect(text).toContain('Total paid $21.00');
  });

  it('shows the tax that the total includes, and lists credit notes with what remains', async () => {
    const text = await read(
      buildReceipt({
        tax: { name: 'sales tax', percent: 8.25, cents: 320 },
        creditNotes: [note(), note({ number: 'C-0000-0002', amountCents: 500, isReturned: true })],
        refundedCents: 1_000,
      }),
    );

    expect(text).toContain('Includes 8.25 % sales tax: $3.20');
    expect(text).toContain('Credit note C-0000-0001');
    expect(text).toContain('-$10.00');
    expect(text).toContain('The card’s bank returned this refund.');
    expect(text).toContain('Refunded $10.00');
    expect(text).toContain('Paid after refunds $32.00');
  });

  it('writes accents, Cyrillic, Greek and Vietnamese letters', async () => {
    const names = ['Zoë Núñez-Åström', 'Юлия Щёголева', 'Αλέξανδρος', 'Nguyễn Thị Hằng', 'ﬁnesse'];

    const text = await read(
      buildReceipt({ renterName: names.join(', '), lines: [receiptLine({ ownerName: 'Łukasz' })] }),
    );

    for (const name of names.slice(0, 4)) expect(text).toContain(name);
    expect(text).toContain('Łukasz');
  });

  it.each([
    ['right-to-left text', 'שלום עולם مرحبا بالعالم (drill) 123'],
    ['letters that the font lacks', '工具 🛠️ 🧑🏽‍🔧 \u{1F1FA}\u{1F1F8}'],
    ['combining marks', `Z${'\u0335\u0336\u0337'.repeat(100)}`],
    ['a long word', 'W'.repeat(2_000)],
    ['spaces only', '\u00a0'.repeat(50)],
    ['nothing', ''],
    ['a lone surrogate', 'a\ud800b'],
  ])('survives %s in each name', async (_, name) => {
    const lines = [receiptLine({ toolName: name, ownerName: name })];

    const text = await read(buildReceipt({ renterName: name, lines }));

    expect(text).toContain('Total paid $42.00');
  });

  it('puts a hundred lines on several numbered pages without splitting or losing one', async () => {
    const lines = Array.from({ length: 100 }, (_, n) =>
      receiptLine({ bookingCode: `LT${100_000 + n}`, toolName: `Tool ${n}`, amountCents: 42 }),
    );

    const pages = await pagesOf(await write(buildReceipt({ lines })));

    expect(pages.length).toBeGreaterThan(3);
    for (const [index, page] of pages.entries())
      expect(page).toContain(`Receipt R-4H7K-2M9Q, page ${index + 1} of ${pages.length}`);
    for (let n = 0; n < 100; n++) {
      const [page, ...others] = pages.filter((text) => text.includes(`LT${100_000 + n},`));
      expect(others).toEqual([]);
      expect(page).toMatch(new RegExp(`Tool ${n} Booking LT${100_000 + n}`));
    }
    expect(pages.at(-1)).toContain('Total paid $42.00');
  });

  it('has the same bytes each time, and a size for an email', async () => {
    const [one, other] = [await write(), await write()];

    expect(one.equals(other)).toBe(true);
    expect(one.length).toBeLessThan(100_000);
  });
});

describe('the PDF file of a credit note', () => {
  it('names its number, the receipt, the reason, the sum and its tax', async () => {
    const text = await read(
      buildReceipt({
        tax: { name: 'sales tax', percent: 8.25, cents: 320 },
        creditNotes: [note()],
        refundedCents: 1_000,
      }),
      'C-0000-0001',
    );

    for (const words of [
      'Credit note C-0000-0001',
      'Date Jun 3, 2026',
      'For Rita Renter',
      'Receipt R-4H7K-2M9Q of May 31, 2026',
      'Refunded to Visa ending in 4242',
      'The booking was cancelled: Hammer drill, booking LT123456',
      'Total refunded $10.00',
      'Includes 8.25 % sales tax: $0.76',
    ])
      expect(text).toContain(words);
  });

  it('says that the bank returned the refund', async () => {
    const receipt = buildReceipt({ creditNotes: [note({ isReturned: true })] });

    expect(await read(receipt, 'C-0000-0001')).toContain('The card’s bank returned this refund.');
  });
});
