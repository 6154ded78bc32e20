import type { Booking } from '@lendtools/contracts';
import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatDay, formatMoney } from '../../lib/format.ts';
import { shortId } from '../../lib/format-instant.ts';
import { PagedTable, type Pages } from '../../ui/paged-table.tsx';
import { Price } from '../../ui/price.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const fullName = ({ first_name, last_name }: Booking['user']) => `${first_name} ${last_name}`;

const isOver = ({ booking_status }: Booking) =>
  booking_status === 'Cancelled' || booking_status === 'Expired';

/** A cancelled or expired booking is not returned, nor authorized any more: its own status says more. */
const unlessOver = (booking: Booking, word: string) =>
  isOver(booking) ? booking.booking_status : word;
const returnedWord = (booking: Booking) => unlessOver(booking, booking.returned_status);
const authorizationWord = (booking: Booking) => unlessOver(booking, booking.authorization);

const oneLine = { whiteSpace: 'nowrap' } as const;
const Day = ({ date }: { date: string }) => <span style={oneLine}>{formatDay(date)}</span>;

const idColumn: Column<Booking> = {
  title: 'Id',
  cell: ({ id }) => <span title={id}>{shortId(id)}</span>,
};
const nameColumn: Column<Booking> = {
  title: 'Tool Name',
  cell: ({ name }) => name,
  sortBy: ({ name }) => name.toLowerCase(),
  main: true,
};
const codeColumn: Column<Booking> = {
  title: 'Booking Code',
  cell: ({ booking_code }) => <span className="tabular">{booking_code}</span>,
};
const restColumns: Column<Booking>[] = [
  {
    title: 'Price',
    cell: ({ price, rental_circle, payment }) => (
      <>
        <Price amount={price} circle={rental_circle} inherit />
        {payment !== price && (
          <Text span display="block" size="xs" c="dimmed" className="tabular" style={oneLine}>
            {formatMoney(payment, true)} total
          </Text>
        )}
      </>
    ),
    sortBy: ({ price }) => price,
  },
  {
    title: 'Pickup Date',
    cell: ({ start_date }) => <Day date={start_date} />,
    sortBy: ({ startsAt }) => startsAt,
  },
  {
    title: 'Returning Date',
    cell: ({ end_date }) => <Day date={end_date} />,
    sortBy: ({ endsAt }) => endsAt,
  },
  {
    title: 'Returned Status',
    cell: (booking) => <StatusBadge status={returnedWord(booking)} />,
    sortBy: returnedWord,
  },
  {
    title: 'Authorization',
    cell: (booking) => <StatusBadge status={authorizationWord(booking)} />,
    sortBy: authorizationWord,
  },
];

export const ownerColumns: Column<Booking>[] = [
  idColumn,
  nameColumn,
  {
    title: 'User Name',
    cell: ({ user }) => fullName(user),
    sortBy: ({ user }) => fullName(user),
  },
  codeColumn,
  ...restColumns,
];

export const renterColumns: Column<Booking>[] = [
  idColumn,
  nameColumn,
  {
    title: 'Owner',
    cell: ({ toolOwner }) => fullName(toolOwner),
    sortBy: ({ toolOwner }) => fullName(toolOwner),
  },
  codeColumn,
  ...restColumns,
];

interface BookingListProps<Page> {
  label: string;
  pages: Pages<Page>;
  columns: Column<Booking>[];
  detailsPath: string;
  empty: ReactNode;
}

export function BookingList<Page extends { bookings: Booking[] }>(props: BookingListProps<Page>) {
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
