import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { buildBooking, ids, sam } from '../../../test/bookings.ts';
import { FakeApi, type Handlers } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const { start_date, start_time, end_date, end_time, quantity } = buildBooking();
const time = { start_date, start_time, end_date, end_time, quantity };
const changedAt = '2026-11-03T12:00:00.000Z';

/** A booking that now costs less than the $75 paid. Its owner, Sam, keeps the amount `kept`. */
function shortened({ payment = 0, refunded = 0, kept = 0 }) {
  return buildBooking({
    payment,
    paid: 75,
    refunded,
    changedAt,
    changes: [{ at: changedAt, before: { ...time, payment: 75 }, paid: 0, refunded, kept }],
  });
}

let booking = buildBooking();
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking }),
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start(handlers);
});
afterEach(() => api.stop());

const viewers = {
  renter: { user: rita, page: 'user/my-rental-history-details', keeper: 'Sam' },
  owner: { user: sam, page: 'user/my-bookings-details', keeper: 'you' },
  admin: {
    user: { ...rita, id: ids.message, role: 'Admin' as const },
    page: 'admin/booking-details',
    keeper: 'Sam',
  },
};

async function openAs(viewer: keyof typeof viewers) {
  const { user, page } = viewers[viewer];
  await renderApp(`/${page}?id=${ids.booking}`, { api, user });
  const card = within(await screen.findByRole('region', { name: 'Booking' }));
  const said = (name: string) => card.queryByText(name)?.nextElementSibling?.textContent;
  return said;
}

describe.each(['renter', 'owner', 'admin'] as const)(
  'a shortened booking, viewed by the %s',
  (viewer) => {
    it('shows its price, the amount paid, and that nothing was refunded', async () => {
      booking = shortened({ payment: 25, kept: 50 });
      const said = await openAs(viewer);

      expect(said('Price now')).toBe('$25.00');
      expect(said('Paid')).toBe('$75.00');
      expect(said('Amount paid')).toBeUndefined();
      expect(said('Refunded')).toBeUndefined();
      const { keeper } = viewers[viewer];
      expect(said('Changed Nov 3, 2026')).toMatch(
        new RegExp(`^Before: 1 × .* for \\$75\\.00, of which \\$50\\.00 stayed with ${keeper}$`),
      );
    });

    it('shows what was refunded and what the owner kept', async () => {
      booking = shortened({ payment: 25, refunded: 25, kept: 25 });
      const said = await openAs(viewer);

      expect(said('Price now')).toBe('$25.00');
      expect(said('Paid')).toBe('$75.00');
      expect(said('Refunded')).toBe('$25.00');
      const { keeper } = viewers[viewer];
      expect(said('Changed Nov 3, 2026')).toMatch(
        new RegExp(`of which \\$25\\.00 went back and \\$25\\.00 stayed with ${keeper}$`),
      );
    });
  },
);

describe('a shortened booking that was cancelled later', () => {
  it('shows its price at the cancellation', async () => {
    booking = {
      ...shortened({ payment: 25, refunded: 50, kept: 0 }),
      booking_status: 'Cancelled',
      cancellation: { by: 'renter', at: changedAt, cause: null, reason: '', refund: 0 },
    };
    const said = await openAs('renter');

    expect(said('Price when cancelled')).toBe('$25.00');
    expect(said('Price now')).toBeUndefined();
    expect(said('Paid')).toBe('$75.00');
  });
});

describe('a booking without changes', () => {
  it('shows only the amount paid', async () => {
    booking = buildBooking({ paid: 24 });
    const said = await openAs('renter');

    expect(said('Amount paid')).toBe('$24.00');
    expect(said('Price now')).toBeUndefined();
    expect(said('Paid')).toBeUndefined();
  });
});
