import { notFound } from '@lendtools/service-kit';

export const noticeNotFound = () => notFound('NOTICE_NOT_FOUND', 'There is no such notice.');

/** For anyone who has no such booking, whether or not somebody else has. */
export const bookingNotFound = () =>
  notFound('BOOKING_NOT_FOUND', 'You have no booking that this could refer to.');
