import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Stack } from '@mantine/core';
import { Navigate } from 'react-router-dom';
import { type SessionUser, useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { RequestActions } from './approval-actions.tsx';
import classes from './booking-facts.module.css';
import { BookingFacts, BookingSkeleton } from './booking-facts.tsx';
import { isRequest, threadHint } from './booking-words.ts';
import { CancelBooking } from './cancel-booking.tsx';
import { ConfirmReturned } from './confirm-returned.tsx';
import { ReportProblem } from './problems.tsx';
import { RenterReviewBox } from './renter-review-form.tsx';
import { Thread } from './thread.tsx';
import { UndoReturn } from './undo-return.tsx';
import { useBookingFromAddress } from './use-booking-from-address.ts';

function OwnerActions({ booking, userId }: { booking: Booking; userId: string }) {
  const { allowedActions } = booking;
  return (
    <>
      {/* Keep the button mounted after the return is confirmed, because its dialog may still be open. */}
      {(allowedActions.includes('acceptReturn') || booking.returnedAt) && (
        <ConfirmReturned booking={booking} userId={userId} />
      )}
      <UndoReturn booking={booking} userId={userId} />
      <RequestActions booking={booking} userId={userId} />
      <ReportProblem booking={booking} userId={userId} />
      {allowedActions.includes('cancel') && (
        <CancelBooking booking={booking} userId={userId} viewer="owner" />
      )}
    </>
  );
}

function OwnerDetails({ booking, user }: { booking: Booking; user: SessionUser }) {
  const renter = booking.user.first_name;
  return (
    <div className={classes.columns}>
      <BookingFacts
        booking={booking}
        actions={<OwnerActions booking={booking} userId={user.id} />}
      />
      <Stack gap="lg">
        <Thread
          bookingId={booking.id}
          user={user}
          other={renter}
          otherId={booking.userId}
          firstLabel={`Send a new message to ${renter}`}
          hint={threadHint(booking)}
        />
        {!isRequest(booking) && <RenterReviewBox booking={booking} userId={user.id} />}
      </Stack>
    </div>
  );
}

export default function MyBookingDetailsPage() {
  const user = useUser();
  const { booking, error, reload } = useBookingFromAddress();
  // A notice links to the owner's page for both parties, so redirect the renter.
  if (booking && booking.userId === user?.id && booking.toolOwnerId !== user.id) {
    return <Navigate to={paths.ofId(paths.rental, booking.id)} replace />;
  }
  return (
    <>
      <PageHeader
        title="My bookings details"
        back={{ to: paths.myBookings, label: 'My Bookings' }}
      />
      {booking && user && <OwnerDetails key={booking.id} booking={booking} user={user} />}
      {!booking && (error ? <ErrorState error={error} onRetry={reload} /> : <BookingSkeleton />)}
    </>
  );
}
