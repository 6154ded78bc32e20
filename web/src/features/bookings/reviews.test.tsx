import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Booking, RenterReview, Review } from '@lendtools/contracts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { buildBooking, buildMessage, ids, sam } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildReview, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const closesAt = '2026-12-12T12:00:00.000Z';
const appears = '2026-12-01T12:00:00.000Z';

let booking: Booking;
let reviews: Review[];
let api: FakeApi;
beforeEach(async () => {
  reviews = [];
  booking = completed();
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/rentalBookings/get-review': () => ({ reviews, nextCursor: null, counts: null }),
    'GET /api/rentalBookings/:id/details': () => ({ booking }),
    'GET /api/rentalBookings/my-bookings': ({ query }) => ({
      bookings: query.get('when') === 'over' ? [booking] : [],
      nextCursor: null,
    }),
    'GET /api/user/:id/today': () => problem(503, 'UNAVAILABLE', 'Not now.'),
    'GET /api/messaging/:id/my-messages': () => ({ messaging: [buildMessage()] }),
    'GET /api/replies/:id/my-replies': () => ({ replies: [], nextCursor: null }),
    'POST /api/user/:id/rentalBookings/review-renter/:bookingId': () => [
      201,
      { message: 'Thank you for your review.', rental: booking },
    ],
    'POST /api/user/:id/reviews/:reviewId/reply': () => [
      201,
      { message: 'Your reply is published.' },
    ],
  });
});
afterEach(() => api.stop());

function completed(overrides: Partial<Booking> = {}): Booking {
  return buildBooking({
    booking_status: 'Completed',
    returned_status: 'Returned',
    returnedAt: '2026-11-26T12:00:00.000Z',
    completedAt: '2026-11-28T12:00:00.000Z',
    allowedActions: [],
    reviews: { byRenter: false, byOwner: false, closesAt },
    renterReview: null,
    ...overrides,
  });
}

function reviewOfRita(overrides: Partial<RenterReview> = {}): RenterReview {
  return {
    id: '0190f200-0000-7000-8000-000000000001',
    care: 5,
    punctuality: 4,
    communication: 3,
    comment: 'Came on time.',
    createdAt: appears,
    publishedAt: appears,
    reply: null,
    ...overrides,
  };
}

function openAsOwner() {
  return renderApp(`/user/my-bookings-details?id=${ids.booking}`, { api, user: sam });
}

function openAsRenter() {
  return renderApp(`/user/my-rental-history-details?id=${ids.booking}`, { api, user: rita });
}

