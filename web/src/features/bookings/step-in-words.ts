import type { Booking } from '@lendtools/contracts';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { answerByInWords } from '../../rental/answer-by.ts';
import { formatDayAndTime, formatMoney } from '../../rental/format.ts';
import { timeStatus } from '../../rental/time-status.ts';
import { outcomeInWords } from './booking-words.ts';
import type { Side } from './next-step.tsx';
import { reviewStepInWords } from './review-words.ts';

function answerInWords(booking: Booking, side: Side): string {
  const { approval, user, toolOwner } = booking;
  if (!approval) return '';
  const isOwner = side === 'owner';
  const whose = isOwner ? `${user.first_name}’s` : 'Your';
  if (approval.status === 'accepted') return `Accepted. ${whose} card is being charged…`;
  if (approval.chargesAt) return `Accepted. ${whose} card is charged in a moment.`;
  const by = answerByInWords(approval, booking);
  const what = approval.change ? 'asked for a change' : 'asks to rent it';
  return isOwner
    ? `${user.first_name} ${what}. Answer until ${by}.`
    : `${toolOwner.first_name} answers ${approval.change ? 'your change ' : ''}until ${by}.`;
}

function refundInWords({ cancellation }: Booking): string {
  const refund = cancellation?.refund ?? 0;
  return refund > 0
    ? `Cancelled, ${formatMoney(refund)} refunded.`
    : 'Cancelled, without a refund.';
}

/** What happens next with a booking, or how it ended, in one sentence for a list; empty if nothing is left to say. */
export function stepInWords(booking: Booking, side: Side, now: number): string {
  const { user, toolOwner, start_date, start_time, end_date, end_time } = booking;
  const isOwner = side === 'owner';
  if (booking.booking_status === 'Requested' || requestedChangeOf(booking))
    return answerInWords(booking, side);
  const start = formatDayAndTime(start_date, start_time);
  const end = formatDayAndTime(end_date, end_time);
  switch (timeStatus(booking, now)) {
    case 'Upcoming':
      return isOwner
        ? `Hand it over to ${user.first_name} on ${start}.`
        : `Pick it up on ${start}.`;
    case 'Out now':
      return isOwner ? `${user.first_name} brings it back on ${end}.` : `Bring it back on ${end}.`;
    case 'Due back':
      return isOwner ? 'Due back. Confirm once you have it.' : 'Bring it back now.';
    case 'Overdue':
      return isOwner
        ? `${user.first_name} was to bring it back on ${end}.`
        : `You were to bring it back on ${end}. ${toolOwner.first_name} waits for it.`;
    case 'Back':
    case 'Completed':
      return reviewStepInWords(booking, side);
    case null:
      return booking.booking_status === 'Cancelled'
        ? refundInWords(booking)
        : outcomeInWords(booking, side);
  }
}
