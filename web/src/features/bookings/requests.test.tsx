import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Booking } from '@lendtools/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { buildBooking, ids, sam } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const requested = (overrides: Partial<Booking> = {}): Booking =>
  buildBooking({
    booking_status: 'Requested',
    authorization: 'UnAuthorized',
    address: null,
    googleMap: '',
    refundable: 0,
    request: {
      answerBy: new Date(Date.now() + 3_600_000).toISOString(),
      acceptedAt: null,
      note: '',
    },
    ...overrides,
  });

let now: Booking;
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking: now }),
  'GET /api/rentalBookings/my-bookings': ({ query }) => ({
    bookings: query.get('when') === 'open' ? [now] : [],
    nextCursor: null,
  }),
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start(handlers);
});
afterEach(() => api.stop());

const answers = (action: 'accept' | 'decline' | 'withdraw', to: Partial<Booking>): Handlers => ({
  ...handlers,
  [`POST /api/user/:id/rentalBookings/${action}-request/:bid`]: () => {
    now = requested({ allowedActions: [], ...to });
    return { rental: now };
  },
});
const openAsOwner = () =>
  renderApp(`/user/my-bookings-details?id=${ids.booking}`, { api, user: sam });
const openAsRenter = () =>
  renderApp(`/user/my-rental-history-details?id=${ids.booking}`, { api, user: rita });

describe('a request on its owner’s screen', () => {
  it('accepts a request with one press, and a push turns it into a booking', async () => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    const acceptedAt = new Date().toISOString();
    const request = { answerBy: acceptedAt, acceptedAt, note: '' };
    api.handlers = answers('accept', { request });
    const { user } = await openAsOwner();

    expect(await screen.findByText(/Rita is waiting for your answer until/)).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Messages' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Accept' }));

    expect(await screen.findByText('Accepted. Rita’s card is being charged…')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Decline' })).not.toBeInTheDocument();
    now = buildBooking({ request });
    emitLocally('booking:changed', { bookingId: ids.booking, toolId: ids.drill });
    expect(await screen.findByText('Amount paid')).toBeVisible();
  });

  it('declines a request in a dialog, with a note', async () => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    const request = { answerBy: new Date().toISOString(), acceptedAt: null, note: 'Not then.' };
    api.handlers = answers('decline', { booking_status: 'Declined', request });
    const { user } = await openAsOwner();

    await user.click(await screen.findByRole('button', { name: 'Decline' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline this request?' }));
    await user.type(dialog.getByRole('textbox', { name: 'A note' }), 'Not then.');
    await user.click(dialog.getByRole('button', { name: 'Decline' }));

    expect(
      await screen.findByText('You declined. “Not then.” Rita’s card was not charged.'),
    ).toBeInTheDocument();
    const [call] = api.calls('POST /api/user/:id/rentalBookings/decline-request/:bid');
    expect(call?.json).toEqual({ note: 'Not then.' });
  });

  it('shows why a request can no longer be accepted', async () => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    const words = 'This request was not answered in time.';
    api.handlers = {
      ...handlers,
      'POST /api/user/:id/rentalBookings/accept-request/:bid': () =>
        problem(409, 'BOOKING_NOT_ACTIVE', words),
    };
    const { user } = await openAsOwner();

    await user.click(await screen.findByRole('button', { name: 'Accept' }));

    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  it('puts a request first in the list, with buttons to answer it', async () => {
    now = requested({
      allowedActions: ['accept', 'decline'],
      startsAt: '2099-01-01T00:00:00.000Z',
    });
    await renderApp('/user/my-bookings', { api, user: sam });

    expect(
      await screen.findByRole('button', { name: /^Accept the request for Hammer drill/ }),
    ).toBeVisible();
    expect(screen.getAllByText('Requested').length).toBeGreaterThan(0);
    expect(screen.getByText('Now')).toBeInTheDocument();
  });
});

describe('a request on its renter’s screen', () => {
  it('shows a request’s deadline in the time zone of the tool’s place', async () => {
    const request = { answerBy: '2099-06-01T20:30:00.000Z', acceptedAt: null, note: '' };
    now = requested({ request, timeZone: 'Pacific/Honolulu' });
    await openAsRenter();

    expect(await screen.findByText(/until Mon, Jun 1, 10:30 AM HST/)).toBeVisible();
  });

  it('shows a request’s deadline, and withdraws it after a confirmation', async () => {
    now = requested({ allowedActions: ['withdraw'] });
    api.handlers = answers('withdraw', { booking_status: 'Withdrawn' });
    const { user } = await openAsRenter();

    expect(await screen.findByText(/Waiting for Sam, until/)).toHaveTextContent(
      'Your card is charged only if Sam accepts.',
    );
    expect(screen.getByText('Total')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Withdraw' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw this request?' }));
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));

    await waitFor(() =>
      expect(
        screen.getByText('You withdrew this request. Your card was not charged.'),
      ).toBeInTheDocument(),
    );
  });

  it('shows that an admin declined a request', async () => {
    const answerBy = new Date().toISOString();
    const request = { answerBy, acceptedAt: null, note: 'Sorry.', by: 'admin' as const };
    now = requested({ booking_status: 'Declined', request, allowedActions: [] });

    await openAsRenter();

    const words = 'An admin declined. “Sorry.” Your card was not charged.';
    expect(await screen.findByText(words)).toBeVisible();
  });

  it.each([
    ['Declined', 'Sam declined. “Sorry.” Your card was not charged.'],
    ['Failed', 'Your card could not be charged, so there is no booking.'],
  ] as const)('shows the outcome of a request: %s', async (booking_status, words) => {
    const request = { answerBy: new Date().toISOString(), acceptedAt: null, note: 'Sorry.' };
    now = requested({ booking_status, request, allowedActions: [] });

    await openAsRenter();

    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Withdraw' })).not.toBeInTheDocument();
  });
});
