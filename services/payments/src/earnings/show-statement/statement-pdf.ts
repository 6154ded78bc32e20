import { setImmediate } from 'node:timers/promises';
import type { Statement, StatementLine } from '@lendtools/contracts';
import {
  dayOfLine,
  kindInWords,
  monthInWords,
  sumsOfStatement,
} from '@lendtools/contracts/statement-words';
import { spanOfMonth } from '../../domain/month.ts';
import { dollars, type PdfRow, writePdf } from '../../pdf/write-pdf.ts';

/** A row takes 3 ms, during which the process answers nothing else. The CSV file has all lines. */
const mostLines = 1_000;
const linesAtOnce = 50;

/** The file of a closed month never changes, except for the names in it. */
export const statementPdf = (statement: Statement, site: string): Promise<Buffer> => {
  const { month, ownerName, isClosed, lines } = statement;
  const title = `Statement of ${monthInWords(month)}`;
  return writePdf({ title, date: spanOfMonth(month).to.toISOString(), site }, async (page) => {
    page.fact('For', ownerName);
    page.fact('Month', `${monthInWords(month)}, in UTC`);
    if (!isClosed) page.text('This month is not over, so the statement may still change.');
    page.rule();
    for (const sum of sumsOfStatement(statement)) page.amount(sum.title, sum.cents, sum.isTotal);
    page.rule();
    if (lines.length === 0) page.text('Nothing was earned or transferred in this month.');
    for (const [index, line] of lines.slice(0, mostLines).entries()) {
      if (index % linesAtOnce === 0) await setImmediate();
      page.row(rowOf(line));
    }
    const left = lines.length - mostLines;
    if (left > 0) page.text(`The CSV file has ${left} more lines.`);
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
