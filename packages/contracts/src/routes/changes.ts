import * as bookings from '../api/bookings.ts';
import { fields } from '../api/common.ts';
import * as at from '../endpoints.ts';
import { routeOf } from '../route.ts';
import { byUserAndId, termsErrors } from './common.ts';

const route = routeOf('bookings');

const changeErrors = [
  'BOOKING_NOT_FOUND',
  'BOOKING_NOT_ACTIVE',
  'BOOKING_STARTED',
  'CHANGE_ALREADY_REQUESTED',
  'TOOL_ALREADY_BOOKED',
  ...termsErrors,
  'TOOL_UNAVAILABLE',
  'PERIOD_INVALID',
  'AMOUNT_INVALID',
] as const;

/** Changes of bookings, and the owner's approval of bookings and changes. */
export const changeRoutes = {
  changePreview: route(at.changePreview, {
    who: 'self',
    origin: 'ours',
    summary: 'The cost or refund of other dates or another quantity of a booking',
    params: byUserAndId,
    query: bookings.changeQuery,
    status: 200,
    reply: bookings.changePreviewReply,
    errors: [...changeErrors, 'TOO_MANY_REQUESTS'],
  }),
  changeBooking: route(at.changeBooking, {
    who: 'self',
    origin: 'ours',
    summary:
      'Change the dates or the quantity of a booking: immediately or, if it then costs more, once the difference is paid',
    params: byUserAndId,
    body: bookings.changeBookingBody,
    status: 200,
    reply: bookings.changeBookingReply,
    errors: [
      ...changeErrors,
      'CHANGE_PRICE_CHANGED',
      'TOO_MANY_HOLDS',
      'CART_TOO_LARGE',
      'TOO_MANY_REQUESTS',
    ],
  }),
  acceptApproval: route(at.acceptApproval, {
    who: 'self',
    origin: 'ours',
    summary:
      'Accept a requested booking or change, as the owner: the card is charged; a change that costs no more applies immediately',
    params: byUserAndId,
    body: bookings.acceptApprovalBody,
    status: 200,
    reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  undoAccept: route(at.undoAccept, {
    who: 'self',
    origin: 'ours',
    summary: 'Undo an acceptance whose card is not charged yet, as the owner',
    params: byUserAndId,
    body: fields({}),
    status: 200,
    reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  declineApproval: route(at.declineApproval, {
    who: 'self',
    permission: 'moderate',
    origin: 'ours',
    summary:
      'Decline a requested booking or change, as the owner or an admin; a booking to change stays unchanged',
    params: byUserAndId,
    body: bookings.declineApprovalBody,
    status: 200,
    reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
  withdrawApproval: route(at.withdrawApproval, {
    who: 'self',
    origin: 'ours',
    summary: 'Withdraw a requested booking or change that is not accepted yet, as the renter',
    params: byUserAndId,
    body: fields({}),
    status: 200,
    reply: bookings.rentalReply,
    errors: ['BOOKING_NOT_FOUND', 'BOOKING_NOT_ACTIVE'],
  }),
} as const;
