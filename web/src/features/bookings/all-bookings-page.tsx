import { IconCalendarEvent } from '@tabler/icons-react';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { ownerColumns } from './booking-columns.tsx';
import { BookingTable } from './booking-lists.tsx';
import { useAllBookingsInfiniteQuery } from './bookings-api.ts';

/** Every booking of the marketplace, for admins. */
export function Component() {
  const pages = useAllBookingsInfiniteQuery();
  const total = pages.data?.pages[0]?.total;
  return (
    <>
      <PageHeader
        title="All Tool Bookings"
        intro={total === undefined ? undefined : `${total} in total, newest first.`}
      />
      <BookingTable
        label="All bookings"
        pages={pages}
        columns={ownerColumns}
        detailsPath="/admin/booking-details"
        empty={
          <EmptyState icon={IconCalendarEvent} title="No bookings yet">
            The first booking of the marketplace will appear here.
          </EmptyState>
        }
      />
    </>
  );
}
