import type { Booking } from '@lendtools/contracts';
import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useNow } from '../../lib/use-now.ts';
import { PagedTable, type Pages } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { BookingCards } from './booking-cards.tsx';
import { ownerColumns, renterColumns } from './booking-columns.tsx';
import { groupBookings } from './booking-time.ts';
import type { Side } from './next-step.tsx';
import { AcceptRequest } from './request.tsx';
import { useRefreshAtStart } from './use-refresh-at-start.ts';

interface BookingTableProps<Page> {
  label: string;
  pages: Pages<Page>;
  columns: Column<Booking>[];
  detailsPath: string;
  empty: ReactNode;
}

/** A link to the details, emphasized if a change is waiting for an answer there. */
function DetailsLink({ booking, path }: { booking: Booking; path: string }) {
  const isAsked = booking.allowedActions.includes('acceptChange');
  return (
    <Button
      component={Link}
      to={`${path}?id=${booking.id}`}
      variant={isAsked ? 'filled' : 'light'}
      size="sm"
      aria-label={isAsked ? `Answer the change: ${booking.name}` : `Details of ${booking.name}`}
    >
      {isAsked ? 'Answer' : 'Details'}
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

interface Rows {
  bookings: Booking[];
}

/**
 * Joins the open and the past bookings into one list; the open ones load first. A booking that is returned between the
 * two requests is in both lists and is shown once, as past.
 */
function inTurn(open: Pages<Rows>, over: Pages<Rows>): Pages<Rows> {
  const next = open.hasNextPage ? open : over;
  const known = new Map<string, Booking>();
  for (const { bookings } of [...(over.data?.pages ?? []), ...(open.data?.pages ?? [])]) {
    for (const booking of bookings) if (!known.has(booking.id)) known.set(booking.id, booking);
  }
  return {
    ...(open.data && over.data && { data: { pages: [{ bookings: [...known.values()] }] } }),
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
  open: Pages<Rows>;
  over: Pages<Rows>;
  detailsPath: string;
  empty: ReactNode;
}

/** The width from which the table of ten columns fits beside the sidebar. */
const roomForTable = '(min-width: 77em)';

/** A user's bookings, grouped by what is due: a table on wide screens, cards on narrow ones. */
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
          <AcceptRequest booking={booking} userId={userId} size="sm" />
          <DetailsLink booking={booking} path={detailsPath} />
        </Group>
      )}
    />
  );
}
