import { AppError, notFound } from '@lendtools/service-kit';

export const noticeNotFound = () => notFound('NOTICE_NOT_FOUND', 'There is no such notice.');

export const unsubscribeLinkInvalid = () =>
  new AppError(
    'UNSUBSCRIBE_LINK_INVALID',
    'This link no longer works. You can choose your emails in Settings.',
    { path: 'token' },
  );

/** The reply for another user's booking is the same as for a booking that does not exist. */
export const bookingNotFound = () =>
  notFound('BOOKING_NOT_FOUND', 'You have no booking that this could refer to.');
