import type { StuckTransfer, StuckTransferReason } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { useHashTarget } from '../../lib/use-hash-target.ts';
import { formatCents } from '../../rental/format.ts';
import { formatMoment } from '../../rental/format-instant.ts';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { HoldPayouts } from '../../ui/payouts/hold-payouts.tsx';
import { StripeButton } from '../../ui/payouts/stripe-button.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useRetryTransferMutation, useStuckTransfersInfiniteQuery } from './payouts-api.ts';

/** A retry removes a transfer from the list within seconds, and no push announces that. */
const pollMs = 10_000;

const reasons: Record<StuckTransferReason, string> = {
  account: 'The owner’s account at Stripe isn’t ready. The owner is reminded.',
  hold: 'The owner’s payouts are on hold.',
  dispute: 'The payment is disputed.',
  unknown: 'Stripe’s reply was lost. It is looked up at Stripe before the next try.',
  rejected: 'Stripe rejected it.',
  balance: 'Your balance at Stripe is too low.',
  returned: 'It was reversed in Stripe’s dashboard. Send it again?',
  forgotten: 'It should have been sent a day ago, and nothing is going to send it.',
};

/** Retrying these would end with the same reason. */
const cannotRetry: StuckTransferReason[] = ['account', 'hold', 'dispute'];

function nameOf({ toolName, bookingCode }: StuckTransfer): string {
  return `${toolName}, ${bookingCode}`;
}

const columns: Column<StuckTransfer>[] = [
  {
    title: 'Amount',
    main: true,
    cell: ({ cents }) => <span className="tabular">{formatCents(cents)}</span>,
  },
  {
    title: 'Owner',
    cell: ({ ownerId, ownerName }) => (
      <Anchor component={Link} to={paths.ofId(paths.user, ownerId)} inherit>
        {ownerName}
      </Anchor>
    ),
  },
  {
    title: 'Booking',
    cell: (transfer) => (
      <Anchor component={Link} to={paths.ofId(paths.adminBooking, transfer.bookingId)} inherit>
        {nameOf(transfer)}
      </Anchor>
    ),
  },
  {
    title: 'Reason',
    wide: true,
    cell: ({ reason, error }) => (
      <>
        {reasons[reason]}
        {error && (
          <Text span display="block" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Stripe: “{error}”
          </Text>
        )}
      </>
    ),
  },
  { title: 'Since', cell: ({ since }) => formatMoment(since) },
  {
    title: 'Next try',
    cell: ({ nextTryAt }) => (nextTryAt === null ? 'None' : formatMoment(nextTryAt)),
  },
];

function RetryButton({ transfer }: { transfer: StuckTransfer }) {
  const [retry, { isLoading }] = useRetryTransferMutation();
  const run = async () => {
    const { paymentId, bookingId } = transfer;
    const { data, error } = await retry({ paymentId, bookingId });
    if (!data) return toastError(errorMessage(error));
    toastSuccess(data.message);
  };
  return (
    <Button
      size="sm"
      px="sm"
      loading={isLoading}
      aria-label={`Try again: ${nameOf(transfer)}`}
      onClick={() => void run()}
    >
      Try again
    </Button>
  );
}

function Actions({ transfer }: { transfer: StuckTransfer }) {
  const { reason, ownerId, ownerName, stripeUrl } = transfer;
  return (
    <Group gap={6} justify="flex-end">
      {!cannotRetry.includes(reason) && <RetryButton transfer={transfer} />}
      {reason === 'hold' && <HoldPayouts ownerId={ownerId} ownerName={ownerName} isHeld />}
      {reason === 'dispute' && (
        <Button
          component={Link}
          to={paths.disputes}
          variant="default"
          size="sm"
          px="sm"
          aria-label={`Disputes: ${nameOf(transfer)}`}
        >
          Disputes
        </Button>
      )}
      <StripeButton name={nameOf(transfer)} url={stripeUrl} />
    </Group>
  );
}

export function StuckTransfers() {
  const section = useHashTarget<HTMLElement>('stuck');
  const pages = useStuckTransfersInfiniteQuery(undefined, {
    pollingInterval: pollMs,
    skipPollingIfUnfocused: true,
  });
  return (
    <section ref={section} aria-labelledby="stuck">
      <Title order={2} fz="h3" mt="xl" mb="sm" id="stuck">
        Stuck transfers
      </Title>
      <PagedTable
        label="Stuck transfers"
        pages={pages}
        rowsOf={({ transfers }) => transfers}
        columns={columns}
        rowKey={({ paymentId, bookingId }) => `${paymentId} ${bookingId}`}
        actions={(transfer) => <Actions transfer={transfer} />}
        empty={
          <EmptyState icon={IconCircleCheck} title="No transfer is stuck">
            What owners may be paid and can’t be sent appears here, with the reason.
          </EmptyState>
        }
      />
    </section>
  );
}
