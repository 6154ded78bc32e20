import type { Booking } from '@lendtools/contracts';

export const fullName = ({ first_name, last_name }: Booking['user']) =>
  `${first_name} ${last_name}`;

const isOver = ({ booking_status }: Booking) =>
  booking_status === 'Cancelled' || booking_status === 'Expired';

/** A cancelled or expired booking is not returned, nor authorized any more: its own status says more. */
const unlessOver = (booking: Booking, word: string) =>
  isOver(booking) ? booking.booking_status : word;
export const returnedWord = (booking: Booking) => unlessOver(booking, booking.returned_status);
export const authorizationWord = (booking: Booking) => unlessOver(booking, booking.authorization);
