import type { Booking } from '@lendtools/contracts';

export const fullName = ({ first_name, last_name }: Booking['user']) =>
  `${first_name} ${last_name}`;

/** Whether the tool is paid for and the owner's to hand over. */
export const isInForce = ({ booking_status }: Booking) =>
  ['Booked', 'Returned', 'Completed'].includes(booking_status);

/** Whether it was ever charged: a request is not, until it is a booking. */
export const wasCharged = (booking: Booking) =>
  isInForce(booking) || booking.booking_status === 'Cancelled';

/** A request is a booking's beginning, or all there was of it. */
export const isRequest = (booking: Booking) => Boolean(booking.request) && !wasCharged(booking);

/** What is cancelled, or only requested, is neither returned nor authorized: its own status says more. */
const ifInForce = (booking: Booking, word: string) =>
  isInForce(booking) ? word : booking.booking_status;
export const returnedWord = (booking: Booking) => ifInForce(booking, booking.returned_status);
export const authorizationWord = (booking: Booking) => ifInForce(booking, booking.authorization);
