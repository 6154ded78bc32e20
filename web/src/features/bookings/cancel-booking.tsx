import type { Booking, CancelPreview, RefundChanged } from '@lendtools/contracts';
import { limitInWords } from '@lendtools/contracts/cancellation';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { Button } from '@mantine/core';
import { errorMessage, problemOf } from '../../api/error-message.ts';
import { formatCents, formatMoney } from '../../rental/format.ts';
import { readersZone } from '../../rental/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useCancelBookingMutation, useLazyCancelPreviewQuery } from './bookings-api.ts';

type Viewer = 'renter' | 'owner' | 'admin';

function policyInWords(
  { timeZone, toolOwner }: Booking,
  { refundCents, keptCents, until, next }: CancelPreview,
): string[] {
  const isLess = next !== null && next.refundCents < refundCents;
  return [
    keptCents > 0 &&
      `By the cancellation policy, ${formatCents(keptCents)} stays with ${toolOwner.first_name}.`,
    isLess &&
      until !== null &&
      `This holds until ${limitInWords(Date.parse(until), { timeZone, readersZone: readersZone() })}; after that ${next.refundCents > 0 ? `it is ${formatCents(next.refundCents)}` : 'nothing goes back'}.`,
  ].filter((words) => words !== false);
}

/** Describes the refund of a cancellation. Owners are not told that a payment is disputed. */
function refundInWords(booking: Booking, preview: CancelPreview, viewer: Viewer): string {
  const { payment, refunded, held, user } = booking;
  const [refund, kept] = [preview.refundCents / 100, preview.keptCents / 100];
  const isRenter = viewer === 'renter';
  // Money neither refunded nor kept by the owner is disputed. Ignore a cent of rounding: bookings may share a payment.
  const isDisputed = payment - refunded - refund - kept > 0.011;
  const whose = isRenter ? 'your' : `${user.first_name}’s`;
  if (refund === 0) {
    if (kept > 0)
      return [`Nothing goes back to ${whose} card.`, ...policyInWords(booking, preview)].join(' ');
    if (!isDisputed) return 'The money was already refunded.';
    const why = viewer === 'owner' ? '' : `: the payment was disputed with ${whose} bank`;
    return `Nothing goes back to ${whose} card now${why}.`;
  }
  const amount = `${refund === payment ? 'the full ' : ''}${formatMoney(refund)}`;
  return [
    isRenter ? `You get ${amount} back to your card.` : `${user.first_name} gets ${amount} back.`,
    ...policyInWords(booking, preview),
    refunded > 0 && `${formatMoney(refunded)} went back before.`,
    held > 0 &&
      viewer !== 'owner' &&
      `${held === refund ? 'It' : `${formatMoney(held)} of it`} waits until the dispute with ${whose} bank is over.`,
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

/** Cancels a paid booking. The server refuses if the refund differs from the amount shown here. */
export function CancelBooking({ booking, userId, viewer }: CancelBookingProps) {
  const [preview, { isFetching }] = useLazyCancelPreviewQuery();
  const [cancel, { isLoading }] = useCancelBookingMutation();
  const confirmRefund = async (shown: CancelPreview, isChanged = false): Promise<void> => {
    const money = refundInWords(booking, shown, viewer);
    const changed = isChanged ? ' This has changed in the meantime.' : '';
    const dates = viewer === 'owner' ? ' The dates are free again.' : '';
    const requester = viewer === 'renter' ? 'you' : booking.user.first_name;
    const change = requestedChangeOf(booking)
      ? ` The change ${requester} asked for ends with it.`
      : '';
    const what = `${booking.name}, ${booking.booking_code}.`;
    const agreed = await confirm(`${what}${changed} ${money}${dates}${change}`, {
      title: 'Cancel this booking?',
      confirm: 'Cancel booking',
      cancel: 'Keep it',
    });
    if (!agreed) return;
    const { refundCents } = shown;
    const { data, error } = await cancel({ userId, bookingId: booking.id, refundCents });
    if (error) {
      const { preview: other } = problemOf<RefundChanged>(error);
      if (other) return confirmRefund(other, true);
      return toastError(errorMessage(error));
    }
    toastSuccess(
      data.refundCents > 0
        ? `Booking cancelled. ${formatCents(data.refundCents)} goes back to the card.`
        : 'Booking cancelled.',
    );
  };
  const ask = async () => {
    if (isFetching) return;
    const { data, error } = await preview(booking.id);
    if (data) await confirmRefund(data);
    else toastError(errorMessage(error));
  };
  return (
    // Not `disabled` while fetching: the dialog could not return the focus to a disabled button.
    <Button variant="default" loading={isLoading} aria-busy={isFetching} onClick={() => void ask()}>
      Cancel booking
    </Button>
  );
}
