import type { Booking } from '@lendtools/contracts';
import { Button, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { PagedRows, PagedTable, type Pages } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { BookingCards } from './booking-cards.tsx';
import classes from './booking-lists.module.css';
import type { Side } from './next-step.tsx';
import { useRefreshAtStart } from './use-refresh-at-start.ts';

interface BookingTableProps<Page> {
  label: string;
  pages: Pages<Page>;
  columns: Column<Booking>[];
  detailsPath: string;
  empty: ReactNode;
}

export function BookingTable<Page extends { bookings: Booking[] }>(props: BookingTableProps<Page>) {
  const { detailsPath, ...table } = props;
  return (
    <PagedTable
      {...table}
      rowsOf={({ bookings }) => bookings}
      rowKey={({ id }) => id}
      actions={({ id, name }) => (
        <Button
          component={Link}
          to={`${detailsPath}?id=${id}`}
          variant="light"
          size="sm"
          aria-label={`Details of ${name}`}
        >
          Details
        </Button>
      )}
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

export function BookingList({ open, over, empty, ...cards }: BookingListProps) {
  const userId = useUser()?.id ?? '';
  useRefreshAtStart(open.data?.pages.flatMap(({ bookings }) => bookings) ?? []);
  return (
    <PagedRows
      pages={inTurn(open, over)}
      rowsOf={({ bookings }) => bookings}
      empty={empty}
      waiting={<CardSkeleton />}
    >
      {(bookings) => <BookingCards bookings={bookings} userId={userId} {...cards} />}
    </PagedRows>
  );
}

function CardSkeleton() {
  return (
    <div className={classes.cards} aria-hidden>
      {['a', 'b', 'c'].map((card) => (
        <div key={card} className={classes.card}>
          <Skeleton className={classes.picture} h={72} />
          <Stack gap="xs">
            <Skeleton h={22} w="45%" />
            <Skeleton h={18} w="70%" />
          </Stack>
          <Skeleton h={40} className={classes.body} />
        </div>
      ))}
    </div>
  );
}
