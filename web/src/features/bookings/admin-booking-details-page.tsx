import { Stack } from '@mantine/core';
import { useUser } from '../../api/session-slice.ts';
import { formatMoney } from '../../lib/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import classes from './booking-facts.module.css';
import { BookingFacts, BookingSkeleton } from './booking-facts.tsx';
import { BookingReviews } from './booking-reviews.tsx';
import { CancelBooking } from './cancel-booking.tsx';
import { Thread } from './thread.tsx';
import { useBookingFromAddress } from './use-booking-from-address.ts';

/** The owner's view for an admin: they read along, and may cancel. */
export function Component() {
  const user = useUser();
  const { booking, error, reload } = useBookingFromAddress();
  return (
    <>
      <PageHeader
        title="Booking details"
        back={{ to: '/admin/all-rental-bookings', label: 'All Rental Bookings' }}
      />
      {booking && user && (
        <div className={classes.columns}>
          <BookingFacts
            booking={booking}
            actions={
              booking.booking_status === 'Booked' && (
                <CancelBooking
                  booking={booking}
                  userId={user.id}
                  consequence={`${booking.user.first_name} gets the full ${formatMoney(booking.payment)} back.`}
                />
              )
            }
          />
          <Stack gap="lg">
            <Thread
              bookingId={booking.id}
              user={user}
              other={`${booking.user.first_name} and ${booking.toolOwner.first_name}`}
              firstLabel=""
              readOnly
            />
            <BookingReviews booking={booking} />
          </Stack>
        </div>
      )}
      {!booking && (error ? <ErrorState error={error} onRetry={reload} /> : <BookingSkeleton />)}
    </>
  );
}
