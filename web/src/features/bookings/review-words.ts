import type { Booking } from '@lendtools/contracts';
import { formatDate } from '../../rental/format-instant.ts';
import type { Side } from './next-step.tsx';

/** When the reviews of a booking will appear. */
export function appearInWords({ reviews }: Booking): string {
  const otherwise = reviews?.closesAt
    ? `on ${formatDate(reviews.closesAt)}`
    : '14 days after the rental is completed';
  return `when you both have written, or ${otherwise}`;
}

/** Which party's review a past booking waits for, in one sentence for a list; empty if it waits for none. */
export function reviewStepInWords(booking: Booking, side: Side): string {
  const { reviews, allowedActions, user, toolOwner } = booking;
  if (!reviews?.closesAt) return '';
  const [mine, theirs, other] =
    side === 'owner'
      ? [reviews.byOwner, reviews.byRenter, user]
      : [reviews.byRenter, reviews.byOwner, toolOwner];
  const mayWrite = allowedActions.includes(side === 'owner' ? 'reviewRenter' : 'review');
  if (!mayWrite || mine === theirs) return '';
  return mine
    ? `Your review appears ${appearInWords(booking)}.`
    : `${other.first_name} has written a review. Write yours to read it.`;
}