describe('the owner’s form', () => {
  it('is the next step of a completed booking, and requires all stars and a text', async () => {
    booking = completed({ allowedActions: ['reviewRenter'] });
    const { user } = await renderApp('/user/my-bookings', { api, user: sam });
    await user.click(await screen.findByRole('link', { name: 'Review Rita: Hammer drill' }));
    const send = await screen.findByRole('button', { name: 'Send a review' });

    await user.click(send);
    expect(await screen.findAllByText('Please choose 1 to 5 stars')).toHaveLength(3);
    for (const part of ['Care of the tool: 5', 'Punctuality: 4', 'Communication: 3'])
      await user.click(screen.getByRole('radio', { name: `${part} stars` }));
    await user.type(screen.getByLabelText('Your review'), 'Came on time.');
    await user.click(send);

    expect(await screen.findByText('Thank you for your review.')).toBeInTheDocument();
    expect(
      api.calls('POST /api/user/:id/rentalBookings/review-renter/:bookingId')[0]?.json,
    ).toEqual({ care: 5, punctuality: 4, communication: 3, comment: 'Came on time.' });
  });

  it('shows when a review appears, and that the renter has written', async () => {
    booking = completed({
      allowedActions: ['reviewRenter'],
      reviews: { byRenter: true, byOwner: true, closesAt },
      renterReview: reviewOfRita({ publishedAt: null }),
    });

    await openAsOwner();

    expect(await screen.findByRole('button', { name: 'Change your review' })).toBeInTheDocument();
    expect(
      screen.getByText(
        'It appears when you both have written, or on Dec 12, 2026. Rita has written one about your tool.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByLabelText('Your review')).toHaveValue('Came on time.');
  });

  it('is replaced by a note before the completion, and once the time is over', async () => {
    booking = buildBooking({ booking_status: 'Returned', allowedActions: [] });
    await openAsOwner();
    expect(
      await screen.findByText('You can review Rita once the rental is completed.'),
    ).toBeInTheDocument();

    cleanup();
    booking = completed();
    await openAsOwner();

    expect(await screen.findByText('The time to review this rental is over.')).toBeInTheDocument();
  });
});

describe('the renter’s form', () => {
  it('shows when a review appears, and sends stars for the owner', async () => {
    booking = completed({ allowedActions: ['review'] });
    api.handlers['POST /api/user/:id/reviews/add-review'] = () => [
      201,
      { message: 'Thank you for your review.', review: {} },
    ];
    const { user } = await openAsRenter();

    await user.click(await screen.findByRole('radio', { name: '4 stars' }));
    await user.click(screen.getByRole('radio', { name: 'How was Sam? (optional): 5 stars' }));
    await user.type(screen.getByLabelText('Your review'), 'Strong.');
    expect(
      screen.getByText('Your review appears when you both have written, or on Dec 12, 2026.'),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Send a review' }));

    await screen.findByText('Thank you for your review.');
    expect(api.calls('POST /api/user/:id/reviews/add-review')[0]?.json).toMatchObject({
      rating: 4,
      ownerRating: 5,
    });
  });
});

describe('while the reviews of a booking can’t be read', () => {
  function failReviews() {
    api.handlers['GET /api/rentalBookings/get-review'] = () =>
      problem(503, 'UNAVAILABLE', 'Not now.');
  }

  it('shows the renter the error, and the form after a retry', async () => {
    booking = completed({ allowedActions: ['review'] });
    failReviews();
    const { user } = await openAsRenter();
    const retry = await screen.findByRole('button', { name: 'Try again' });

    api.handlers['GET /api/rentalBookings/get-review'] = () => ({ reviews, nextCursor: null });
    await user.click(retry);

    expect(await screen.findByRole('button', { name: 'Send a review' })).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('keeps the owner’s form beside the error', async () => {
    booking = completed({ allowedActions: ['reviewRenter'] });
    failReviews();

    await openAsOwner();

    expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Send a review' })).toBeInTheDocument();
  });
});

describe('reviews that have appeared', () => {
  it('can’t be changed, and the reviewed person replies once', async () => {
    reviews = [{ ...buildReview(), ownerRating: 4, publishedAt: appears, reply: null }];
    booking = completed({ renterReview: reviewOfRita() });
    const { user } = await openAsOwner();

    expect(await screen.findByText('Went through the wall at once.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /review/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reply in public' }));
    expect(await screen.findByText('Please enter your reply')).toBeInTheDocument();
    await user.type(screen.getByLabelText('Your public reply'), 'Come again!');
    await user.click(screen.getByRole('button', { name: 'Reply in public' }));

    expect(await screen.findByText('Your reply is published.')).toBeInTheDocument();
    expect(api.calls('POST /api/user/:id/reviews/:reviewId/reply')[0]?.json).toEqual({
      text: 'Come again!',
    });
  });

  it('show the renter both reviews and the reply', async () => {
    const reply = { text: 'Come again!', at: appears };
    reviews = [{ ...buildReview(), publishedAt: appears, reply }];
    booking = completed({ renterReview: reviewOfRita() });

    await openAsRenter();

    const card = within(await screen.findByRole('article', { name: 'Sam’s review of you' }));
    expect(card.getByText('Came on time.')).toBeInTheDocument();
    expect(card.getByRole('button', { name: 'Reply in public' })).toBeInTheDocument();
    expect(screen.getByText('Come again!')).toBeInTheDocument();
    await waitFor(() => expect(screen.getAllByText(/replied:/)).toHaveLength(1));
  });
});
