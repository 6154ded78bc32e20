import { addToOutbox, type Consumer, newEvent, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { partiesOf } from '../../store/booking-events.ts';
import { lockBooking } from '../../store/booking-repository.ts';
import { hideRenterReview } from '../../store/renter-review-repository.ts';
import { findBookingOfReview, hideReview } from '../../store/review-repository.ts';

/** Hides a review of either party, or shows it again, with the tool's stars. */
export const hideReviewWhenModerated = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.hide-review-when-moderated', pool, async ({ data, version }, tx) => {
    const { about, contentId: id, hiddenReason } = data;
    const bookingId = about === 'review' && (await findBookingOfReview(tx, id));
    // The booking's lock also keeps its parties from editing their reviews meanwhile.
    const booking = bookingId && (await lockBooking(tx, bookingId));
    if (!booking) return;
    const hidden = { id, isHidden: hiddenReason !== null, version };
    await hideRenterReview(tx, hidden);
    const sums = await hideReview(tx, hidden);
    if (!sums) return;
    const rated = { ...partiesOf(booking), toolRatingCount: sums.count, toolRatingSum: sums.sum };
    await addToOutbox(tx, newEvent('ReviewWithdrawn', { ...sums, id: booking.toolId }, rated));
  });
