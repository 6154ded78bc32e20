import type { Statement, StatementLine } from '@lendtools/contracts';
import {
  dayOfLine,
  kindInWords,
  monthInWords,
  sumsOfStatement,
} from '@lendtools/contracts/statement-words';
import { spanOfMonth } from '../../domain/earnings.ts';
import { dollars, type PdfRow, writePdf } from '../../pdf/write-pdf.ts';

/** The file of a closed month never changes, except for the names in it. */
export const statementPdf = (statement: Statement, site: string): Promise<Buffer> => {
  const { month, ownerName, isClosed, lines } = statement;
  const title = `Statement of ${monthInWords(month)}`;
  return writePdf({ title, date: spanOfMonth(month).to.toISOString(), site }, (page) => {
    page.fact('For', ownerName);
    page.fact('Month', `${monthInWords(month)}, in UTC`);
    if (!isClosed) page.text('This month is not over, so the statement may still change.');
    page.rule();
    for (const sum of sumsOfStatement(statement)) page.amount(sum.title, sum.cents, sum.isTotal);
    page.rule();
    if (lines.length === 0) page.text('Nothing was earned or transferred in this month.');
    for (const line of lines) page.row(rowOf(line));
  });
};

const rowOf = (line: StatementLine): PdfRow => {
  const { at, toolName, bookingCode, priceCents, commissionCents, amountCents } = line;
  const commission =
    commissionCents > 0
      ? `less ${dollars(commissionCents)} commission`
      : `with ${dollars(-commissionCents)} commission returned`;
  return {
    title: `${kindInWords(line)}: ${toolName}`,
    details: [
      `${dayOfLine(at)}, booking ${bookingCode}`,
      ...(commissionCents === 0 ? [] : [`${dollars(priceCents)} ${commission}`]),
    ],
    amountCents,
  };
};
