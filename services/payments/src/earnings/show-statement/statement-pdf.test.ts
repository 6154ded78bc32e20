import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Statement, StatementLine } from '@lendtools/contracts';
import { pagesOf } from '../../../test/receipts.ts';
import { statementPdf } from './statement-pdf.ts';

const line = (n: number): StatementLine => ({
  at: '2026-03-02T10:00:00.000Z',
  kind: 'release',
  bookingId: randomUUID(),
  bookingCode: `LT${n}`,
  toolName: 'Drill',
  priceCents: 100,
  commissionCents: 10,
  amountCents: 90,
});

const statement = (count: number): Statement => ({
  month: '2026-03',
  ownerName: 'Olga Owner',
  isClosed: true,
  openingCents: 0,
  priceCents: 100 * count,
  refundedCents: 0,
  commissionCents: 10 * count,
  earnedCents: 90 * count,
  writtenOffCents: 0,
  transferredCents: 0,
  closingCents: 90 * count,
  lines: Array.from({ length: count }, (_, n) => line(n + 1)),
});

const write = (count: number) => statementPdf(statement(count), 'https://tools.example');

describe('the PDF file of a statement', () => {
  it('numbers its pages, and has the same bytes each time', async () => {
    const [one, other] = [await write(60), await write(60)];

    const pages = await pagesOf(one);
    expect(one.equals(other)).toBe(true);
    for (const [index, page] of pages.entries())
      expect(page).toContain(`Statement of March 2026, page ${index + 1} of ${pages.length}`);
    expect(pages.at(-1)).toContain('booking LT60');
  });

  it('has a thousand lines at most, and leaves the others to the CSV file', async () => {
    const text = (await pagesOf(await write(1_002))).join(' ');

    expect(text).toContain('booking LT1000 ');
    expect(text).not.toContain('LT1001');
    expect(text).toContain('The CSV file has 2 more lines.');
  });
});
