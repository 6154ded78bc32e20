import type { OwnerWithDebt } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { randomId } from '../../lib/random-id.ts';
import { formatCents } from '../../rental/format.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { HoldPayouts } from '../../ui/payouts/hold-payouts.tsx';
import { payoutStates } from '../../ui/payouts/payout-words.ts';
import type { Column } from '../../ui/responsive-table.tsx';
import { TextDialog } from '../../ui/text-dialog.tsx';
import { useDebtsInfiniteQuery, useWriteOffDebtMutation } from './payouts-api.ts';

const longestReason = 500;

const columns: Column<OwnerWithDebt>[] = [
  {
    title: 'Owner',
    main: true,
    cell: ({ ownerId, ownerName }) => (
      <Anchor component={Link} to={paths.ofId(paths.user, ownerId)} inherit>
        {ownerName}
      </Anchor>
    ),
    sortBy: ({ ownerName }) => ownerName.toLowerCase(),
  },
  {
    title: 'Owes',
    cell: ({ debtCents }) => <span className="tabular">{formatCents(debtCents)}</span>,
    sortBy: ({ debtCents }) => debtCents,
  },
  {
    title: 'On the way, before commission',
    cell: ({ comingCents }) => <span className="tabular">{formatCents(comingCents)}</span>,
    sortBy: ({ comingCents }) => comingCents,
  },
  { title: 'First owed', cell: ({ since }) => formatDate(since), sortBy: ({ since }) => since },
  {
    title: 'Payouts',
    cell: ({ state, isHeld }) => (isHeld ? 'On hold' : payoutStates[state]),
  },
];

function WriteOff({ owner }: { owner: OwnerWithDebt }) {
  const { ownerId, ownerName, debtCents } = owner;
  const [writeOff] = useWriteOffDebtMutation();
  // Submitting the same debt again writes nothing off twice.
  const [key] = useState(randomId);
  const amount = formatCents(debtCents);
  return (
    <TextDialog
      button="Write off"
      buttonName={`Write off the debt of ${ownerName}`}
      size="sm"
      title={`Write off ${amount} of ${ownerName}?`}
      label="Reason"
      description="It is kept with the ledger; only admins read it."
      field="reason"
      missing="Please enter a reason"
      maxLength={longestReason}
      submit={`Write off ${amount}`}
      color="red.9"
      done={`${ownerName} owes nothing any more.`}
      onSubmit={(reason) =>
        writeOff({
          userId: ownerId,
          cents: debtCents,
          reason,
          idempotencyKey: `${key}-${debtCents}`,
        })
      }
    >
      You bear the loss, and {ownerName} owes nothing any more. This can’t be undone.
    </TextDialog>
  );
}

export function OwnersWithDebts() {
  return (
    <section aria-labelledby="debts">
      <Title order={2} fz="h3" mt="xl" mb="xs" id="debts">
        Owners with debts
      </Title>
      <Text c="dimmed" mb="sm">
        They were paid for bookings that were refunded or lost since. A debt is kept from what its
        owner earns next.
      </Text>
      <PagedTable
        label="Owners with debts"
        pages={useDebtsInfiniteQuery()}
        rowsOf={({ owners }) => owners}
        columns={columns}
        rowKey={({ ownerId }) => ownerId}
        actions={(owner) => (
          <Group gap={6} justify="flex-end">
            <Button
              component={Link}
              to={`${paths.earnings}?owner=${owner.ownerId}`}
              variant="light"
              size="sm"
              px="sm"
              aria-label={`Earnings of ${owner.ownerName}`}
            >
              Earnings
            </Button>
            <WriteOff owner={owner} />
            <HoldPayouts {...owner} />
          </Group>
        )}
        empty={
          <EmptyState icon={IconCircleCheck} title="Nobody owes anything">
            An owner appears here if a renter gets money back after the owner had been paid.
          </EmptyState>
        }
      />
    </section>
  );
}
