import { Group, Text, Title } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { useNow } from '../../lib/use-now.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { StripeButton } from '../../ui/payouts/stripe-button.tsx';
import { decidedColumns, disputeColumns, warningColumns } from './dispute-columns.tsx';
import { useDisputesInfiniteQuery, useFraudWarningsInfiniteQuery } from './disputes-api.ts';
import { WaiveInquiry } from './waive-inquiry.tsx';

/** Lists fraud warnings first, because a refund can prevent a dispute; then lists disputes by deadline. */
export default function DisputesPage() {
  return (
    <>
      <PageHeader
        title="Disputes"
        intro="Cardholders who ask their bank for the money back. Evidence is submitted in Stripe’s dashboard."
      />
      <FraudWarnings />
      <OpenDisputes />
      <DecidedDisputes />
    </>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <Title order={2} fz="h3" mt="xl" mb="sm">
      {children}
    </Title>
  );
}

function FraudWarnings() {
  const pages = useFraudWarningsInfiniteQuery('open');
  const isEmpty = !pages.data?.pages.some(({ warnings }) => warnings.length > 0);
  if (isEmpty && !pages.error) return null;
  return (
    <section>
      <Heading>Fraud warnings</Heading>
      {!isEmpty && (
        <Text mb="sm">
          The card’s bank suspects fraud. Refund the payment or cancel the booking before the
          cardholder disputes it: a dispute costs a fee, even one that you win.
        </Text>
      )}
      <PagedTable
        label="Fraud warnings"
        pages={pages}
        rowsOf={({ warnings }) => warnings}
        columns={warningColumns}
        rowKey={({ id }) => id}
        actions={({ id, stripeUrl }) => <StripeButton name={id} url={stripeUrl} />}
        empty={null}
      />
    </section>
  );
}

function OpenDisputes() {
  const pages = useDisputesInfiniteQuery('open');
  return (
    <section>
      <Heading>Open</Heading>
      <PagedTable
        label="Open disputes"
        pages={pages}
        rowsOf={({ disputes }) => disputes}
        columns={disputeColumns(useNow())}
        rowKey={({ id }) => id}
        actions={(dispute) => (
          <Group gap={6} justify="flex-end">
            <WaiveInquiry dispute={dispute} />
            <StripeButton name={dispute.id} url={dispute.stripeUrl} />
          </Group>
        )}
        empty={
          <EmptyState icon={IconGavel} title="No open disputes">
            You get a notice and an email as soon as there is one.
          </EmptyState>
        }
      />
    </section>
  );
}

function DecidedDisputes() {
  const pages = useDisputesInfiniteQuery('over');
  const isEmpty = !pages.data?.pages.some(({ disputes }) => disputes.length > 0);
  if (isEmpty && !pages.error) return null;
  return (
    <section>
      <Heading>Decided</Heading>
      <PagedTable
        label="Decided disputes"
        pages={pages}
        rowsOf={({ disputes }) => disputes}
        columns={decidedColumns}
        rowKey={({ id }) => id}
        actions={({ id, stripeUrl }) => <StripeButton name={id} url={stripeUrl} />}
        empty={null}
      />
    </section>
  );
}
