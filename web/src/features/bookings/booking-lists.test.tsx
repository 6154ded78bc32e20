import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { buildBooking, buildCancelled, ids, sam } from '../../../test/bookings.ts';
import { FakeApi } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

function answer() {
  return {
    bookings: [buildCancelled(), buildBooking({ id: sam.id, name: 'Ladder', price: 4.5 })],
    nextCursor: null,
    total: 2,
  };
}

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/rentalBookings/my-bookings': answer,
    'GET /api/rentalBookings/:id/my-bookings': answer,
    'GET /api/all-bookings': answer,
  });
});
afterEach(() => api.stop());

function card(name: string) {
  return within(screen.getByRole('heading', { name }).closest('li') as HTMLElement);
}

describe('the list of all bookings', () => {
  it('shows a canceled booking as "Cancelled", not as "Authorized" or "Not returned"', async () => {
    await renderApp('/admin/all-rental-bookings', { api, user: { ...sam, role: 'Admin' } });

    const cancelled = within(await screen.findByRole('row', { name: /Hammer drill/ }));
    expect(cancelled.getAllByText('Cancelled')).toHaveLength(2);
    expect(cancelled.queryByText(/Authorized|Not returned|Refunded/)).not.toBeInTheDocument();
    const booked = within(screen.getByRole('row', { name: /Ladder/ }));
    expect(booked.getByText('Authorized')).toBeInTheDocument();
    expect(booked.getByText('Not returned')).toBeInTheDocument();
  });

  it('shows both the tool’s price and the booking’s total in the Price column', async () => {
    await renderApp('/admin/all-rental-bookings', { api, user: { ...sam, role: 'Admin' } });

    const row = await screen.findByRole('row', { name: /Ladder/ });
    expect(row).toHaveTextContent('Price$4.50 daily$24 total');
  });
});

describe('a list of bookings', () => {
  it.each([
    ['renter', '/user/my-rental-history', rita],
    ['owner', '/user/my-bookings', sam],
  ])('shows the %s one status and one sentence for each booking', async (_, address, user) => {
    await renderApp(address, { api, user });

    await screen.findByRole('heading', { name: 'Hammer drill' });
    const cancelled = card('Hammer drill');
    expect(cancelled.getByText('Cancelled')).toBeInTheDocument();
    expect(cancelled.getByText('Cancelled, $24.00 refunded.')).toBeInTheDocument();
    expect(screen.queryByText(/Authorized|Not returned|\bId\b/)).not.toBeInTheDocument();
  });

  it('links to the lists of both sides', async () => {
    const { user, here } = await renderApp('/user/my-bookings', { api, user: sam });

    const tabs = within(await screen.findByRole('navigation', { name: 'Bookings' }));
    expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent('Lending');
    await user.click(tabs.getByRole('link', { name: 'Renting' }));

    await screen.findByRole('heading', { level: 1, name: 'My Rental History' });
    expect(here()).toBe('/user/my-rental-history');
  });
});

function days(count: number) {
  return new Date(Date.now() + count * 86_400_000).toISOString();
}

const upcoming = buildBooking({ id: '1', name: 'Ladder', startsAt: days(2), endsAt: days(4) });
const outNow = buildBooking({ id: '2', name: 'Tile saw', startsAt: days(-1), endsAt: days(1) });
const back = buildBooking({ id: '3', booking_status: 'Returned', returned_status: 'Returned' });

describe('the page with the user’s bookings', () => {
  beforeEach(() => {
    const lists = { open: [upcoming, outNow], over: [back, buildCancelled()] };
    const answerTo = ({ query }: { query: URLSearchParams }) => ({
      bookings: lists[query.get('when') as 'open' | 'over'],
      nextCursor: null,
    });
    api.handlers['GET /api/rentalBookings/my-bookings'] = answerTo;
    api.handlers['GET /api/rentalBookings/:id/my-bookings'] = answerTo;
  });

  it('groups bookings, and says for each what comes next', async () => {
    await renderApp('/user/my-bookings', { api, user: sam });

    const list = within(await screen.findByRole('region', { name: 'Bookings of your tools' }));
    const groups = list.getAllByRole('heading', { level: 2 });
    expect(groups.map(({ textContent }) => textContent)).toEqual(['Now', 'Upcoming', 'Past']);
    expect(card('Tile saw').getByText('Out now')).toBeInTheDocument();
    expect(card('Tile saw').getByText(/^Rita brings it back on Wed, Nov 4/)).toBeInTheDocument();
    expect(card('Ladder').getByText('Upcoming')).toBeInTheDocument();
    expect(card('Ladder').getByText(/^Hand it over to Rita on Mon, Nov 2/)).toBeInTheDocument();
    const past = within(list.getByRole('region', { name: 'Past' }));
    expect(past.getByText('Back')).toBeInTheDocument();
  });

  it.each([
    ['owner', '/user/my-bookings', sam],
    ['renter', '/user/my-rental-history', rita],
  ])(
    'shows the %s a booking as overdue from half an hour after its end',
    async (_, address, user) => {
      const late = { ...outNow, startsAt: days(-2), endsAt: days(-1 / 24) };
      const open = () => ({ bookings: [late], nextCursor: null });
      api.handlers['GET /api/rentalBookings/my-bookings'] = open;
      api.handlers['GET /api/rentalBookings/:id/my-bookings'] = open;
      await renderApp(address, { api, user });

      await screen.findByRole('heading', { name: 'Tile saw' });
      expect(card('Tile saw').getByText('Overdue')).toBeInTheDocument();
      expect(card('Tile saw').getByText(/to bring it back on/)).toBeInTheDocument();
    },
  );

  it('shows the owner’s next action before the details', async () => {
    await renderApp('/user/my-bookings', { api, user: sam });

    const now = within(await screen.findByRole('region', { name: 'Now' }));
    expect(now.getByRole('button', { name: 'Confirm Returned' })).toBeInTheDocument();
    const [next, details] = card('Ladder').getAllByRole('link');
    expect(next).toHaveAccessibleName('Message Rita: Ladder');
    expect(next).toHaveAttribute('href', '/user/my-bookings-details?id=1#messages');
    expect(details).toHaveAccessibleName('Details of Ladder');
  });

  it('shows a renter links to messages, to the review and to rent the tool again', async () => {
    await renderApp('/user/my-rental-history', { api, user: rita });

    const past = within(await screen.findByRole('region', { name: 'Past' }));
    const address = (name: string) => past.getByRole('link', { name }).getAttribute('href');
    expect(address('Write a review: Hammer drill')).toMatch(/history-details\?id=3#review$/);
    expect(address('Rent again: Hammer drill')).toBe(`/user/rental-details?id=${ids.drill}`);
    expect(card('Tile saw').getByRole('link', { name: /^Message Sam/ })).toBeInTheDocument();
    expect(past.getByText('Cancelled')).toBeInTheDocument();
  });

  it('shows upcoming bookings without loading all pages of past ones first', async () => {
    const pages: Record<string, object> = {
      open: { bookings: [upcoming], nextCursor: null },
      over: { bookings: [back], nextCursor: back.id },
    };
    api.handlers['GET /api/rentalBookings/my-bookings'] = ({ query }) =>
      query.get('cursor')
        ? { bookings: [buildCancelled()], nextCursor: null }
        : (pages[query.get('when') ?? ''] ?? {});
    const { user } = await renderApp('/user/my-bookings', { api, user: sam });

    expect(await screen.findByRole('heading', { name: 'Ladder' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show more' }));

    expect(await screen.findByText('Cancelled')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  });
});
