import type { Booking } from '@lendtools/contracts';

export const fullName = ({ first_name, last_name }: Booking['user']) =>
  `${first_name} ${last_name}`;

/** Whether the booking is paid and not canceled. */
export const isInForce = ({ booking_status }: Booking) =>
  ['Booked', 'Returned', 'Completed'].includes(booking_status);

/** Whether the card was ever charged. A request is charged only when it becomes a booking. */
export const wasCharged = (booking: Booking) =>
  isInForce(booking) || booking.booking_status === 'Cancelled';

/** Whether it is a request that was never charged: still open, or ended without becoming a booking. */
export const isRequest = (booking: Booking) => Boolean(booking.request) && !wasCharged(booking);

/** A canceled booking or a request is neither returned nor authorized, so show its own status instead. */
const ifInForce = (booking: Booking, word: string) =>
  isInForce(booking) ? word : booking.booking_status;
export const returnedWord = (booking: Booking) => ifInForce(booking, booking.returned_status);
export const authorizationWord = (booking: Booking) => ifInForce(booking, booking.authorization);
