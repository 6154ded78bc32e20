import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { buildApproval, buildBooking, ids } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { installFakeStripe } from '../../../test/fake-stripe.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const { confirmCardPayment } = installFakeStripe();

const { start_date, start_time, end_time, quantity } = buildBooking();

function buildChange(expiresInMs = 15 * 60_000) {
  return {
    holdId: ids.hold,
    dueCents: 2_400,
    expiresAt: new Date(Date.now() + expiresInMs).toJSON(),
    start_date,
    start_time,
    end_date: '2026-11-06',
    end_time,
    quantity,
    onRequest: false,
  };
}

let change: ReturnType<typeof buildChange> | null;
const happy: Handlers = {
  'GET /api/rentalBookings/:id/details': () => ({
    booking: buildBooking({ allowedActions: ['change'], unpaidChange: change }),
  }),
  'GET /api/get-tool/:id': () => ({ tool: [buildTool()] }),
  'GET /api/payment/config': () => ({ publishableKey: 'pk_test_1', scriptUrl: null }),
  'POST /api/payment/create-payment-intent': () => {
    change = null;
    return problem(409, 'HOLD_EXPIRED', 'Your hold expired. Please go back to your cart.');
  },
  'DELETE /api/user/:id/holds/:holdId': () => {
    change = null;
    return { message: 'These dates are free again.' };
  },
};

let api: FakeApi;
beforeEach(async () => {
  confirmCardPayment.mockClear();
  api = await FakeApi.start(happy);
});
afterEach(() => api.stop());

function openPage() {
  return renderApp(`/user/change-booking?id=${ids.booking}`, { api, user: rita });
}

const tooLate =
  'This change can’t be paid any more, and the booking stays as it was. Please choose again.';

describe('a change that can no longer be paid', () => {
  it('is reported when PAY is pressed, and the change form is shown again', async () => {
    change = buildChange();
    const { user } = await openPage();

    await user.click(await screen.findByRole('button', { name: 'PAY $24.00' }));

    expect((await screen.findAllByText(tooLate)).length).toBeGreaterThan(0);
    expect(await screen.findByText(/^Booked: /)).toBeInTheDocument();
    expect(confirmCardPayment).not.toHaveBeenCalled();
  });

  it('ends after too many declined cards, and the change form is shown again', async () => {
    change = buildChange();
    const words = 'Your card was declined 5 times, so this payment was ended.';
    confirmCardPayment.mockResolvedValueOnce({ error: { message: 'Your card was declined.' } });
    api.handlers = {
      ...happy,
      'POST /api/payment/create-payment-intent': () => [
        201,
        { clientSecret: 'pi_1_secret_2', paymentId: ids.payment },
      ],
      'PUT /api/payment/confirm-payment/:id': () => {
        change = null;
        return problem(402, 'PAYMENT_DECLINED', words);
      },
    };
    const { user } = await openPage();

    await user.click(await screen.findByRole('button', { name: 'PAY $24.00' }));

    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    expect(await screen.findByText(/^Booked: /)).toBeInTheDocument();
  });

  it('has no card fields if it has expired, but a button that shows the change form again', async () => {
    change = buildChange(-1);
    const { user } = await openPage();

    await screen.findByText(tooLate);
    expect(screen.queryByRole('region', { name: 'Payment' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Choose again' }));

    expect(await screen.findByText(/^Booked: /)).toBeInTheDocument();
    await waitFor(() => expect(api.calls('DELETE /api/user/:id/holds/:holdId')).toHaveLength(1));
  });
});

describe('the payment for a change', () => {
  it('is replaced in the browser history by the booking once the change is paid', async () => {
    change = buildChange();
    api.handlers = {
      ...happy,
      'POST /api/payment/create-payment-intent': () => ({
        clientSecret: 'pi_1_secret_1',
        paymentId: ids.payment,
      }),
      'PUT /api/payment/confirm-payment/:id': () => ({ message: 'Paid' }),
    };
    const { user, router, here } = await openPage();

    await user.click(await screen.findByRole('button', { name: 'PAY $24.00' }));

    await waitFor(() => expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`));
    expect(router.state.historyAction).toBe('REPLACE');
  });

  it.each(['PAY $24.00', 'Keep the booking as it is'])(
    'leads to the booking without an error if the change was paid in another tab: %s',
    async (button) => {
      change = buildChange();
      const words = 'This cart is already booked. You’ll find it in My Rental History.';
      const isPaid = () => problem(409, 'HOLD_PAID', words);
      api.handlers = {
        ...happy,
        'POST /api/payment/create-payment-intent': isPaid,
        'DELETE /api/user/:id/holds/:holdId': isPaid,
      };
      const { user, router, here } = await openPage();

      await user.click(await screen.findByRole('button', { name: button }));

      await waitFor(() => expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`));
      expect(router.state.historyAction).toBe('REPLACE');
      expect(screen.queryByText(words)).not.toBeInTheDocument();
      expect(confirmCardPayment).not.toHaveBeenCalled();
    },
  );

  it('only authorizes the card, and does not charge it, for a tool on request', async () => {
    change = { ...buildChange(), onRequest: true };
    api.handlers = {
      ...happy,
      'POST /api/payment/create-payment-intent': () => ({
        clientSecret: 'pi_1_secret_1',
        paymentId: ids.payment,
      }),
      'PUT /api/payment/confirm-payment/:id': () => ({ message: 'Authorized' }),
    };
    const { user, here } = await openPage();

    expect(await screen.findByText('To pay if accepted')).toBeInTheDocument();
    expect(await screen.findByText('You are charged only if the owner accepts.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'PAY $24.00' }));

    expect(
      await screen.findByText('Sam is asked. Your card is charged only if Sam accepts.'),
    ).toBeInTheDocument();
    await waitFor(() => expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`));
  });

  it('offers no further change while the owner has yet to answer', async () => {
    api.handlers = {
      ...happy,
      'GET /api/rentalBookings/:id/details': () => ({
        booking: buildBooking({
          allowedActions: [],
          approval: buildApproval({ change: {} as never }),
        }),
      }),
    };
    await openPage();

    expect(await screen.findByText('Sam is asked already')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See how it stands' })).toHaveAttribute(
      'href',
      `/user/my-rental-history-details?id=${ids.booking}`,
    );
  });

  it('appears when the tab regains the focus if the change was started in another tab', async () => {
    change = null;
    await openPage();
    await screen.findByText(/^Booked: /);

    change = buildChange();
    window.dispatchEvent(new Event('focus'));

    expect(await screen.findByText('To pay now')).toBeInTheDocument();
  });

  it('names the amount paid so far, not the lower price after a cheaper change', async () => {
    change = buildChange();
    api.handlers = {
      ...happy,
      'GET /api/rentalBookings/:id/details': () => ({
        booking: buildBooking({
          payment: 25,
          paid: 75,
          allowedActions: ['change'],
          unpaidChange: change,
        }),
      }),
    };
    await openPage();

    expect((await screen.findByText('Paid already')).nextElementSibling).toHaveTextContent(
      '$75.00',
    );
  });
});
