import type { Booking } from '@lendtools/contracts';
import { Button } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { formatMoney } from '../../lib/format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useCancelBookingMutation } from './bookings-api.ts';

type Viewer = 'renter' | 'owner' | 'admin';

/** What a cancellation gives back, and why not all. A dispute is between renter and bank: no owner is told of it. */
function refundInWords(booking: Booking, viewer: Viewer): string {
  const { payment, refunded, refundable, held, user } = booking;
  const isRenter = viewer === 'renter';
  // What a payment lacks is spread over its bookings, which may be a cent off.
  const isDisputed = payment - refunded - refundable > 0.011;
  const whose = isRenter ? 'your' : `${user.first_name}’s`;
  if (refundable === 0) {
    if (!isDisputed) return 'The money was already refunded.';
    const why = viewer === 'owner' ? '' : `: the payment was disputed with ${whose} bank`;
    return `Nothing goes back to ${whose} card now${why}.`;
  }
  const amount = `${refundable === payment ? 'the full ' : ''}${formatMoney(refundable)}`;
  return [
    isRenter ? `You get ${amount} back to your card.` : `${user.first_name} gets ${amount} back.`,
    refunded > 0 && `${formatMoney(refunded)} went back before.`,
    held > 0 &&
      viewer !== 'owner' &&
      `${held === refundable ? 'It' : `${formatMoney(held)} of it`} waits until the dispute with ${whose} bank is over.`,
    isDisputed && viewer !== 'owner' && `The rest was disputed with ${whose} bank.`,
  ]
    .filter(Boolean)
    .join(' ');
}

interface CancelBookingProps {
  booking: Booking;
  userId: string;
  viewer: Viewer;
}

/** Cancels a paid booking, after asking; the money is refunded to the renter's card. */
export function CancelBooking({ booking, userId, viewer }: CancelBookingProps) {
  const [cancel, { isLoading }] = useCancelBookingMutation();
  const ask = async () => {
    const money = refundInWords(booking, viewer);
    const dates = viewer === 'owner' ? ' The dates are free again.' : '';
    const agreed = await confirm(`${booking.name}, ${booking.booking_code}. ${money}${dates}`, {
      title: 'Cancel this booking?',
      confirm: 'Cancel booking',
      cancel: 'Keep it',
    });
    if (!agreed) return;
    const { data, error } = await cancel({ userId, bookingId: booking.id });
    if (error) return toastError(errorMessage(error));
    toastSuccess(
      data.refundCents > 0
        ? `Booking cancelled. ${formatMoney(data.refundCents / 100)} goes back to the card.`
        : 'Booking cancelled.',
    );
  };
  return (
    <Button variant="default" loading={isLoading} onClick={() => void ask()}>
      Cancel booking
    </Button>
  );
}
