import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Stack } from '@mantine/core';
import { useUser } from '../../api/session-slice.ts';
import { usePermission } from '../../api/use-permission.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { RequestActions } from './approval-actions.tsx';
import classes from './booking-facts.module.css';
import { BookingFacts, BookingSkeleton } from './booking-facts.tsx';
import { BookingReviews } from './booking-reviews.tsx';
import { isRequest, threadHint } from './booking-words.ts';
import { CancelBooking } from './cancel-booking.tsx';
import { ConfirmReturned } from './confirm-returned.tsx';
import { RefundBooking } from './refund-booking.tsx';
import { SettlementFacts } from './settlement.tsx';
import { Thread } from './thread.tsx';
import { UndoReturn } from './undo-return.tsx';
import { useBookingFromAddress } from './use-booking-from-address.ts';

function AdminActions({ booking, userId }: { booking: Booking; userId: string }) {
  const { allowedActions } = booking;
  return (
    <>
      {/* Keep the button mounted after the return is confirmed, because its dialog may still be open. */}
      {(allowedActions.includes('acceptReturn') || booking.returnedAt) && (
        <ConfirmReturned booking={booking} userId={userId} asAdmin />
      )}
      <UndoReturn booking={booking} userId={userId} />
      <RequestActions booking={booking} userId={userId} />
      <RefundBooking booking={booking} />
      {allowedActions.includes('cancel') && (
        <CancelBooking booking={booking} userId={userId} viewer="admin" />
      )}
    </>
  );
}

export default function AdminBookingDetailsPage() {
  const user = useUser();
  const mayReadMessages = usePermission('moderate');
  const { booking, error, reload } = useBookingFromAddress();
  return (
    <>
      <PageHeader
        title="Booking details"
        back={{ to: paths.allBookings, label: 'All Rental Bookings' }}
      />
      {booking && user && (
        <div className={classes.columns}>
          <BookingFacts
            booking={booking}
            actions={<AdminActions booking={booking} userId={user.id} />}
          />
          <Stack gap="lg">
            {mayReadMessages && (
              <Thread
                bookingId={booking.id}
                user={user}
                other={`${booking.user.first_name} and ${booking.toolOwner.first_name}`}
                firstLabel=""
                hint={threadHint(booking)}
                repliesOnly
              />
            )}
            {!isRequest(booking) && (
              <>
                <SettlementFacts booking={booking} />
                <BookingReviews booking={booking} />
              </>
            )}
          </Stack>
        </div>
      )}
      {!booking && (error ? <ErrorState error={error} onRetry={reload} /> : <BookingSkeleton />)}
    </>
  );
}
