import { type ApiClient, retryWhile } from './api-client.ts';
import type { Person } from './play-story.ts';

const reviews = [
  { care: 5, punctuality: 5, communication: 5, comment: 'Came back cleaner than I lent it.' },
  { care: 5, punctuality: 4, communication: 5, comment: 'Friendly and careful. Any time again.' },
  { care: 4, punctuality: 5, communication: 4, comment: 'On time, with all parts in the case.' },
  {
    care: 5,
    punctuality: 5,
    communication: 4,
    comment: 'Asked good questions and took good care.',
  },
];

/** Owners review the renters of completed bookings, so that the reviews of both appear. */
export async function reviewRenters(
  api: ApiClient,
  lent: { bookingId: string; owner: Person }[],
): Promise<void> {
  // The task that completes the booking may still be running.
  for (const [index, { bookingId, owner }] of lent.entries())
    await retryWhile('BOOKING_NOT_ACTIVE', () =>
      api.post(`/api/user/${owner.id}/rentalBookings/review-renter/${bookingId}`, {
        token: owner.token,
        body: reviews[index % reviews.length] ?? {},
      }),
    );
}
