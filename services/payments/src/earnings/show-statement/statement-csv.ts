import type { Statement, StatementLine } from '@lendtools/contracts';
import { type CsvColumn, toCsv } from '@lendtools/contracts/csv';
import { kindInWords } from '@lendtools/contracts/statement-words';

type Row = StatementLine & { balanceCents: number };

const dollars = (cents: number): number => cents / 100;

const columns: CsvColumn<Row>[] = [
  { title: 'Time (UTC)', value: ({ at }) => at },
  { title: 'Kind', value: kindInWords },
  { title: 'Booking', value: ({ bookingCode }) => bookingCode },
  { title: 'Tool', value: ({ toolName }) => toolName },
  { title: 'Price', value: ({ priceCents }) => dollars(priceCents) },
  { title: 'Commission', value: ({ commissionCents }) => dollars(commissionCents) },
  { title: 'Amount', value: ({ amountCents }) => dollars(amountCents) },
  { title: 'Balance', value: ({ balanceCents }) => dollars(balanceCents) },
];

export const statementCsv = ({ openingCents, lines }: Statement): string => {
  let balanceCents = openingCents;
  const rows = lines.map((line) => {
    balanceCents += line.amountCents;
    return { ...line, balanceCents };
  });
  return toCsv(columns, rows);
};
