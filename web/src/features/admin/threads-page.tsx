import type { ListedThread } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatMoment } from '../../rental/format-instant.ts';
import { useListFilters, withoutEmpty } from '../../ui/list-filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/responsive-table.tsx';
import { type ThreadFilters, useThreadsInfiniteQuery } from './lists-api.ts';
import { PersonLink } from './person-link.tsx';

const columns: Column<ListedThread>[] = [
  {
    title: 'About',
    main: true,
    cell: ({ toolName }) => toolName,
    sortBy: ({ toolName }) => toolName.toLowerCase(),
  },
  { title: 'Renter', cell: ({ renter }) => <PersonLink person={renter} /> },
  { title: 'Owner', cell: ({ owner }) => <PersonLink person={owner} /> },
  {
    title: 'Messages',
    cell: ({ messages }) => <span className="tabular">{messages}</span>,
    sortBy: ({ messages }) => messages,
  },
  {
    title: 'Started',
    cell: ({ startedAt }) => formatMoment(startedAt),
    sortBy: ({ startedAt }) => startedAt,
  },
  { title: 'Last', cell: ({ lastAt }) => formatMoment(lastAt), sortBy: ({ lastAt }) => lastAt },
];

export default function ThreadsPage() {
  const { filters, set } = useListFilters<keyof ThreadFilters>(['userId']);
  const pages = useThreadsInfiniteQuery(withoutEmpty(filters) as ThreadFilters);
  return (
    <>
      <PageHeader
        title="Messages"
        intro="Who writes to whom, and how much; the texts are private and not listed."
        action={
          filters.userId && (
            <Button variant="default" onClick={() => set('userId', '')}>
              Show everyone’s
            </Button>
          )
        }
      />
      <PagedTable
        label="Messages"
        pages={pages}
        rowsOf={({ threads }) => threads}
        columns={columns}
        rowKey={({ id }) => id}
        actions={({ bookingId, toolName }) =>
          bookingId && (
            <Button
              component={Link}
              to={paths.ofId(paths.adminBooking, bookingId)}
              variant="light"
              size="sm"
              aria-label={`Booking of ${toolName}`}
            >
              Booking
            </Button>
          )
        }
        empty={
          <EmptyState icon={IconMessages} title="No messages yet">
            A thread appears here once a renter or an owner writes.
          </EmptyState>
        }
      />
    </>
  );
}
