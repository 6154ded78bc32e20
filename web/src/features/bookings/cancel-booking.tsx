import type { Booking, CancelPreview, RefundChanged } from '@lendtools/contracts';
import { limitInWords } from '@lendtools/contracts/cancellation';
import { findPendingChange } from '@lendtools/contracts/pending-change';
import { Button } from '@mantine/core';
import { errorMessage, problemOf } from '../../api/error-message.ts';
import { formatCents, formatMoney } from '../../lib/format.ts';
import { readersZone } from '../../lib/format-instant.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useCancelBookingMutation, useLazyCancelPreviewQuery } from './bookings-api.ts';

type Viewer = 'renter' | 'owner' | 'admin';

/** What stays with the owner and, to the renter, until when; empty where everything comes back for as long as there is. */
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

/** What a cancellation gives back, and why not all. A dispute is between renter and bank: no owner is told of it. */
function refundInWords(booking: Booking, preview: CancelPreview, viewer: Viewer): string {
  const { payment, refunded, held, user } = booking;
  const [refund, kept] = [preview.refundCents / 100, preview.keptCents / 100];
  const isRenter = viewer === 'renter';
  // What a payment lacks is spread over its bookings, which may be a cent off.
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

/** Cancels a paid booking, after asking; what the person was shown is refunded to the renter's card, or nothing happens. */
export function CancelBooking({ booking, userId, viewer }: CancelBookingProps) {
  const [preview, { isFetching }] = useLazyCancelPreviewQuery();
  const [cancel, { isLoading }] = useCancelBookingMutation();
  const askAbout = async (shown: CancelPreview, isChanged = false): Promise<void> => {
    const money = refundInWords(booking, shown, viewer);
    const changed = isChanged ? ' This has changed in the meantime.' : '';
    const dates = viewer === 'owner' ? ' The dates are free again.' : '';
    const asker = viewer === 'renter' ? 'you' : booking.user.first_name;
    const change = findPendingChange(booking) ? ` The change ${asker} asked for ends with it.` : '';
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
      if (other) return askAbout(other, true);
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
    if (data) await askAbout(data);
    else toastError(errorMessage(error));
  };
  return (
    // A button that is disabled meanwhile would lose the focus that the dialog gives back to it.
    <Button variant="default" loading={isLoading} aria-busy={isFetching} onClick={() => void ask()}>
      Cancel booking
    </Button>
  );
}
