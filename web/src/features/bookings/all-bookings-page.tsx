import type { Booking } from '@lendtools/contracts';
import type { CsvColumn } from '@lendtools/contracts/csv';
import * as paths from '@lendtools/contracts/pages';
import { timeInWords } from '@lendtools/contracts/rental-period';
import { IconCalendarEvent } from '@tabler/icons-react';
import { ExportCsv } from '../../ui/export-csv.tsx';
import {
  Choice,
  FilterBar,
  SearchField,
  useListFilters,
  withoutEmpty,
} from '../../ui/list-filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { totalInWords } from '../../ui/total-in-words.ts';
import { ownerColumns } from './booking-columns.tsx';
import { BookingTable } from './booking-lists.tsx';
import { fullName, wasCharged } from './booking-words.ts';
import {
  type BookingFilters,
  useAllBookingsInfiniteQuery,
  useLazyEveryBookingQuery,
} from './bookings-api.ts';

/** Amounts have two decimals, so that they add up exactly. */
const csvColumns: CsvColumn<Booking>[] = [
  { title: 'Id', value: ({ id }) => id },
  { title: 'Booking Code', value: ({ booking_code }) => booking_code },
  { title: 'Tool Name', value: ({ name }) => name },
  { title: 'User Name', value: ({ user }) => fullName(user) },
  { title: 'Owner', value: ({ toolOwner }) => fullName(toolOwner) },
  { title: 'Price', value: ({ price }) => price.toFixed(2) },
  { title: 'Rental circle', value: ({ rental_circle }) => rental_circle },
  { title: 'Period', value: ({ period }) => period },
  { title: 'Quantity', value: ({ quantity }) => quantity },
  {
    title: 'Payment',
    value: (row) => (wasCharged(row) ? row.paid : 0).toFixed(2),
  },
  { title: 'Refunded', value: ({ refunded }) => refunded.toFixed(2) },
  { title: 'Pickup Date', value: ({ start_date }) => start_date },
  { title: 'Pickup Time', value: ({ start_time }) => timeInWords(start_time) },
  { title: 'Returning Date', value: ({ end_date }) => end_date },
  { title: 'Returning Time', value: ({ end_time }) => timeInWords(end_time) },
  { title: 'Booking Status', value: ({ booking_status }) => booking_status },
  { title: 'Returned Status', value: ({ returned_status }) => returned_status },
  { title: 'Authorization', value: ({ authorization }) => authorization },
  { title: 'Booked', value: (row) => (wasCharged(row) ? (row.bookedAt ?? row.createdAt) : null) },
  { title: 'Changed', value: ({ changedAt }) => changedAt },
];

const statuses = [
  ...['Requested', 'Booked', 'Returned', 'Completed', 'Cancelled'],
  ...['Declined', 'Withdrawn', 'Lapsed', 'Failed'],
].map((value) => ({ value, label: value }));

export default function AllBookingsPage() {
  const { filters, set } = useListFilters<keyof BookingFilters>(['q', 'status', 'overdue']);
  const query = withoutEmpty(filters);
  const isNarrowed = Object.keys(query).length > 0;
  const pages = useAllBookingsInfiniteQuery(query);
  const [loadEvery] = useLazyEveryBookingQuery();
  return (
    <>
      <PageHeader
        title="All Tool Bookings"
        intro={totalInWords(pages.data?.pages[0])}
        action={<ExportCsv name="bookings" columns={csvColumns} load={() => loadEvery(query)} />}
      />
      <FilterBar>
        <SearchField
          label="Search bookings"
          placeholder="Code, tool or person"
          value={filters.q}
          onSettled={(words) => set('q', words)}
        />
        <Choice
          label="Status"
          all="Any status"
          options={statuses}
          value={filters.status}
          onChange={(status) => set('status', status)}
        />
        <Choice
          label="Return"
          all="Any return"
          options={[{ value: 'true', label: 'Over, not confirmed' }]}
          value={filters.overdue}
          onChange={(overdue) => set('overdue', overdue)}
        />
      </FilterBar>
      <BookingTable
        label="All bookings"
        pages={pages}
        columns={ownerColumns}
        detailsPath={paths.adminBooking}
        empty={
          isNarrowed ? (
            <EmptyState icon={IconCalendarEvent} title="No bookings found">
              Try a booking code, part of a tool’s or a person’s name, or any status and return.
            </EmptyState>
          ) : (
            <EmptyState icon={IconCalendarEvent} title="No bookings yet">
              The first booking of the marketplace will appear here.
            </EmptyState>
          )
        }
      />
    </>
  );
}
