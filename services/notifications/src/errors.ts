import { notFound } from '@lendtools/service-kit';

export const noticeNotFound = () => notFound('NOTICE_NOT_FOUND', 'There is no such notice.');

/** The same reply whether or not someone else has such a booking. */
export const bookingNotFound = () =>
  notFound('BOOKING_NOT_FOUND', 'You have no booking that this could refer to.');
