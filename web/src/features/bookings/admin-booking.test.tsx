import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Booking } from '@lendtools/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { buildBooking, buildMessage, buildReply, ids } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const ada = { ...rita, id: '0190c000-0000-7000-8000-0000000000aa', role: 'Admin' as const };
const settlement = {
  refundable: 24,
  refundedAtStripe: 0,
  disputed: 0,
  dispute: null,
  refunds: [],
};
const refundCall = 'POST /api/rentalBookings/refund-booking/:id';

let booking: Booking;
let api: FakeApi;
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking }),
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [buildMessage()] }),
  'GET /api/replies/:id/my-replies': () => ({ replies: [buildReply(1)], nextCursor: null }),
};
beforeEach(async () => {
  booking = buildBooking({ settlement });
  api = await FakeApi.start(handlers);
});
afterEach(() => api.stop());

function open() {
  return renderApp(`/admin/booking-details?id=${ids.booking}`, { api, user: ada });
}

describe('the booking page of an admin', () => {
  it('names the renter and the owner of an overdue tool', async () => {
    booking = buildBooking({ endsAt: new Date(Date.now() - 1_860_000).toISOString() });
    await open();

    const note = await screen.findByRole('alert', { name: 'Overdue' });
    expect(note).toHaveTextContent('Rita still has it, and Sam waits for it.');
    expect(within(note).queryByRole('link')).not.toBeInTheDocument();
  });

  it('shows what the owner earns after the commission', async () => {
    booking = buildBooking({ settlement, earnings: { gross: 24, fee: 2.4, net: 21.6 } });
    await open();

    const name = await screen.findByText('Sam earns');
    expect(name.nextElementSibling).toHaveTextContent('$24.00 − $2.40 = $21.60');
  });

  it('refunds part of the payment, with a reason, after a confirmation, and shows the refund', async () => {
    api.handlers = {
      ...handlers,
      [refundCall]: () => {
        const by = { id: ada.id, first_name: 'Ada', last_name: 'Min' };
        const refunds = [{ amount: 10, reason: 'Broken.', at: '2026-11-03T09:00:00.000Z', by }];
        booking = {
          ...booking,
          refunded: 10,
          settlement: { ...settlement, refundable: 14, refunds },
        };
        return [201, { message: '$10.00 goes back to the card.', rental: booking }];
      },
    };
    const { user } = await open();

    await user.click(await screen.findByRole('button', { name: 'Refund' }));
    const dialog = within(await screen.findByRole('dialog'));
    const amount = dialog.getByLabelText(/Amount/);
    await user.clear(amount);
    await user.type(amount, '10');
    await user.click(dialog.getByRole('button', { name: 'Refund' }));
    expect(await dialog.findByText('Please enter a reason')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Reason/), 'Broken.');
    await user.click(dialog.getByRole('button', { name: 'Refund' }));
    expect(api.calls(refundCall)).toHaveLength(0);
    await user.dblClick(await dialog.findByRole('button', { name: 'Yes, refund $10.00' }));

    expect(await screen.findByText(/\$10\.00 by Ada Min on .*“Broken\.”/)).toBeInTheDocument();
    expect(screen.getByText('$14.00')).toBeInTheDocument();
    const sent = api.calls(refundCall);
    expect(sent[0]?.json).toEqual({ amountCents: 1_000, reason: 'Broken.' });
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('offers to refund no more than what is left, and shows the server’s error', async () => {
    const rejection = 'At most $5.00 of this booking can still be refunded.';
    api.handlers = { ...handlers, [refundCall]: () => problem(409, 'REFUND_TOO_LARGE', rejection) };
    const { user } = await open();

    await user.click(await screen.findByRole('button', { name: 'Refund' }));
    const dialog = within(await screen.findByRole('dialog'));
    const amount = dialog.getByLabelText(/Amount/);
    await user.clear(amount);
    await user.type(amount, '25');
    await user.type(dialog.getByLabelText(/Reason/), 'Broken.');
    await user.click(dialog.getByRole('button', { name: 'Refund' }));
    expect(await dialog.findByText('Please enter an amount up to $24.00')).toBeInTheDocument();
    await user.clear(amount);
    await user.type(amount, '24');
    await user.click(dialog.getByRole('button', { name: 'Refund' }));
    await user.click(await dialog.findByRole('button', { name: 'Yes, refund $24.00' }));

    expect(await dialog.findByText(rejection)).toBeInTheDocument();
  });

  it('shows a refund or a dispute at Stripe as soon as the server pushes it', async () => {
    await open();
    await screen.findByText('Can still be refunded');
    booking = buildBooking({
      refunded: 4,
      settlement: {
        ...settlement,
        refundable: 0,
        refundedAtStripe: 4,
        disputed: 20,
        dispute: 'open',
      },
    });

    act(() => emitLocally('booking:changed', { bookingId: booking.id, toolId: ids.drill }));

    expect(await screen.findByText('Open: the bank holds the money')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
  });

  it('confirms the return as an admin and stays on the page', async () => {
    api.handlers = {
      ...handlers,
      'PUT /api/user/:id/rentalBookings/update-booking/:bid': () => {
        booking = { ...booking, booking_status: 'Returned', returned_status: 'Returned' };
        return { rental: booking };
      },
    };
    const { user, here } = await open();

    await user.click(await screen.findByRole('button', { name: 'Confirm Returned' }));

    expect(await screen.findByText('Hammer drill is back with its owner.')).toBeInTheDocument();
    expect(here()).toContain('/admin/booking-details');
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Confirm Returned' })).toBeNull(),
    );
  });

  it('lets an admin reply in a thread once the renter or the owner has started it', async () => {
    const sendReply = 'POST /api/user/:id/messaging/:mid/send-reply';
    api.handlers = {
      ...handlers,
      [sendReply]: ({ json }) => [201, { reply: buildReply(2, { message: String(json.message) }) }],
    };
    const { user } = await open();

    await user.type(
      await screen.findByLabelText('Reply to Rita and Sam'),
      'We look into it.{Enter}',
    );

    await waitFor(() => expect(api.calls(sendReply)).toHaveLength(1));
    expect(api.calls(sendReply)[0]?.json).toMatchObject({ message: 'We look into it.' });
  });

  it('shows an admin no message field until the renter or the owner has written', async () => {
    api.handlers = { ...handlers, 'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }) };
    await open();

    expect(await screen.findByText('Nobody has written yet.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  });
});
