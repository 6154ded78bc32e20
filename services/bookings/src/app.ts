import type { BoundRoute } from '@lendtools/service-kit';
import { updateBooking } from './accept-return/accept-return.ts';
import { addRentalBooking } from './add-rental-booking/add-rental-booking.ts';
import { addReview } from './add-review/add-review.ts';
import { cancelBooking } from './cancel-booking/cancel-booking.ts';
import type { Deps } from './deps.ts';
import { holdCart } from './hold-cart/hold-cart.ts';
import {
  allBookings,
  getBooking,
  ownerBookings,
  renterBookings,
} from './list-bookings/list-bookings.ts';
import { getReviews } from './list-reviews/list-reviews.ts';
import { releaseHold } from './release-hold/release-hold.ts';
import { bookingStats } from './show-stats/show-stats.ts';
import { startCheckout } from './start-checkout/start-checkout.ts';

/** Every route of this service. */
export const routes = (deps: Deps): BoundRoute[] => [
  holdCart(deps),
  releaseHold(deps),
  startCheckout(deps),
  addRentalBooking(deps),
  updateBooking(deps),
  cancelBooking(deps),
  ownerBookings(deps),
  renterBookings(deps),
  getBooking(deps),
  allBookings(deps),
  getReviews(deps),
  addReview(deps),
  bookingStats(deps),
];
