import type { AdminPayouts } from '@lendtools/contracts';
import { monthInWords } from '@lendtools/contracts/statement-words';
import { Text, Title } from '@mantine/core';
import { formatCents } from '../../rental/format.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { type Column, ResponsiveTable } from '../../ui/responsive-table.tsx';
import { useLedgerCsvMutation } from './payouts-api.ts';

type Month = AdminPayouts['months'][number];

function amount(title: string, read: (month: Month) => number): Column<Month> {
  return {
    title,
    cell: (month) => <span className="tabular">{formatCents(read(month))}</span>,
  };
}

const columns: Column<Month>[] = [
  { title: 'Month', cell: ({ month }) => monthInWords(month), main: true },
  amount('Commission', ({ commissionCents }) => commissionCents),
  amount('Stripe’s fees', ({ feesCents }) => feesCents),
  amount('Losses', ({ lossesCents }) => lossesCents),
  amount(
    'What is left',
    ({ commissionCents, feesCents, lossesCents }) => commissionCents - feesCents - lossesCents,
  ),
];

export function CommissionMonths({ months }: { months: Month[] }) {
  const [loadCsv] = useLedgerCsvMutation();
  return (
    <section aria-labelledby="months">
      <Title order={2} fz="h3" mt="xl" mb="xs" id="months">
        By month
      </Title>
      <Text c="dimmed" mb="sm">
        Months are in UTC. The file has every entry of the ledger, for your bookkeeper.
      </Text>
      {months.length === 0 ? (
        <Text>No money has moved yet.</Text>
      ) : (
        <ResponsiveTable
          label="Commission by month"
          columns={columns}
          rows={months}
          rowKey={({ month }) => month}
          actions={({ month }) => (
            <DownloadButton
              label="CSV"
              name={`ledger of ${monthInWords(month)}`}
              fileName={`lendtools-ledger-${month}.csv`}
              load={() => loadCsv(month)}
              size="sm"
              px="sm"
            />
          )}
        />
      )}
    </section>
  );
}
