import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Booking } from '@lendtools/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { buildApproval, buildBooking, buildMessage, ids, sam } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

function requested(overrides: Partial<Booking> = {}): Booking {
  return buildBooking({
    booking_status: 'Requested',
    authorization: 'UnAuthorized',
    address: null,
    googleMap: '',
    refundable: 0,
    approval: buildApproval(),
    ...overrides,
  });
}

let now: Booking;
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking: now }),
  'GET /api/messaging/:bookingId/my-messages': () => ({ messaging: [] }),
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

function answers(action: 'accept' | 'decline' | 'withdraw', to: Partial<Booking>): Handlers {
  return {
    ...handlers,
    [`POST /api/user/:id/approvals/:approvalId/${action}`]: () => {
      now = requested({ allowedActions: [], ...to });
      return { rental: now };
    },
  };
}

function openAsOwner() {
  return renderApp(`/user/my-bookings-details?id=${ids.booking}`, { api, user: sam });
}

function openAsRenter() {
  return renderApp(`/user/my-rental-history-details?id=${ids.booking}`, { api, user: rita });
}

describe('the owner’s screen of a request', () => {
  it('accepts a request with one press, and shows the booking once a push arrives', async () => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    api.handlers = answers('accept', { approval: buildApproval({ status: 'accepted' }) });
    const { user } = await openAsOwner();

    expect(await screen.findByText(/Rita is waiting for your answer until/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Accept' }));

    expect(await screen.findByText('Accepted. Rita’s card is being charged…')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Decline' })).not.toBeInTheDocument();
    now = buildBooking();
    emitLocally('booking:changed', { bookingId: ids.booking, toolId: ids.drill });
    expect(await screen.findByText('Amount paid')).toBeVisible();
  });

  it.each([
    ['the booking’s page', openAsOwner],
    ['the list', () => renderApp('/user/my-bookings', { api, user: sam })],
  ])('offers on %s to undo an acceptance until the card is charged', async (_, open) => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    const chargesAt = new Date(Date.now() + 10_000).toISOString();
    api.handlers = {
      ...answers('accept', {
        approval: buildApproval({ chargesAt }),
        allowedActions: ['undoAccept', 'decline'],
      }),
      'POST /api/user/:id/approvals/:approvalId/undo-accept': () => {
        now = requested({ allowedActions: ['accept', 'decline'] });
        return { rental: now };
      },
    };
    const { user } = await open();

    await user.click(await screen.findByRole('button', { name: 'Accept' }));
    expect(await screen.findByText(/charged in ten seconds/)).toBeVisible();
    expect(api.calls('POST /api/user/:id/approvals/:approvalId/accept')[0]?.json).toEqual({
      undoable: true,
    });
    const undo = await screen.findByRole('button', { name: 'Undo accept' });
    expect(screen.queryByRole('button', { name: 'Decline' })).not.toBeInTheDocument();
    await user.click(undo);

    expect(await screen.findByText('Undone. Rita still waits for your answer.')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Accept' })).toBeVisible();
  });

  it.each([
    [
      { rentals: 5, rentalsOfOwner: 2, cancelled: 1, reviews: 3, meanStars: 4.7 },
      /Member since March 2026 · 5 past rentals, 2 with you · 1 cancellation · 3 reviews written, 4.7 stars on averageEmail verified/,
    ],
    [
      {
        rentals: 0,
        rentalsOfOwner: 0,
        cancelled: 0,
        reviews: 0,
        meanStars: 0,
        emailVerified: false,
      },
      /No past rentals · No reviews writtenEmail not verified/,
    ],
  ])('shows what is known about the renter beside Accept', async (facts, words) => {
    const renter = { memberSince: '2026-03-10T12:00:00.000Z', emailVerified: true, ...facts };
    now = requested({
      allowedActions: ['accept', 'decline'],
      approval: buildApproval({ renter }),
    });
    await openAsOwner();

    expect(await screen.findByRole('group', { name: 'About Rita' })).toHaveTextContent(words);
  });

  it('shows what the owner earns after the commission before they answer', async () => {
    const earnings = { gross: 24, fee: 2.4, net: 21.6 };
    now = requested({ allowedActions: ['accept', 'decline'], earnings });
    await openAsOwner();

    const name = await screen.findByText('You earn');
    expect(name.nextElementSibling).toHaveTextContent('$24.00 − $2.40 = $21.60');
  });

  it('declines a request in a dialog, with a note', async () => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    const approval = buildApproval({ status: 'declined', note: 'Not then.', by: 'owner' });
    api.handlers = answers('decline', { booking_status: 'Declined', approval });
    const { user } = await openAsOwner();

    await user.click(await screen.findByRole('button', { name: 'Decline' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline this request?' }));
    await user.type(dialog.getByRole('textbox', { name: 'A note' }), 'Not then.');
    await user.click(dialog.getByRole('button', { name: 'Decline' }));

    expect(
      await screen.findByText('You declined. “Not then.” Rita’s card was not charged.'),
    ).toBeInTheDocument();
    const [call] = api.calls('POST /api/user/:id/approvals/:approvalId/decline');
    expect(call?.json).toEqual({ note: 'Not then.' });
  });

  it('shows why a request can no longer be accepted', async () => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    const words = 'This request was not answered in time.';
    api.handlers = {
      ...handlers,
      'POST /api/user/:id/approvals/:approvalId/accept': () =>
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

    expect(await screen.findByRole('button', { name: 'Accept' })).toBeVisible();
    expect(screen.getByText('Requested')).toBeVisible();
    expect(screen.getByText(/^Rita asks to rent it\. Answer until/)).toBeVisible();
    expect(screen.getByText('Now')).toBeInTheDocument();
  });
});

describe('the conversation about a request', () => {
  it('is open to the owner before the answer', async () => {
    now = requested({ allowedActions: ['accept', 'decline'] });
    api.handlers = {
      ...handlers,
      'GET /api/messaging/:bookingId/my-messages': () => ({ messaging: [buildMessage()] }),
      'GET /api/replies/:messageId/my-replies': () => ({ replies: [], nextCursor: null }),
    };
    await openAsOwner();

    expect(await screen.findByText('Can I pick it up at nine?')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Reply to Rita' })).toBeEnabled();
    expect(screen.queryByRole('heading', { name: /review/i })).not.toBeInTheDocument();
  });

  it.each([
    ['Requested', 'pending', /You and Sam can write before the request is answered/],
    ['Declined', 'declined', /The request has ended, but you can still write to Sam/],
  ] as const)(
    'is offered to the renter of a request that is %s',
    async (status, outcome, words) => {
      now = requested({ booking_status: status, approval: buildApproval({ status: outcome }) });
      await openAsRenter();

      expect(await screen.findByText(words)).toBeVisible();
      expect(
        screen.getByRole('textbox', { name: 'Send a new message to the tool owner' }),
      ).toBeEnabled();
      expect(screen.queryByRole('heading', { name: /review/i })).not.toBeInTheDocument();
    },
  );
});

describe('the renter’s screen of a request', () => {
  it('shows a request’s deadline in the time zone of the tool’s place', async () => {
    now = requested({ timeZone: 'Pacific/Honolulu' });
    await openAsRenter();

    expect(await screen.findByText(/until Mon, Jun 1, 10:30 AM HST/)).toBeVisible();
  });

  it('shows a request’s deadline, and withdraws the request after a confirmation', async () => {
    now = requested({ allowedActions: ['withdraw'] });
    api.handlers = answers('withdraw', {
      booking_status: 'Withdrawn',
      approval: buildApproval({ status: 'withdrawn', by: 'renter' }),
    });
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
    const approval = buildApproval({ status: 'declined', note: 'Sorry.', by: 'admin' });
    now = requested({ booking_status: 'Declined', approval, allowedActions: [] });

    await openAsRenter();

    const words = 'An admin declined. “Sorry.” Your card was not charged.';
    expect(await screen.findByText(words)).toBeVisible();
  });

  it.each([
    ['Declined', 'declined', 'Sam declined. “Sorry.” Your card was not charged.'],
    ['Failed', 'failed', 'Your card could not be charged, so there is no booking.'],
  ] as const)('shows the outcome of a request: %s', async (booking_status, status, words) => {
    const approval = buildApproval({ status, note: 'Sorry.', by: 'owner' });
    now = requested({ booking_status, approval, allowedActions: [] });

    await openAsRenter();

    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Withdraw' })).not.toBeInTheDocument();
  });
});
