import type { Booking } from '@lendtools/contracts';

export function fullName({ first_name, last_name }: Booking['user']) {
  return `${first_name} ${last_name}`;
}

/** Whether the booking is paid and not canceled. */
export function isInForce({ booking_status }: Booking) {
  return ['Booked', 'Returned', 'Completed'].includes(booking_status);
}

/** Whether the card was ever charged: a request is charged only when it becomes a booking. */
export function wasCharged(booking: Booking) {
  return isInForce(booking) || booking.booking_status === 'Cancelled';
}

/** Whether the booking is a request that was never charged: still open, or ended without becoming a booking. */
export function isRequest(booking: Booking) {
  return Boolean(booking.approval) && !wasCharged(booking);
}

/** How a request ended that did not become a booking. */
export function outcomeInWords(
  { booking_status, user, toolOwner, approval }: Booking,
  side: 'owner' | 'renter',
): string {
  const isOwner = side === 'owner';
  const free = isOwner
    ? `${user.first_name}’s card was not charged.`
    : 'Your card was not charged.';
  const owner = approval?.by === 'admin' ? 'An admin' : isOwner ? 'You' : toolOwner.first_name;
  const outcomes: Partial<Record<Booking['booking_status'], string>> = {
    Declined: `${owner} declined. ${free}`,
    Withdrawn: `${isOwner ? user.first_name : 'You'} withdrew this request. ${free}`,
    Lapsed: `This request has ended without an answer. ${free}`,
    Failed: 'The card could not be charged, so there is no booking.',
  };
  return outcomes[booking_status] ?? '';
}

export type ThreadHint = 'question' | 'booked' | 'requested' | 'cancelled' | 'ended';

/** What an empty conversation suggests to its parties. */
export function threadHint(booking: Booking): ThreadHint {
  if (booking.booking_status === 'Cancelled') return 'cancelled';
  if (booking.booking_status === 'Requested') return 'requested';
  return isRequest(booking) ? 'ended' : 'booked';
}

/**
 * Returns `word` for a paid booking. Returns the booking's status for a request or a canceled booking, for which
 * `word` would mislead.
 */
function ifInForce(booking: Booking, word: string) {
  return isInForce(booking) ? word : booking.booking_status;
}

export function returnedWord(booking: Booking) {
  return ifInForce(booking, booking.returned_status);
}

export function authorizationWord(booking: Booking) {
  return ifInForce(booking, booking.authorization);
}
