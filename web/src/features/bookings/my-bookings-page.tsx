import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { BookingList } from './booking-lists.tsx';
import { BookingTabs } from './booking-tabs.tsx';
import { useOwnerBookingsInfiniteQuery } from './bookings-api.ts';
import TodayStrip from './today-strip.tsx';

export default function MyBookingsPage() {
  return (
    <>
      <PageHeader title="My Bookings" intro="Who has booked your tools." />
      <BookingTabs />
      <TodayStrip />
      <BookingList
        label="Bookings of your tools"
        side="owner"
        open={useOwnerBookingsInfiniteQuery('open')}
        over={useOwnerBookingsInfiniteQuery('over')}
        detailsPath={paths.myBooking}
        empty={
          <EmptyState
            icon={IconCalendarEvent}
            title="Nobody has booked your tools yet"
            action={
              <Button component={Link} to={paths.addTool}>
                List a tool
              </Button>
            }
          >
            The more tools you list, the sooner a neighbor finds one. Bookings appear here at once.
          </EmptyState>
        }
      />
    </>
  );
}
