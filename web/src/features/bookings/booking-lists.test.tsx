import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildBooking, buildCancelled, ids, sam } from '../../../test/bookings.ts';
import { FakeApi } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { onPhone } from '../../../test/screen-width.ts';

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

describe('a list of bookings', () => {
  it.each([
    ['renter', '/user/my-rental-history', rita],
    ['owner', '/user/my-bookings', sam],
    ['admin', '/admin/all-rental-bookings', { ...sam, role: 'Admin' }],
  ])(
    'shows the %s a canceled booking as "Cancelled", not as "Authorized" or "Not returned"',
    async (_, address, user) => {
      await renderApp(address, { api, user });

      const cancelled = within(await screen.findByRole('row', { name: /Hammer drill/ }));
      expect(cancelled.getAllByText('Cancelled')).toHaveLength(2);
      expect(cancelled.queryByText(/Authorized|Not returned|Refunded/)).not.toBeInTheDocument();
      const booked = within(screen.getByRole('row', { name: /Ladder/ }));
      expect(booked.getByText('Authorized')).toBeInTheDocument();
      expect(booked.getByText('Not returned')).toBeInTheDocument();
    },
  );

  it('shows both the tool’s price and the booking’s total in the Price column', async () => {
    await renderApp('/user/my-bookings', { api, user: sam });

    const row = await screen.findByRole('row', { name: /Ladder/ });
    expect(row).toHaveTextContent('Price$4.50 daily$24 total');
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

  it('groups bookings in one table, with their dates, times and current status', async () => {
    await renderApp('/user/my-bookings', { api, user: sam });

    const table = await screen.findByRole('table', { name: 'Bookings of your tools' });
    const groups = within(table).getAllByRole('rowheader');
    expect(groups.map(({ textContent }) => textContent)).toEqual(['Now', 'Upcoming', 'Past']);
    const saw = within(table).getByRole('row', { name: /Tile saw/ });
    expect(saw).toHaveTextContent('Mon, Nov 22026, 9.00 AM');
    expect(saw).toHaveTextContent('Not returnedOut now');
    expect(within(table).getByRole('row', { name: /Ladder/ })).toHaveTextContent('Upcoming');
    expect(within(table).getAllByRole('row', { name: /Hammer drill/ })[0]).toHaveTextContent(
      'ReturnedBack',
    );
  });

  const card = (name: string) =>
    within(screen.getByRole('heading', { name }).closest('li') as HTMLElement);

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

      const saw = await screen.findByRole('row', { name: /Tile saw/ });
      expect(saw).toHaveTextContent('Not returnedOverdue');
    },
  );

  it('shows bookings as cards on a phone, with the owner’s next action before the details', async () => {
    onPhone();
    await renderApp('/user/my-bookings', { api, user: sam });

    const now = within(await screen.findByRole('region', { name: 'Now' }));
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    expect(now.getByRole('button', { name: 'Confirm Returned' })).toBeInTheDocument();
    expect(card('Tile saw').getByText('Out now')).toBeInTheDocument();
    expect(card('Tile saw').getByText(/^Not returned · Authorized · Id/)).toBeInTheDocument();
    const [next, details] = card('Ladder').getAllByRole('link');
    expect(next).toHaveAccessibleName('Message Rita: Ladder');
    expect(next).toHaveAttribute('href', '/user/my-bookings-details?id=1#messages');
    expect(details).toHaveAccessibleName('Details of Ladder');
  });

  it('shows a renter links to messages, to the review and to rent the tool again', async () => {
    onPhone();
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

    expect(await screen.findByRole('row', { name: /Ladder/ })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show more' }));

    await waitFor(() => expect(screen.getAllByText('Cancelled')).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  });
});
