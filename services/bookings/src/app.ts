import type { BoundRoute } from '@lendtools/service-kit';
import { listAllReviews } from './admin/list-all-reviews/list-all-reviews.ts';
import { workOfBookings } from './admin/work-of-bookings/work-of-bookings.ts';
import { acceptApproval } from './approvals/accept-approval/accept-approval.ts';
import { declineApproval, withdrawApproval } from './approvals/end-approval/end-approval.ts';
import { undoAccept } from './approvals/undo-accept/undo-accept.ts';
import { acceptReturn } from './bookings/accept-return/accept-return.ts';
import {
  calendarFeed,
  readCalendarFeed,
  renewCalendarFeed,
  stopCalendarFeed,
} from './bookings/calendar-feed/calendar-feed.ts';
import { cancelBooking } from './bookings/cancel-booking/cancel-booking.ts';
import { cancelPreview } from './bookings/cancel-preview/cancel-preview.ts';
import {
  allBookings,
  getBooking,
  ownerBookings,
  renterBookings,
} from './bookings/list-bookings/list-bookings.ts';
import { reportProblem } from './bookings/problems/report-problem.ts';
import { allProblems, settleProblem } from './bookings/problems/settle-problem.ts';
import { refundBooking } from './bookings/refund-booking/refund-booking.ts';
import { showEarnings } from './bookings/show-earnings/show-earnings.ts';
import { showStats } from './bookings/show-stats/show-stats.ts';
import { showToday } from './bookings/show-today/show-today.ts';
import { undoReturn } from './bookings/undo-return/undo-return.ts';
import { changeBooking, changePreview } from './changes/change-booking/change-booking.ts';
import type { Deps } from './deps.ts';
import { addRentalBooking } from './holds/add-rental-booking/add-rental-booking.ts';
import { holdCart } from './holds/hold-cart/hold-cart.ts';
import { checkPaymentLimit } from './holds/limit-payments/check-payment-limit.ts';
import { releaseHold } from './holds/release-hold/release-hold.ts';
import { startCheckout } from './holds/start-checkout/start-checkout.ts';
import { countOpenBookings } from './people/count-open-bookings/count-open-bookings.ts';
import { exportData } from './people/export-data/export-data.ts';
import { listPersonReviews } from './people/list-person-reviews/list-person-reviews.ts';
import { showPerson } from './people/show-person/show-person.ts';
import { addReview } from './reviews/add-review/add-review.ts';
import { listReviews } from './reviews/list-reviews/list-reviews.ts';
import { replyToReview } from './reviews/reply-to-review/reply-to-review.ts';
import { reviewRenter } from './reviews/review-renter/review-renter.ts';
import { showReportedReview } from './reviews/show-reported-review/show-reported-review.ts';
import { listBookingsOfPayments } from './settle/list-bookings-of-payments/list-bookings-of-payments.ts';
import { listEarnedBookings } from './settle/list-earned-bookings/list-earned-bookings.ts';
import { listOrdersOfPayment } from './settle/list-orders-of-payment/list-orders-of-payment.ts';
import { listReceiptLines } from './settle/list-receipt-lines/list-receipt-lines.ts';
import {
  listRefundsOfPayment,
  listRefundsOwed,
} from './settle/list-refunds-owed/list-refunds-owed.ts';
import { settleAuthorization } from './settle/settle-authorization/settle-authorization.ts';
import { showAvailability } from './tools/show-availability/show-availability.ts';
import { showOwner } from './tools/show-owner/show-owner.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  holdCart(deps),
  releaseHold(deps),
  startCheckout(deps),
  checkPaymentLimit(deps),
  countOpenBookings(deps),
  addRentalBooking(deps),
  acceptReturn(deps),
  undoReturn(deps),
  cancelBooking(deps),
  cancelPreview(deps),
  changePreview(deps),
  changeBooking(deps),
  refundBooking(deps),
  reportProblem(deps),
  allProblems(deps),
  settleProblem(deps),
  acceptApproval(deps),
  undoAccept(deps),
  declineApproval(deps),
  withdrawApproval(deps),
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
  showPerson(deps),
  listPersonReviews(deps),
  showReportedReview(deps),
  showEarnings(deps),
  showToday(deps),
  addReview(deps),
  reviewRenter(deps),
  replyToReview(deps),
  showStats(deps),
  listAllReviews(deps),
  workOfBookings(deps),
  settleAuthorization(deps),
  listBookingsOfPayments(deps),
  listEarnedBookings(deps),
  listReceiptLines(deps),
  listRefundsOfPayment(deps),
  listOrdersOfPayment(deps),
  listRefundsOwed(deps),
  exportData(deps),
];
