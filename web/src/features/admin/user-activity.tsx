import type { Booking, Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatDayAndYear, formatMoney } from '../../rental/format.ts';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Price } from '../../ui/price.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useBookingsOfUserInfiniteQuery, useToolsOfUserInfiniteQuery } from './admin-api.ts';

const toolColumns: Column<Tool>[] = [
  {
    title: 'Name',
    cell: ({ name }) => name,
    sortBy: ({ name }) => name.toLowerCase(),
    main: true,
  },
  { title: 'Tool Category', cell: ({ category }) => category.name },
  { title: 'Status', cell: ({ item_status }) => <StatusBadge status={item_status} /> },
  {
    title: 'Price',
    cell: ({ price, rental_circle }) => <Price amount={price} circle={rental_circle} />,
    sortBy: ({ price }) => price,
  },
];

function bookingColumns(userId: string): Column<Booking>[] {
  return [
    { title: 'Tool Name', cell: ({ name }) => name, main: true },
    { title: 'Booking Code', cell: ({ booking_code }) => booking_code },
    {
      title: 'As',
      cell: ({ toolOwnerId, user, toolOwner }) =>
        toolOwnerId === userId
          ? `owner, to ${user.first_name}`
          : `renter, of ${toolOwner.first_name}`,
    },
    { title: 'Pickup Date', cell: ({ start_date }) => formatDayAndYear(start_date) },
    {
      title: 'Paid',
      cell: ({ payment }) => formatMoney(payment),
      sortBy: ({ payment }) => payment,
    },
    { title: 'Status', cell: ({ booking_status }) => <StatusBadge status={booking_status} /> },
  ];
}

function LinkTo({ to, label, children }: { to: string; label: string; children: string }) {
  return (
    <Button component={Link} to={to} variant="light" size="sm" aria-label={label}>
      {children}
    </Button>
  );
}

export function UserActivity({ userId }: { userId: string }) {
  return (
    <>
      <Title order={2} fz="h3" mt="xl" mb="sm">
        Tools
      </Title>
      <PagedTable
        label="Tools of this user"
        pages={useToolsOfUserInfiniteQuery(userId)}
        rowsOf={({ rentals }) => rentals}
        columns={toolColumns}
        rowKey={({ id }) => id}
        actions={({ id, name }) => (
          <LinkTo to={paths.ofId(paths.tool, id)} label={`See ${name}`}>
            See
          </LinkTo>
        )}
        empty={<Text c="dimmed">No tools listed.</Text>}
      />
      <Title order={2} fz="h3" mt="xl" mb="sm">
        Bookings
      </Title>
      <PagedTable
        label="Bookings of this user"
        pages={useBookingsOfUserInfiniteQuery(userId)}
        rowsOf={({ bookings }) => bookings}
        columns={bookingColumns(userId)}
        rowKey={({ id }) => id}
        actions={({ id, name, booking_code }) => (
          <LinkTo
            to={paths.ofId(paths.adminBooking, id)}
            label={`Details of ${name}, ${booking_code}`}
          >
            Details
          </LinkTo>
        )}
        empty={<Text c="dimmed">Nothing lent or rented.</Text>}
      />
    </>
  );
}
