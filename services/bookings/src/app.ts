import type { BoundRoute } from '@lendtools/service-kit';
import { acceptChange } from './accept-change/accept-change.ts';
import { acceptRequest } from './accept-request/accept-request.ts';
import { acceptReturn } from './accept-return/accept-return.ts';
import { addRentalBooking } from './add-rental-booking/add-rental-booking.ts';
import { addReview } from './add-review/add-review.ts';
import {
  calendarFeed,
  readCalendarFeed,
  renewCalendarFeed,
  stopCalendarFeed,
} from './calendar-feed/calendar-feed.ts';
import { cancelBooking } from './cancel-booking/cancel-booking.ts';
import { cancelPreview } from './cancel-preview/cancel-preview.ts';
import { changeBooking, changePreview } from './change-booking/change-booking.ts';
import type { Deps } from './deps.ts';
import { declineChange, withdrawChange } from './end-change-request/end-change-request.ts';
import { declineRequest, withdrawRequest } from './end-request/end-request.ts';
import { holdCart } from './hold-cart/hold-cart.ts';
import { checkPaymentLimit } from './limit-payments/check-payment-limit.ts';
import {
  allBookings,
  getBooking,
  ownerBookings,
  renterBookings,
} from './list-bookings/list-bookings.ts';
import { listBookingsOfPayments } from './list-bookings-of-payments/list-bookings-of-payments.ts';
import { listRefundsOfPayment, listRefundsOwed } from './list-refunds-owed/list-refunds-owed.ts';
import { listReviews } from './list-reviews/list-reviews.ts';
import { reportProblem } from './problems/report-problem.ts';
import { allProblems, settleProblem } from './problems/settle-problem.ts';
import { refundBooking } from './refund-booking/refund-booking.ts';
import { releaseHold } from './release-hold/release-hold.ts';
import { settleAuthorization } from './settle-authorization/settle-authorization.ts';
import { showAvailability } from './show-availability/show-availability.ts';
import { showEarnings } from './show-earnings/show-earnings.ts';
import { showOwner } from './show-owner/show-owner.ts';
import { showStats } from './show-stats/show-stats.ts';
import { startCheckout } from './start-checkout/start-checkout.ts';
import { undoReturn } from './undo-return/undo-return.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  holdCart(deps),
  releaseHold(deps),
  startCheckout(deps),
  checkPaymentLimit(deps),
  addRentalBooking(deps),
  acceptReturn(deps),
  undoReturn(deps),
  cancelBooking(deps),
  cancelPreview(deps),
  changePreview(deps),
  changeBooking(deps),
  acceptChange(deps),
  declineChange(deps),
  withdrawChange(deps),
  refundBooking(deps),
  reportProblem(deps),
  allProblems(deps),
  settleProblem(deps),
  acceptRequest(deps),
  declineRequest(deps),
  withdrawRequest(deps),
  ownerBookings(deps),
  renterBookings(deps),
  calendarFeed(deps),
  renewCalendarFeed(deps),
  stopCalendarFeed(deps),
  readCalendarFeed(deps),
  getBooking(deps),
  allBookings(deps),
  listReviews(deps),
  showAvailability(deps),
  showOwner(deps),
  showEarnings(deps),
  addReview(deps),
  showStats(deps),
  settleAuthorization(deps),
  listBookingsOfPayments(deps),
  listRefundsOfPayment(deps),
  listRefundsOwed(deps),
];
