import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PersonReview, PublicPerson } from '@lendtools/contracts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { ids } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const sam: PublicPerson = {
  id: ids.sam,
  first_name: 'Sam',
  last_name: 'O.',
  image: 'null',
  city: 'Portland',
  state: 'Oregon',
  memberSince: '2026-03-10T10:00:00.000Z',
  emailVerified: true,
  answers: { count: 20, percent: 95, medianMinutes: 130 },
  asOwner: { rentals: 12, reviewCount: 8, rating: 4.75, ownerRating: 4.9 },
  asRenter: { rentals: 1, reviewCount: 1, care: 5, punctuality: 4, communication: 5 },
};

const review: PersonReview = {
  id: '0190f100-0000-7000-8000-000000000001',
  toolName: 'Hammer drill',
  rating: 5,
  ownerRating: 4,
  parts: null,
  comment: 'Went through the wall at once.',
  reply: { text: 'Come again!', at: '2026-10-13T10:00:00.000Z' },
  author: { id: rita.id, first_name: 'Rita', last_name: 'L.', image: 'null' },
  createdAt: '2026-10-12T10:00:00.000Z',
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/people/:id': () => ({ person: sam }),
    'GET /api/people/:id/reviews': ({ query }) => ({
      reviews: query.get('as') === 'owner' ? [review] : [],
      nextCursor: null,
    }),
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  });
});
afterEach(() => api.stop());

function open(user?: typeof rita) {
  return renderApp(`/people?id=${ids.sam}`, { api, ...(user && { user }) });
}

describe('the page of a person', () => {
  it('shows a deleted author without a link', async () => {
    const author = { ...review.author, first_name: 'Deleted', last_name: 'user' };
    api.handlers['GET /api/people/:id/reviews'] = () => ({
      reviews: [{ ...review, author }],
      nextCursor: null,
    });
    await open();

    expect((await screen.findAllByText('Deleted user')).length).toBeGreaterThan(0);
    expect(screen.queryByRole('link', { name: 'Deleted user' })).not.toBeInTheDocument();
  });

  it('shows a visitor who the person is, how they answer and both kinds of reviews', async () => {
    await open();

    expect(await screen.findByRole('heading', { name: 'Sam O.', level: 1 })).toBeInTheDocument();
    for (const fact of [
      'Member since March 2026 · Portland, Oregon',
      'Answers 95 % within 24 hours, usually in 2 hours',
      'Lent tools 12 times, tools rated 4.8, as an owner 4.9 of 5',
      'Rented 1 time, rated for care 5.0, punctuality 4.0, communication 5.0 of 5',
      'Email verified',
    ])
      expect(screen.getByText(fact)).toBeInTheDocument();
    const fromRenters = within(screen.getByRole('region', { name: 'Reviews from renters' }));
    expect(await fromRenters.findByText('Went through the wall at once.')).toBeInTheDocument();
    expect(fromRenters.getByText('Come again!')).toBeInTheDocument();
    expect(fromRenters.getByRole('link', { name: 'Rita L.' })).toHaveAttribute(
      'href',
      `/people?id=${rita.id}`,
    );
    const fromOwners = within(screen.getByRole('region', { name: 'Reviews from owners' }));
    expect(await fromOwners.findByText('None yet.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Report/ })).not.toBeInTheDocument();
  });

  it('lets a member report the person and each review', async () => {
    await open(rita);

    const reports = await screen.findAllByRole('button', { name: /^Report/ });
    expect(reports.length).toBeGreaterThan(0);
    expect(
      await screen.findByRole('button', { name: 'Report the review of Rita L.' }),
    ).toBeInTheDocument();
  });

  it('lets a member block the person', async () => {
    api.handlers['GET /api/user/:id/blocks'] = () => ({ people: [] });
    api.handlers['PUT /api/user/:id/blocks/:person'] = () => ({ message: 'Blocked' });
    const { user, router } = await open(rita);

    await user.click(await screen.findByRole('button', { name: 'Block Sam' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Block Sam' }));

    await waitFor(() => expect(router.state.location.pathname).toBe('/user/user-dashboard'));
    expect(api.calls('PUT /api/user/:id/blocks/:person')[0]?.path).toMatch(ids.sam);
  });

  it('says nothing about answers if there were few', async () => {
    api.handlers['GET /api/people/:id'] = () => ({ person: { ...sam, answers: null } });

    await open();

    await screen.findByRole('heading', { name: 'Sam O.' });
    expect(screen.queryByText(/Answers/)).not.toBeInTheDocument();
  });

  it('says that a person is gone, and offers to try again after a failure', async () => {
    api.handlers['GET /api/people/:id'] = () => problem(404, 'PERSON_NOT_FOUND', 'Gone.');
    await open();
    expect(
      await screen.findByRole('heading', { name: 'This person is not on LendTools any more' }),
    ).toBeInTheDocument();

    cleanup();
    api.handlers['GET /api/people/:id'] = () => problem(503, 'UNAVAILABLE', 'Not now.');
    const { user } = await open();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    api.handlers['GET /api/people/:id'] = () => ({ person: sam });
    await user.click(retry);

    expect(await screen.findByRole('heading', { name: 'Sam O.' })).toBeInTheDocument();
  });
});
