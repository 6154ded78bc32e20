import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { BookingList } from './booking-lists.tsx';
import { BookingTabs } from './booking-tabs.tsx';
import { useRenterBookingsInfiniteQuery } from './bookings-api.ts';

export default function RentalHistoryPage() {
  const userId = useUser()?.id ?? '';
  return (
    <>
      <PageHeader title="My Rental History" intro="What you have rented." />
      <BookingTabs />
      <BookingList
        label="Your rentals"
        side="renter"
        open={useRenterBookingsInfiniteQuery({ userId, when: 'open' })}
        over={useRenterBookingsInfiniteQuery({ userId, when: 'over' })}
        detailsPath={paths.rental}
        empty={
          <EmptyState
            icon={IconHistory}
            title="You have not rented anything yet"
            action={
              <Button component={Link} to={paths.dashboard}>
                Browse tools
              </Button>
            }
          >
            Your neighbors have drills, ladders and saws to lend. Find one near you.
          </EmptyState>
        }
      />
    </>
  );
}
