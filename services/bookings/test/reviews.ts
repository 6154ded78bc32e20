import { type BookingsService, inDays, type Person } from './bookings-service.ts';

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
export const fromToday = {
  start_date: inDays(0),
  start_time: '',
  end_date: inDays(1),
  end_time: '',
};

/** Calls about reviews of the service that a test has started. */
export const reviewsAt = (service: () => BookingsService) => {
  const review = (
    renter: Person,
    bookingId: string,
    rating: unknown = 4,
    more: Record<string, unknown> = {},
  ) =>
    service().http.post(`/api/user/${renter.userId}/reviews/add-review`, {
      ...renter,
      body: { rentalBooking_id: bookingId, rating, comment: 'Drilled well.', ...more },
    });

  const reviewRenter = (owner: Person, bookingId: string, more: Record<string, unknown> = {}) =>
    service().http.post(`/api/user/${owner.userId}/rentalBookings/review-renter/${bookingId}`, {
      ...owner,
      body: { care: 5, punctuality: 4, communication: 3, comment: 'Came on time.', ...more },
    });

  const reply = (who: Person, reviewId: string, text = 'Thank you!') =>
    service().http.post(`/api/user/${who.userId}/reviews/${reviewId}/reply`, {
      ...who,
      body: { text },
    });

  /** Makes a booking completed for some days, and runs the tasks that were due since. */
  const completeDaysAgo = async (bookingId: string, days = 0): Promise<void> => {
    await service().pool.query(
      `UPDATE bookings SET status = 'completed', completed_at = now() - $2 * interval '1 day',
         reviewable_from = now() - $2 * interval '1 day' WHERE id = $1`,
      [bookingId, days],
    );
  };

  /** A booking that has begun. */
  const lent = async () => {
    const [owner, renter] = [
      await service().neighbor({ firstName: 'Olga', lastName: 'Owner' }),
      await service().neighbor({ firstName: 'Ray', lastName: 'Renter', city: 'Evanston' }),
    ];
    const { toolId } = await service().tool({ ownerId: owner.userId });
    const { id } = await service().booked(renter, toolId, fromToday);
    return { id, owner, renter, toolId };
  };

  /** A booking that was completed today. */
  const lentAndCompleted = async () => {
    const booking = await lent();
    await completeDaysAgo(booking.id);
    return booking;
  };

  const reviewsOf = async (query: string, reader: Partial<Person> = {}) =>
    (await service().http.get(`/api/rentalBookings/get-review?${query}`, reader)).body;

  return {
    review,
    reviewRenter,
    reply,
    completeDaysAgo,
    lent,
    lentAndCompleted,
    reviewsOf,
    /** What the public reads of a tool's reviews. */
    async visible(toolId: string) {
      const { reviews, counts } = await reviewsOf(`rental_id=${toolId}`);
      const { body } = await service().http.get(`/api/rentals/${toolId}/owner`);
      const stars = reviews.map(({ rating }: { rating: number }) => rating);
      return { stars, counts, rating: body.owner.rating as number };
    },
  };
};
