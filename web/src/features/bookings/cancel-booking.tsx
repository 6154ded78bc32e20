import type { Booking } from '@lendtools/contracts';
import { Button } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { formatMoney } from '../../lib/format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useCancelBookingMutation } from './bookings-api.ts';

/** What a cancellation gives back: `the full $24.00`, or what of it did not go back before. */
export const restInWords = ({ payment, refunded }: Booking): string =>
  refunded > 0 ? formatMoney(payment - refunded) : `the full ${formatMoney(payment)}`;

interface CancelBookingProps {
  booking: Booking;
  userId: string;
  /** What the dialog says of the money. */
  consequence: string;
}

/** Calls a paid booking off, after asking; the money goes back to the renter's card. */
export function CancelBooking({ booking, userId, consequence }: CancelBookingProps) {
  const [cancel, { isLoading }] = useCancelBookingMutation();
  const ask = async () => {
    const agreed = await confirm(`${booking.name}, ${booking.booking_code}. ${consequence}`, {
      title: 'Cancel this booking?',
      confirm: 'Cancel booking',
      cancel: 'Keep it',
    });
    if (!agreed) return;
    const { data, error } = await cancel({ userId, bookingId: booking.id });
    if (error) return toastError(errorMessage(error));
    toastSuccess(
      data.refund > 0
        ? `Booking cancelled. ${formatMoney(data.refund / 100)} goes back to the card.`
        : 'Booking cancelled.',
    );
  };
  return (
    <Button variant="default" loading={isLoading} onClick={() => void ask()}>
      Cancel booking
    </Button>
  );
}
