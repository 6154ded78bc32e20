import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { buildBooking, buildCancelled, sam } from '../../../test/bookings.ts';
import { FakeApi } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const answer = () => ({
  bookings: [buildCancelled(), buildBooking({ id: sam.id, name: 'Ladder', price: 4.5 })],
  nextCursor: null,
  total: 2,
});

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
    'tells the %s of a cancelled one nothing that it no longer is, or is not yet',
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

  it('has the price of the tool under Price, and what it came to below', async () => {
    await renderApp('/user/my-bookings', { api, user: sam });

    const row = await screen.findByRole('row', { name: /Ladder/ });
    expect(row).toHaveTextContent('Price$4.50 daily$24 total');
  });
});
