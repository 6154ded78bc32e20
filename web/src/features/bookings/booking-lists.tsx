import type { Booking } from '@lendtools/contracts';
import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useNow } from '../../lib/use-now.ts';
import { PagedTable, type Pages } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { AcceptRequest } from './approval-actions.tsx';
import { BookingCards } from './booking-cards.tsx';
import { ownerColumns, renterColumns } from './booking-columns.tsx';
import { groupBookings } from './booking-time.ts';
import type { Side } from './next-step.tsx';
import { useRefreshAtStart } from './use-refresh-at-start.ts';

interface BookingTableProps<Page> {
  label: string;
  pages: Pages<Page>;
  columns: Column<Booking>[];
  detailsPath: string;
  empty: ReactNode;
}

function DetailsLink({ booking, path }: { booking: Booking; path: string }) {
  const needsAnswer = booking.approval?.change && booking.allowedActions.includes('accept');
  return (
    <Button
      component={Link}
      to={`${path}?id=${booking.id}`}
      variant={needsAnswer ? 'filled' : 'light'}
      size="sm"
      aria-label={needsAnswer ? `Answer the change: ${booking.name}` : `Details of ${booking.name}`}
    >
      {needsAnswer ? 'Answer' : 'Details'}
    </Button>
  );
}

export function BookingTable<Page extends { bookings: Booking[] }>(props: BookingTableProps<Page>) {
  const { detailsPath, ...table } = props;
  return (
    <PagedTable
      {...table}
      rowsOf={({ bookings }) => bookings}
      rowKey={({ id }) => id}
      actions={(booking) => <DetailsLink booking={booking} path={detailsPath} />}
    />
  );
}

interface BookingsPage {
  bookings: Booking[];
}

/** Joins open and past bookings. A booking returned between the two requests is in both lists; show it once, as past. */
function inTurn(open: Pages<BookingsPage>, over: Pages<BookingsPage>): Pages<BookingsPage> {
  const next = open.hasNextPage ? open : over;
  const byId = new Map<string, Booking>();
  for (const { bookings } of [...(over.data?.pages ?? []), ...(open.data?.pages ?? [])]) {
    for (const booking of bookings) if (!byId.has(booking.id)) byId.set(booking.id, booking);
  }
  return {
    ...(open.data && over.data && { data: { pages: [{ bookings: [...byId.values()] }] } }),
    error: open.error ?? over.error,
    isFetchingNextPage: next.isFetchingNextPage,
    hasNextPage: next.hasNextPage,
    fetchNextPage: next.fetchNextPage,
    refetch: () => {
      void open.refetch();
      void over.refetch();
    },
  };
}

interface BookingListProps {
  label: string;
  side: Side;
  open: Pages<BookingsPage>;
  over: Pages<BookingsPage>;
  detailsPath: string;
  empty: ReactNode;
}

/** From this width on, the table of ten columns fits beside the sidebar. */
const roomForTable = '(min-width: 77em)';

export function BookingList({ label, side, open, over, detailsPath, empty }: BookingListProps) {
  const userId = useUser()?.id ?? '';
  const now = useNow();
  useRefreshAtStart(open.data?.pages.flatMap(({ bookings }) => bookings) ?? []);
  const isWide = useMediaQuery(roomForTable, true, { getInitialValueInEffect: false });
  const cards = (bookings: Booking[]) => (
    <BookingCards
      label={label}
      bookings={bookings}
      userId={userId}
      side={side}
      detailsPath={detailsPath}
    />
  );
  return (
    <PagedTable
      label={label}
      pages={inTurn(open, over)}
      columns={side === 'owner' ? ownerColumns : renterColumns}
      empty={empty}
      rowsOf={({ bookings }) => bookings}
      rowKey={({ id }) => id}
      groupRows={(bookings) => groupBookings(bookings, now)}
      {...(!isWide && { cards })}
      actions={(booking) => (
        <Group gap={4} justify="end">
          <AcceptRequest booking={booking} userId={userId} />
          <DetailsLink booking={booking} path={detailsPath} />
        </Group>
      )}
    />
  );
}
