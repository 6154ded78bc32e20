import type { EarnedBooking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Badge, SegmentedControl, Text, Title } from '@mantine/core';
import { IconCoin } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { datesInWords, formatCents } from '../../rental/format.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { useListFilters } from '../../ui/list-filters.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { EarnedSum } from './earned-sum.tsx';
import { type EarnedWhen, usePayoutsInfiniteQuery } from './payouts-api.ts';
import { shortWaits } from './wait-words.ts';

function statusOf(booking: EarnedBooking): [word: string, color: string] {
  const { debtCents, onTheWayCents, availableCents, transferredCents, outsideStripeCents } =
    booking;
  if (debtCents > 0) return ['You owe', 'red'];
  if (onTheWayCents > 0) return ['On the way', 'orange'];
  if (availableCents > 0) return ['Available', 'orange'];
  if (transferredCents > 0) return ['Paid', 'green'];
  if (outsideStripeCents > 0) return ['Not paid by Stripe', 'gray'];
  return booking.nettedCents > 0 ? ['Kept for a debt', 'gray'] : ['Nothing earned', 'gray'];
}

/** Amounts, reasons and days below the status. */
function detailsOf(booking: EarnedBooking): string[] {
  const { debtCents, onTheWayCents, availableCents, nettedCents } = booking;
  const { waitsFor, expectedAt, transferredAt, transferredCents } = booking;
  const waitingCents = onTheWayCents + availableCents;
  return [
    debtCents > 0 && `${formatCents(debtCents)} to give back`,
    waitingCents > 0 && formatCents(waitingCents),
    waitsFor && shortWaits[waitsFor],
    expectedAt && Date.parse(expectedAt) > Date.now() && `Expected ${formatDate(expectedAt)}`,
    transferredAt &&
      transferredCents > 0 &&
      `${formatCents(transferredCents)} on ${formatDate(transferredAt)}`,
    nettedCents > 0 && `${formatCents(nettedCents)} kept for what you owed`,
    nettedCents < 0 && `${formatCents(-nettedCents)} kept from other bookings`,
  ].filter((line) => typeof line === 'string');
}

function Status({ booking }: { booking: EarnedBooking }) {
  const [word, color] = statusOf(booking);
  return (
    <>
      <Badge variant="light" size="lg" tt="none" fw={600} miw="max-content" color={color}>
        <span data-testid="status">{word}</span>
      </Badge>
      {detailsOf(booking).map((line) => (
        <Text key={line} span display="block" size="xs" c="dimmed" mt={2}>
          {line}
        </Text>
      ))}
    </>
  );
}

const columns: Column<EarnedBooking>[] = [
  {
    title: 'Booking',
    main: true,
    cell: ({ bookingId, toolName, bookingCode, renterName }) => (
      <>
        <Anchor
          component={Link}
          to={paths.ofId(paths.myBooking, bookingId)}
          inherit
          fw={600}
          display="block"
        >
          {toolName}, {bookingCode}
        </Anchor>
        <Text span display="block" size="xs" c="dimmed">
          {renterName}
        </Text>
      </>
    ),
  },
  {
    title: 'Dates',
    cell: ({ startDate, endDate }) => datesInWords({ start_date: startDate, end_date: endDate }),
  },
  {
    title: 'Earned',
    wide: true,
    cell: (booking) => <EarnedSum {...booking} grossCents={booking.paidCents} />,
  },
  { title: 'Status', wide: true, cell: (booking) => <Status booking={booking} /> },
];

const choices = [
  { value: '', label: 'All' },
  { value: 'waiting', label: 'Open' },
  { value: 'over', label: 'Done' },
];

export function EarnedBookings({ ownerId }: { ownerId: string }) {
  const { filters, set } = useListFilters(['when']);
  const chosen = choices.find(({ value }) => value === filters.when)?.value ?? '';
  const when = (chosen || undefined) as EarnedWhen;
  return (
    <section aria-labelledby="by-booking">
      <Title order={2} fz="h3" mt="xl" mb="xs" id="by-booking">
        By booking
      </Title>
      <Text c="dimmed" mb="sm">
        What renters paid − our commission = what you earn.
      </Text>
      <SegmentedControl
        mb="md"
        aria-label="Which bookings"
        data={choices}
        value={chosen}
        onChange={(value) => set('when', value)}
      />
      <PagedTable
        label="Earnings by booking"
        pages={usePayoutsInfiniteQuery({ ownerId, ...(when && { when }) })}
        rowsOf={({ bookings }) => bookings}
        columns={columns}
        rowKey={({ bookingId }) => bookingId}
        empty={
          <EmptyState
            icon={IconCoin}
            title={chosen === 'waiting' ? 'Nothing is open' : 'Nothing is done yet'}
          >
            {chosen === 'waiting'
              ? 'No money is on the way, and you owe nothing.'
              : 'Bookings move here once you are paid.'}
          </EmptyState>
        }
      />
    </section>
  );
}
