import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Stack } from '@mantine/core';
import { Link } from 'react-router-dom';
import { type SessionUser, useUser } from '../../api/session-slice.ts';
import { useNow } from '../../lib/use-now.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { RequestActions } from './approval-actions.tsx';
import classes from './booking-facts.module.css';
import { BookingFacts, BookingSkeleton } from './booking-facts.tsx';
import { isRequest, threadHint } from './booking-words.ts';
import { CancelBooking } from './cancel-booking.tsx';
import { ReportProblem } from './problems.tsx';
import { ReviewBox } from './review-form.tsx';
import { Thread } from './thread.tsx';
import { useBookingFromAddress } from './use-booking-from-address.ts';

function RenterDetails({ booking, user }: { booking: Booking; user: SessionUser }) {
  const owner = booking.toolOwner.first_name;
  const canCancel = booking.allowedActions.includes('cancel');
  const canChange = booking.allowedActions.includes('change');
  const hasBegun = Date.parse(booking.startsAt) <= useNow();
  return (
    <div className={classes.columns}>
      <BookingFacts
        booking={booking}
        actions={
          <>
            {canChange && (
              <Button component={Link} to={paths.ofId(paths.changeBooking, booking.id)}>
                {hasBegun ? 'Keep it longer' : 'Change dates'}
              </Button>
            )}
            {canCancel && <CancelBooking booking={booking} userId={user.id} viewer="renter" />}
            <RequestActions booking={booking} userId={user.id} />
            <ReportProblem booking={booking} userId={user.id} />
          </>
        }
      />
      <Stack gap="lg">
        <Thread
          bookingId={booking.id}
          user={user}
          other={owner}
          otherId={booking.toolOwnerId}
          firstLabel="Send a new message to the tool owner"
          hint={threadHint(booking)}
        />
        {!isRequest(booking) && <ReviewBox booking={booking} userId={user.id} />}
      </Stack>
    </div>
  );
}

/** An upcoming or current rental is not history. */
function isOpenRental(booking: Booking | undefined): boolean {
  return booking?.booking_status === 'Booked' || booking?.booking_status === 'Requested';
}

export default function RentalHistoryDetailsPage() {
  const user = useUser();
  const { booking, error, reload } = useBookingFromAddress();
  return (
    <>
      <PageHeader
        title={isOpenRental(booking) ? 'My rental' : 'My Rental History details'}
        back={{ to: paths.rentalHistory, label: 'My Rental History' }}
      />
      {booking && user && <RenterDetails key={booking.id} booking={booking} user={user} />}
      {!booking && (error ? <ErrorState error={error} onRetry={reload} /> : <BookingSkeleton />)}
    </>
  );
}
