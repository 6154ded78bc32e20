import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Booking } from '@lendtools/contracts';
import type { Approval, RequestedChange } from '@lendtools/contracts/open-approval';
import { screen, waitFor, within } from '@testing-library/react';
import { buildApproval, buildBooking, buildPreview, ids, sam } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { onPhone } from '../../../test/screen-width.ts';
import { emitLocally } from '../../api/live.ts';

const change: RequestedChange = {
  id: ids.message,
  quantity: 1,
  start_date: '2026-11-02',
  start_time: '9.00 AM',
  end_date: '2026-11-06',
  end_time: '9.00 AM',
  payment: 48,
  dueCents: 2_400,
  refundCents: 0,
  keptCents: 0,
};
const cheaper = { payment: 12, dueCents: 0, refundCents: 600, keptCents: 600 };

function requested(
  approval: Partial<Approval> = {},
  allowedActions: Booking['allowedActions'] = [],
): Booking {
  return buildBooking({
    timeZone: 'Pacific/Honolulu',
    allowedActions,
    approval: buildApproval({ change, ...approval }),
  });
}

function forOwner() {
  return requested({}, ['accept', 'decline']);
}

let now: Booking;
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking: now }),
  'GET /api/rentalBookings/:id/cancel-preview': () => ({ preview: buildPreview() }),
  'GET /api/rentalBookings/:id/my-bookings': ({ query }) => ({
    bookings: query.get('when') === 'open' ? [now] : [],
    nextCursor: null,
  }),
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
  'GET /api/rentalBookings/my-bookings': ({ query }) => ({
    bookings: query.get('when') === 'open' ? [now] : [],
    nextCursor: null,
  }),
};

function answered(action: 'accept' | 'decline' | 'withdraw', then: Booking): Handlers {
  return {
    ...handlers,
    [`POST /api/user/:id/approvals/:approvalId/${action}`]: () => {
      now = then;
      return { rental: now };
    },
  };
}

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start(handlers);
});
afterEach(() => api.stop());

const pages = {
  owner: [sam, 'user/my-bookings-details'],
  renter: [rita, 'user/my-rental-history-details'],
  admin: [{ ...rita, id: ids.message, role: 'Admin' as const }, 'admin/booking-details'],
} as const;

async function openAs(viewer: keyof typeof pages) {
  const [person, page] = pages[viewer];
  const { user } = await renderApp(`/${page}?id=${ids.booking}`, { api, user: person });
  const card = within(await screen.findByRole('region', { name: 'Booking' }));
  const said = (name: string) => card.queryByText(name)?.nextElementSibling?.textContent;
  return { user, card, said };
}

async function press(name: string, user: Awaited<ReturnType<typeof openAs>>['user']) {
  return user.click(await screen.findByRole('button', { name }));
}

