import type { PayoutMonth } from '@lendtools/contracts';
import { monthInWords } from '@lendtools/contracts/statement-words';
import { Group, Text, Title } from '@mantine/core';
import { useNow } from '../../lib/use-now.ts';
import { formatCents } from '../../rental/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { type Column, ResponsiveTable } from '../../ui/responsive-table.tsx';
import { EarnedSum } from './earned-sum.tsx';
import { useStatementCsvMutation, useStatementPdfMutation } from './payouts-api.ts';

/** Months are in UTC. */
function isOver(month: string, nowMs: number): boolean {
  return month < new Date(nowMs).toISOString().slice(0, 7);
}

function columnsAt(nowMs: number): Column<PayoutMonth>[] {
  return [
    {
      title: 'Month',
      main: true,
      cell: ({ month }) => (
        <>
          {monthInWords(month)}
          {!isOver(month, nowMs) && (
            <Text span size="xs" c="dimmed">
              {' '}
              so far
            </Text>
          )}
        </>
      ),
    },
    {
      title: 'Earned',
      wide: true,
      cell: (month) => <EarnedSum {...month} grossCents={month.priceCents} />,
    },
    {
      title: 'Paid',
      cell: ({ transferredCents }) => (
        <span className="tabular">{formatCents(transferredCents)}</span>
      ),
    },
  ];
}

function Statements({ ownerId, month }: { ownerId: string; month: string }) {
  const [loadCsv] = useStatementCsvMutation();
  const [loadPdf] = useStatementPdfMutation();
  const statement = { userId: ownerId, month };
  const name = `statement of ${monthInWords(month)}`;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <DownloadButton
        label="PDF"
        name={name}
        fileName={`lendtools-statement-${month}.pdf`}
        load={() => loadPdf(statement)}
        size="sm"
        px="sm"
      />
      <DownloadButton
        label="CSV"
        name={name}
        fileName={`lendtools-statement-${month}.csv`}
        load={() => loadCsv(statement)}
        size="sm"
        px="sm"
      />
    </Group>
  );
}

export function EarnedMonths({ ownerId, months }: { ownerId: string; months: PayoutMonth[] }) {
  const nowMs = useNow();
  if (months.length === 0) return null;
  return (
    <section aria-labelledby="by-month">
      <Title order={2} fz="h3" mt="xl" mb="xs" id="by-month">
        By month
      </Title>
      <Text c="dimmed" mb="sm">
        An amount counts in the month in which you may be paid. The months are in UTC.
      </Text>
      <ResponsiveTable
        label="Earnings by month"
        columns={columnsAt(nowMs)}
        rows={months}
        rowKey={({ month }) => month}
        actions={({ month }) => <Statements ownerId={ownerId} month={month} />}
      />
    </section>
  );
}