describe('the app, for a change that the owner has to accept', () => {
  it.each([
    ['owner', 'You'],
    ['admin', 'Sam'],
  ] as const)('shows the %s what the owner would earn with it', async (viewer, who) => {
    const earnings = { gross: 48, fee: 4.8, net: 43.2 };
    now = requested({ change: { ...change, earnings } });
    const { said } = await openAs(viewer);

    expect(said(`${who} would earn`)).toBe('$48.00 − $4.80 = $43.20');
  });

  it('shows the owner the old and new booking and the difference, and accepts the change with one press', async () => {
    now = forOwner();
    api.handlers = answered('accept', requested({ status: 'accepted' }));
    const { user, card, said } = await openAs('owner');

    expect(card.getByText('Rita asked for a change')).toBeVisible();
    expect(card.getByText(/^Rita is waiting for your answer until/)).toHaveTextContent(
      'until Mon, Jun 1, 10:30 AM HST. Rita’s card is charged $24.00 once you accept. Until then the booking stays as it is.',
    );
    expect(said('Now')).toMatch(/^1 × Mon, Nov 2.* to Wed, Nov 4.* for \$24\.00$/);
    expect(said('Then')).toMatch(/^1 × Mon, Nov 2.* to Fri, Nov 6.* for \$48\.00$/);
    expect(said('Difference')).toBe('$24.00 more');
    await press('Accept', user);

    expect(await card.findByText('Accepted. Rita’s card is being charged…')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Decline' })).not.toBeInTheDocument();
    const [call] = api.calls('POST /api/user/:id/approvals/:approvalId/accept');
    expect(call?.path).toContain(ids.hold);
    now = buildBooking({ approval: null });
    emitLocally('booking:changed', { bookingId: ids.booking, toolId: ids.drill });
    await waitFor(() => expect(card.queryByText(/^Accepted/)).not.toBeInTheDocument());
  });

  it('declines a change in a dialog, with a note', async () => {
    now = forOwner();
    api.handlers = answered('decline', requested({ status: 'declined', note: 'Not then.' }));
    const { user, card, said } = await openAs('owner');

    await press('Decline', user);
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline this change?' }));
    await user.type(dialog.getByRole('textbox', { name: 'A note' }), 'Not then.');
    await user.click(dialog.getByRole('button', { name: 'Decline' }));

    expect(
      await card.findByText(
        'This change was declined. “Not then.” Rita’s card was not charged. The booking stays as it was.',
      ),
    ).toBeInTheDocument();
    expect(said('Asked for')).toMatch(/for \$48\.00$/);
    const [call] = api.calls('POST /api/user/:id/approvals/:approvalId/decline');
    expect(call?.json).toEqual({ note: 'Not then.' });
  });

  it('shows why a change can no longer be accepted', async () => {
    now = forOwner();
    const words = 'This change was withdrawn.';
    api.handlers = {
      ...handlers,
      'POST /api/user/:id/approvals/:approvalId/accept': () =>
        problem(409, 'BOOKING_NOT_ACTIVE', words),
    };
    const { user } = await openAs('owner');

    await press('Accept', user);

    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  it('puts a booking with a change first in the owner’s list, with a link to answer it', async () => {
    now = { ...forOwner(), startsAt: '2099-01-01T00:00:00.000Z' };
    await renderApp('/user/my-bookings', { api, user: sam });

    const answer = await screen.findByRole('link', { name: 'Answer the change: Hammer drill' });
    expect(answer).toHaveAttribute('href', `/user/my-bookings-details?id=${ids.booking}`);
    expect(screen.getByText('Now')).toBeInTheDocument();
  });

  it.each([
    ['a desktop', () => undefined],
    ['a phone', onPhone],
  ])('marks an unanswered change in the renter’s list on %s', async (_, on) => {
    on();
    now = { ...requested(), startsAt: '2099-01-01T00:00:00.000Z' };
    await renderApp('/user/my-rental-history', { api, user: rita });

    expect(await screen.findByText('Change asked')).toBeVisible();
    now = { ...now, approval: null };
    emitLocally('booking:changed', { bookingId: ids.booking, toolId: ids.drill });
    await waitFor(() => expect(screen.queryByText('Change asked')).not.toBeInTheDocument());
  });

  it.each([
    ['renter', 'The change you asked for ends with it.'],
    ['owner', 'The change Rita asked for ends with it.'],
  ] as const)('warns the %s that a cancellation also ends the open change', async (who, words) => {
    now = requested({}, ['cancel']);
    const { user } = await openAs(who);

    await press('Cancel booking', user);

    const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' });
    expect(dialog).toHaveTextContent(words);
  });

  it('does not warn about a change that has already ended', async () => {
    now = requested({ status: 'declined' }, ['cancel']);
    const { user } = await openAs('renter');

    await press('Cancel booking', user);

    const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' });
    expect(dialog).not.toHaveTextContent('ends with it');
  });

  it('withdraws a change after the renter’s confirmation', async () => {
    now = requested({}, ['withdraw']);
    api.handlers = answered('withdraw', requested({ status: 'withdrawn' }));
    const { user, card } = await openAs('renter');

    expect(card.getByText(/^Waiting for Sam, until/)).toHaveTextContent(
      'Your card is charged $24.00 only if Sam accepts. Until then the booking stays as it is.',
    );
    await press('Withdraw', user);
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw this change?' }));
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));

    expect(
      await card.findByText(
        'You withdrew this change. Your card was not charged. The booking stays as it was.',
      ),
    ).toBeInTheDocument();
    const [call] = api.calls('POST /api/user/:id/approvals/:approvalId/withdraw');
    expect(call?.path).toContain(ids.hold);
  });

  it.each([
    ['owner', '$6.00 back to Rita’s card, $6.00 stays with you'],
    ['renter', '$6.00 back to your card, $6.00 stays with Sam'],
  ] as const)(
    'shows the %s how the difference of a cheaper change is divided, without mentioning a card',
    async (who, words) => {
      now = requested({ change: { ...change, ...cheaper } });
      const { card, said } = await openAs(who);

      expect(said('Difference')).toBe(words);
      expect(card.queryByText(/is charged/)).not.toBeInTheDocument();
    },
  );

  it('lets an admin decline a change, but not accept it', async () => {
    now = requested({}, ['decline']);
    await openAs('admin');

    expect(await screen.findByRole('button', { name: 'Decline' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
  });
});

describe('a change that has ended', () => {
  const stays = 'Your card was not charged. The booking stays as it was.';
  it.each([
    ['declined', {}, `This change was declined. ${stays}`],
    ['declined', cheaper, 'This change was declined. The booking stays as it was.'],
    ['lapsed', {}, `This change has ended without an answer. ${stays}`],
    ['failed', {}, 'Your card could not be charged for this change. The booking stays as it was.'],
    ['obsolete', {}, 'This change is over. Your card was not charged.'],
  ] as const)('shows its outcome to the renter: %s, %o', async (status, price, words) => {
    now = requested({ status, change: { ...change, ...price } });
    const { card, said } = await openAs('renter');

    expect(card.getByText(words)).toBeVisible();
    expect(said('Difference')).toBeUndefined();
    expect(screen.queryByRole('button', { name: 'Withdraw' })).not.toBeInTheDocument();
  });
});

describe('a change whose payment is not authorized yet', () => {
  const { start_date, start_time, end_date, end_time, quantity } = change;
  const unpaidChange = {
    start_date,
    start_time,
    end_date,
    end_time,
    quantity,
    dueCents: 2_400,
    expiresAt: '2099-01-01T00:00:00.000Z',
    onRequest: true,
  };

  it('shows the renter a link to the card form', async () => {
    now = buildBooking({ unpaidChange: { ...unpaidChange, holdId: ids.hold } });
    const { card } = await openAs('renter');

    expect(card.getByText(/It costs \$24\.00 more, charged only if Sam accepts\./)).toBeVisible();
    expect(card.getByRole('link', { name: 'Ask Sam' })).toHaveAttribute(
      'href',
      `/user/change-booking?id=${ids.booking}`,
    );
  });

  it('is hidden from the owner', async () => {
    now = buildBooking({ unpaidChange });
    const { card } = await openAs('owner');

    expect(card.queryByText(/change/)).not.toBeInTheDocument();
  });
});

it('shows an accepted change in the booking’s history', async () => {
  now = buildBooking({
    payment: 48,
    paid: 48,
    changedAt: '2026-11-01T12:00:00.000Z',
    changes: [
      {
        at: '2026-11-01T12:00:00.000Z',
        paid: 24,
        refunded: 0,
        kept: 0,
        accepted: true,
        before: { ...change, payment: 24 },
      },
    ],
  });
  const { said } = await openAs('renter');

  expect(said('Changed Nov 1, 2026')).toMatch(
    / for \$24\.00, then \$24\.00 more\. Accepted by Sam$/,
  );
});
