import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import {
  buildApproval,
  buildBooking,
  buildCartItem,
  buildHold,
  ids,
} from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { installFakeStripe } from '../../../test/fake-stripe.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { type CartItem, itemAdded } from './cart-slice.ts';

const { confirmCardPayment, createPaymentMethod } = installFakeStripe();
const succeeded = { paymentIntent: { status: 'succeeded' } };

const happy: Handlers = {
  'GET /api/payment/config': () => ({ publishableKey: 'pk_test_1', scriptUrl: null }),
  'POST /api/user/:id/holds': () => [201, { hold: buildHold() }],
  'DELETE /api/user/:id/holds/:holdId': () => ({ message: 'Given up' }),
  'POST /api/payment/create-payment-intent': () => [
    201,
    { clientSecret: 'pi_1_secret_2', paymentId: ids.payment },
  ],
  'PUT /api/payment/confirm-payment/:id': () => ({ message: 'Received', payment: {} }),
  'POST /api/user/:id/add-rental-booking': () => [201, { rental: buildBooking() }],
};

let api: FakeApi;
beforeEach(async () => {
  confirmCardPayment.mockReset().mockResolvedValue(succeeded);
  createPaymentMethod.mockReset().mockResolvedValue({ paymentMethod: { id: 'pm_1' } });
  api = await FakeApi.start(happy);
});
afterEach(() => api.stop());

function openCart(items: CartItem[] = [buildCartItem()]) {
  return renderApp('/user/cart', {
    api,
    user: rita,
    prepare: (store) => {
      for (const item of items) store.dispatch(itemAdded(item));
    },
  });
}

function payButton(total: string) {
  return screen.findByRole('button', { name: `PAY ${total}` });
}

describe('the cart', () => {
  it('is emptied at once, and restored by Undo', async () => {
    const items = [buildCartItem(), buildCartItem({ id: ids.saw, name: 'Table saw' })];
    const { user, store } = await openCart(items);

    await user.click(await screen.findByRole('button', { name: 'Empty cart' }));

    expect(await screen.findByText('Your cart is empty')).toBeInTheDocument();
    expect(store.getState().cart.totalQuantity).toBe(0);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await payButton('$48.00')).toBeEnabled();
    expect(store.getState().cart.totalQuantity).toBe(2);
  });
});

describe('paying a cart', () => {
  it('holds, pays for and books the cart, empties it and shows the booking code', async () => {
    const { user, here, store } = await openCart();

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('Congratulations!')).toBeInTheDocument();
    expect(screen.getByText('LT482913')).toBeInTheDocument();
    const sidebar = within(screen.getByRole('navigation', { name: 'User area' }));
    expect(sidebar.getByRole('link', { name: 'My Rental History' })).toBeInTheDocument();
    expect(here()).toBe('/user/rental-booking-success');
    await waitFor(() => expect(store.getState().cart.cartItems).toEqual([]));
    expect(store.getState().checkout.current).toBeNull();
    const [intent] = api.calls('POST /api/payment/create-payment-intent');
    expect(intent?.json).toEqual({ amount: 2400, userId: rita.id, holdId: ids.hold });
    const [confirmed] = api.calls('PUT /api/payment/confirm-payment/:id');
    expect(confirmed?.json).toMatchObject({ paymentIntentId: 'pi_1' });
  });

  it('shows the payment provider’s message for a declined card, and books nothing', async () => {
    confirmCardPayment.mockResolvedValueOnce({ error: { message: 'Your card was declined.' } });
    const { user, here } = await openCart();

    await user.click(await payButton('$24.00'));

    const alerts = await screen.findAllByRole('alert');
    expect(alerts.map((alert) => alert.textContent).join()).toContain('Your card was declined.');
    expect(
      within(screen.getByRole('region', { name: 'Payment' })).getByText('Your card was declined.'),
    ).toBeInTheDocument();
    expect(here()).toBe('/user/cart');
    expect(api.calls('POST /api/user/:id/add-rental-booking')).toEqual([]);

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(api.calls('POST /api/user/:id/holds')).toHaveLength(1);
  });

  it('ends after too many declines, frees the dates and can be started again', async () => {
    confirmCardPayment.mockResolvedValueOnce({ error: { message: 'Your card was declined.' } });
    const words = 'Your card was declined 5 times, so this payment was ended.';
    let tries = 0;
    api.handlers = {
      ...happy,
      'PUT /api/payment/confirm-payment/:id': () => {
        tries += 1;
        return tries === 1
          ? problem(402, 'PAYMENT_DECLINED', words)
          : { message: 'Received', payment: {} };
      },
    };
    const { user, here, store } = await openCart();

    await user.click(await payButton('$24.00'));

    const alert = await screen.findByRole('alert', { name: 'Payment ended' });
    expect(alert).toHaveTextContent(words);
    expect(screen.queryByText('Your card was declined.')).not.toBeInTheDocument();
    expect(screen.queryByText(/Your dates are kept/)).not.toBeInTheDocument();
    expect(api.calls('DELETE /api/user/:id/holds/:holdId')).toHaveLength(1);
    expect(here()).toBe('/user/cart');
    expect(store.getState().cart.cartItems).toHaveLength(1);

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(api.calls('POST /api/user/:id/holds')).toHaveLength(2);
  });

  it.each([
    ['its payment was ended before', 402, 'PAYMENT_DECLINED', 'Payment ended'],
    ['too many cards were declined', 429, 'TOO_MANY_REQUESTS', 'Payment not possible now'],
  ])('shows the reason and frees the dates when %s', async (_, status, code, title) => {
    const words = 'Why, and when to try again.';
    api.handlers = {
      ...happy,
      'POST /api/payment/create-payment-intent': () => problem(status, code, words),
    };
    const { user, store } = await openCart();

    await user.click(await payButton('$24.00'));

    expect(await screen.findByRole('alert', { name: title })).toHaveTextContent(words);
    expect(screen.queryByText(/Your hold expired/)).not.toBeInTheDocument();
    expect(store.getState().checkout.current).toBeNull();
    expect(api.calls('DELETE /api/user/:id/holds/:holdId')).toHaveLength(1);
    expect(confirmCardPayment).not.toHaveBeenCalled();
  });

  it('creates no hold before the card is filled in', async () => {
    const words = 'Your card number is incomplete.';
    createPaymentMethod.mockResolvedValueOnce({ error: { message: words } });
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    expect(api.calls('POST /api/user/:id/holds')).toEqual([]);
  });

  it('requires a verified email if configured, and sends the verification link', async () => {
    const words = 'Please verify your email before you book.';
    api.handlers = {
      ...happy,
      'POST /api/user/:id/holds': () => problem(403, 'EMAIL_NOT_VERIFIED', words),
      'POST /api/user/:id/send-verification': () => ({ message: 'We sent a link.' }),
    };
    const { user, here } = await openCart();

    await user.click(await payButton('$24.00'));
    expect(await screen.findByText(words)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Email me a link' }));

    expect(await screen.findByText('We sent a link.')).toBeInTheDocument();
    expect(here()).toBe('/user/cart');
    expect(confirmCardPayment).not.toHaveBeenCalled();
  });

  it('requires the times of a cart line before the card is used', async () => {
    const { user } = await openCart([buildCartItem({ start_time: '', end_time: '' })]);

    await user.click(await payButton('$24.00'));

    const lines = within(await screen.findByRole('list', { name: 'In your cart' }));
    expect(await lines.findByText('Please select your start time')).toBeInTheDocument();
    expect(createPaymentMethod).not.toHaveBeenCalled();
  });

  it('creates a new hold after the old one expired', async () => {
    let tries = 0;
    api.handlers = {
      ...happy,
      'POST /api/payment/create-payment-intent': () => {
        tries += 1;
        return tries === 1
          ? problem(409, 'HOLD_EXPIRED', 'The time to pay this cart is over.')
          : [201, { clientSecret: 'pi_1_secret_2', paymentId: ids.payment }];
      },
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));
    await screen.findAllByText('Your hold expired. Press PAY to try again.');
    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(api.calls('POST /api/user/:id/holds')).toHaveLength(2);
  });

  it('marks the cart line whose tool another renter has just booked, and does not charge the card', async () => {
    const words = 'Somebody else has just booked “Band saw” for these dates.';
    const [, taken] = problem(409, 'TOOL_ALREADY_BOOKED', words);
    const errors = [{ msg: words, path: 'lines[1]' }];
    api.handlers = { ...happy, 'POST /api/user/:id/holds': () => [409, { ...taken, errors }] };
    const saw = buildCartItem({ id: ids.saw, name: 'Band saw' });
    const { user } = await openCart([buildCartItem(), saw]);

    await user.click(await payButton('$48.00'));

    const lines = within(await screen.findByRole('list', { name: 'In your cart' }));
    await lines.findByText(words);
    const [drillLine, sawLine] = lines.getAllByRole('listitem');
    expect(sawLine).toHaveTextContent(words);
    expect(drillLine).not.toHaveTextContent(words);
    expect(confirmCardPayment).not.toHaveBeenCalled();
  });

  it.each([
    [409, 'CART_TOO_LARGE', 'Before paying you can hold 1,000 tool-days at most.'],
    [429, 'TOO_MANY_REQUESTS', 'You have started many carts. Please try again in 12 minutes.'],
    [
      429,
      'TOO_MANY_REQUESTS',
      'Many of your payments were refunded today. Please try again in 3 hours.',
    ],
  ])('shows why the cart can’t be held (%i), and keeps the cart', async (status, code, words) => {
    api.handlers = { ...happy, 'POST /api/user/:id/holds': () => problem(status, code, words) };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    expect(await payButton('$24.00')).toBeEnabled();
    expect(confirmCardPayment).not.toHaveBeenCalled();
  });

  it('asks for confirmation if the price has changed', async () => {
    const dearer = buildHold({ price: 15, paymentDue: 30 });
    api.handlers = { ...happy, 'POST /api/user/:id/holds': () => [201, { hold: dearer }] };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));
    await screen.findAllByText(/it is \$30.00 now, not \$24.00/);
    const requestedBefore = confirmCardPayment.mock.calls.length;
    await user.click(await payButton('$30.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(requestedBefore).toBe(0);
    expect(api.calls('POST /api/payment/create-payment-intent')[0]?.json.amount).toBe(3000);
  });

  it('asks for confirmation if the owner has changed the policy', async () => {
    const when = { start_date: '2099-06-12', end_date: '2099-06-14' };
    const strict = buildHold({ ...when, cancellationPolicy: 'strict' });
    api.handlers = { ...happy, 'POST /api/user/:id/holds': () => [201, { hold: strict }] };
    const { user } = await openCart([buildCartItem({ ...when, cancellation: 'flexible' })]);
    expect(await screen.findByText(/^Full refund until the end of Wed, Jun 10/)).toBeVisible();

    await user.click(await payButton('$24.00'));
    await screen.findAllByText(/^What a cancellation refunds has changed/);
    expect(await screen.findByText(/^50% refund until the end of Thu, Jun 4/)).toBeVisible();
    const requestedBefore = confirmCardPayment.mock.calls.length;
    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(requestedBefore).toBe(0);
  });

  it('asks for confirmation if the payments service has a newer price', async () => {
    const [, body] = problem(409, 'PRICE_CHANGED', 'The price is $26.00 now.');
    api.handlers = {
      ...happy,
      'POST /api/payment/create-payment-intent': ({ json }) =>
        json.amount === 2600
          ? [201, { clientSecret: 'pi_1_secret_2', paymentId: ids.payment }]
          : [409, { ...body, amount: 2600 }],
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));
    await user.click(await payButton('$26.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
  });

  it('reuses the idempotency key when retried after a network failure', async () => {
    let tries = 0;
    api.handlers = {
      ...happy,
      'POST /api/user/:id/holds': () => {
        tries += 1;
        return tries === 1
          ? problem(503, 'UNAVAILABLE', 'Please try again soon.')
          : [201, { hold: buildHold() }];
      },
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));
    await screen.findAllByText('Please try again soon.');
    await user.click(await payButton('$24.00'));

    await screen.findByText('LT482913');
    const keys = api
      .calls('POST /api/user/:id/holds')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
  });

  it('releases the old hold when the cart changes', async () => {
    const { user } = await openCart([buildCartItem({ quantity: 2 })]);

    await user.click(await payButton('$48.00'));
    // The fake server's hold has the price of one drill instead of two, so the user must confirm the changed price.
    await screen.findByRole('timer');
    await user.click(screen.getByRole('button', { name: 'Remove one Hammer drill' }));

    await waitFor(() => expect(api.calls('DELETE /api/user/:id/holds/:holdId')).toHaveLength(1));
    expect(screen.queryByRole('timer')).toBeNull();
  });
});

describe('a line of the cart', () => {
  it('shows the owner and the place, and has a form for its dates, times and quantity', async () => {
    api.handlers = {
      ...happy,
      'GET /api/get-tool/:id': () => ({ tool: [buildTool({ id: ids.drill, quantity: 3 })] }),
    };
    const start = laterDay(localDate('America/Los_Angeles', Date.now()), 30);
    const item = buildCartItem({
      start_date: start,
      end_date: laterDay(start, 2),
      address: 'Portland, Oregon',
      toolOwnerName: 'Sam',
    });
    const { user, store } = await openCart([item]);
    expect(await screen.findByText('Lent by Sam · Portland, Oregon')).toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Edit Hammer drill' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Hammer drill' }));
    await user.selectOptions(await dialog.findByLabelText(/Start time/), '10.00 AM');
    await user.click(dialog.getByRole('button', { name: 'One more' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));

    expect(await payButton('$48.00')).toBeInTheDocument();
    expect(store.getState().cart.cartItems).toMatchObject([
      { start_time: '10.00 AM', end_time: '10.00 AM', quantity: 2, period: 2, totalPrice: 48 },
    ]);
  });

  it('explains in its form, before saving, why its dates are not available', async () => {
    const start = laterDay(localDate('America/Los_Angeles', Date.now()), 30);
    const terms = { blocked: [{ from: start, to: start }] };
    const tool = buildTool({ id: ids.drill, terms });
    api.handlers = { ...happy, 'GET /api/get-tool/:id': () => ({ tool: [tool] }) };
    const { user } = await openCart([
      buildCartItem({ start_date: start, end_date: laterDay(start, 2) }),
    ]);

    await user.click(await screen.findByRole('button', { name: 'Edit Hammer drill' }));

    expect(await screen.findByText(/^The owner does not lend it on some/)).toBeVisible();
  });
});

describe('the booking page', () => {
  it('retries the booking until the bookings service has received the payment event', async () => {
    let tries = 0;
    api.handlers = {
      ...happy,
      'POST /api/user/:id/add-rental-booking': () => {
        tries += 1;
        return tries === 1
          ? problem(402, 'PAYMENT_REQUIRED', 'Please pay for this booking first.')
          : [201, { rental: buildBooking() }];
      },
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('....processing')).toBeInTheDocument();
    expect(await screen.findByText('LT482913')).toBeInTheDocument();
  });

  it('shows that the dates were lost and the payment is refunded', async () => {
    const words = 'Somebody else has just booked “Hammer drill”.';
    api.handlers = {
      ...happy,
      'POST /api/user/:id/add-rental-booking': () => problem(409, 'TOOL_ALREADY_BOOKED', words),
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    expect(await screen.findByRole('heading', { name: words })).toBeInTheDocument();
    expect(screen.getByText(/the full amount goes back to your card/)).toBeInTheDocument();
  });

  it('asks for a login if the session has ended', async () => {
    api.handlers = {
      ...happy,
      'POST /api/user/:id/add-rental-booking': () => problem(401, 'UNAUTHORIZED', 'Who are you?'),
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    const words = 'kindly login to make bookings';
    expect(await screen.findByRole('heading', { name: words })).toBeInTheDocument();
    expect(screen.getAllByText(words)).toHaveLength(1);
  });
});

describe('the success page', () => {
  it('shows the times and the place of the booking, what to bring, and a calendar file', async () => {
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('Mon, Nov 2, 9:00 AM')).toBeInTheDocument();
    expect(screen.getByText('Wed, Nov 4, 9:00 AM')).toBeInTheDocument();
    expect(screen.getByText(/12 Elm Street, Portland, Oregon/)).toBeInTheDocument();
    expect(screen.getByText('Your booking code and a photo ID')).toBeInTheDocument();
    const calendar = await screen.findByRole('link', { name: 'Add to calendar' });
    expect(calendar).toHaveAttribute('download', 'lendtools-LT482913.ics');
    expect(calendar).toHaveAttribute('href', 'blob:preview');
    expect(screen.queryByRole('link', { name: 'Receipt' })).not.toBeInTheDocument();
  });

  it('links to the receipt of the payment', async () => {
    const rental = buildBooking({ paymentIds: [ids.payment] });
    api.handlers = {
      ...api.handlers,
      'POST /api/user/:id/add-rental-booking': () => [201, { rental }],
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    expect(await screen.findByRole('link', { name: 'Receipt' })).toHaveAttribute(
      'href',
      `/user/receipt?id=${ids.payment}`,
    );
  });

  it('redirects to the rental history if there is no booking', async () => {
    const { here } = await renderApp('/user/rental-booking-success', { api, user: rita });

    await waitFor(() => expect(here()).toBe('/user/my-rental-history'));
  });
});

describe('a saved card', () => {
  const visa = { id: 'pm_visa', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 };
  const amex = { id: 'pm_amex', brand: 'amex', last4: '0005', expMonth: 1, expYear: 2035 };
  const old = { id: 'pm_old', brand: 'jcb', last4: '1111', expMonth: 1, expYear: 2024 };
  const started = () =>
    api.calls('POST /api/payment/create-payment-intent').map(({ json }) => json);
  const confirmed = () =>
    confirmCardPayment.mock.calls.map((call) => (call as unknown[])[1] as object);
  const withCards = (...cards: object[]) => {
    api.handlers = { ...happy, 'GET /api/user/:id/cards': () => ({ cards }) };
  };

  it('is the first choice, and pays without the card form', async () => {
    withCards(visa, amex, old);
    const { user } = await openCart();
    expect(await screen.findByRole('radio', { name: 'Visa •••• 4242' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'American Express •••• 0005' })).not.toBeChecked();
    expect(screen.queryByRole('radio', { name: /1111/ })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(started()).toMatchObject([{ cardId: 'pm_visa' }]);
    expect(confirmed()).toEqual([{ payment_method: 'pm_visa' }]);
    expect(createPaymentMethod).not.toHaveBeenCalled();
  });

  it('leaves the choice of another card', async () => {
    withCards(visa);
    const { user } = await openCart();

    await user.click(await screen.findByRole('radio', { name: 'Another card' }));
    expect(screen.getByRole('checkbox', { name: /^Save this card/ })).not.toBeChecked();
    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(started()).toEqual([{ amount: 2400, userId: rita.id, holdId: ids.hold }]);
    expect(confirmed()).toEqual([{ payment_method: 'pm_1' }]);
  });

  it('is saved only if the renter wants it', async () => {
    const { user } = await openCart();

    await user.click(await screen.findByRole('checkbox', { name: /^Save this card/ }));
    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
    expect(started()).toMatchObject([{ saveCard: true }]);
    const [created] = createPaymentMethod.mock.calls as unknown[][];
    expect(created?.[0]).toMatchObject({ allow_redisplay: 'always' });
  });

  it('is no longer offered after it was removed elsewhere', async () => {
    let cards = [visa, amex];
    const words = 'This card is no longer saved. Please choose another one.';
    api.handlers = {
      ...happy,
      'GET /api/user/:id/cards': () => ({ cards }),
      'POST /api/payment/create-payment-intent': () => {
        cards = [amex];
        return problem(404, 'CARD_NOT_FOUND', words);
      },
    };
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    await waitFor(() => expect(screen.getByRole('radio', { name: /0005$/ })).toBeChecked());
    expect(screen.queryByRole('radio', { name: /4242$/ })).toBeNull();
    const payment = within(screen.getByRole('region', { name: 'Payment' }));
    expect(payment.getByText(words)).toBeVisible();
  });

  it('shows the bank’s reason beside it when it is declined', async () => {
    withCards(visa);
    confirmCardPayment.mockResolvedValueOnce({ error: { message: 'Your card was declined.' } });
    const { user } = await openCart();

    await user.click(await payButton('$24.00'));

    const payment = within(screen.getByRole('region', { name: 'Payment' }));
    expect(await payment.findByText('Your card was declined.')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Another card' }));
    expect(payment.queryByText('Your card was declined.')).toBeNull();
  });
});

describe('a return to the cart', () => {
  it('continues to the booking if the tab was closed during the payment', async () => {
    confirmCardPayment.mockReturnValueOnce(new Promise(() => undefined));
    const first = await openCart();
    await first.user.click(await payButton('$24.00'));
    await waitFor(() => expect(Object.values(localStorage).join()).toContain('pi_1'));

    cleanup();
    await renderApp('/user/cart', { api, user: rita });

    expect(await screen.findByText('LT482913')).toBeInTheDocument();
  });
});

describe('a visitor’s cart', () => {
  it('requires an account before the payment, and stays', async () => {
    api.handlers['POST /api/login'] = () => ({ user: { ...rita, token: 'new' }, token: 'new' });
    const { user, here } = await renderApp('/cart', {
      api,
      prepare: (store) => store.dispatch(itemAdded(buildCartItem())),
    });

    await user.click(await payButton('$24.00'));

    const dialog = within(await screen.findByRole('dialog', { name: 'Sign up or log in' }));
    await user.click(dialog.getByRole('radio', { name: 'I have an account' }));
    await user.type(dialog.getByLabelText('Email'), rita.email);
    await user.type(dialog.getByLabelText('Password'), 'a good password{Enter}');

    expect(await screen.findByText('Card')).toBeVisible();
    expect(here()).toBe('/cart');
  });
});

describe('the checkout of tools on request', () => {
  const saw = buildCartItem({ id: ids.saw, name: 'Circular saw', onRequest: true });
  const held = { ...buildHold({ rental_id: ids.saw, name: 'Circular saw' }), onRequest: true };
  const requested = buildBooking({
    booking_status: 'Requested',
    approval: buildApproval({ answerBy: '2099-01-01T12:00:00.000Z' }),
  });
  const requestHandlers: Handlers = {
    ...happy,
    'POST /api/user/:id/holds': () => [201, { hold: held, holds: [held] }],
    'POST /api/user/:id/add-rental-booking': () => [201, { rental: requested }],
  };

  it('shows the refund deadlines of the cancellation policy', async () => {
    const when = { start_date: '2099-06-12', end_date: '2099-06-14', timeZone: 'Pacific/Honolulu' };
    await openCart([{ ...saw, ...when, cancellation: 'strict' }]);

    expect(
      await screen.findByText(/^50% refund until the end of Thu, Jun 4 \(HST\), then nothing/),
    ).toBeVisible();
  });

  it('shows the booking code and the deadline of a request, which is charged only if the owner accepts', async () => {
    confirmCardPayment.mockResolvedValue({ paymentIntent: { status: 'requires_capture' } });
    api.handlers = requestHandlers;
    const { user } = await openCart([saw]);

    expect(await screen.findByText('You are charged only if the owner accepts.')).toBeVisible();
    expect(screen.getByText('Charged now').nextSibling).toHaveTextContent('$0.00');
    await user.click(await payButton('$24.00'));

    expect(await screen.findByRole('heading', { name: 'Request sent' })).toBeInTheDocument();
    expect(screen.getByText('LT482913')).toBeVisible();
    expect(screen.getByText(/You’ll hear by/)).toBeVisible();
    expect(
      screen.getByText(/authorized for \$24.00 and charged only if Sam accepts/),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'See your request' })).toBeVisible();
    expect(screen.queryByText('Congratulations!')).not.toBeInTheDocument();
  });

  it.each(['Declined', 'Withdrawn', 'Lapsed', 'Failed'] as const)(
    'leads to the booking if the request was %s meanwhile',
    async (booking_status) => {
      confirmCardPayment.mockResolvedValue({ paymentIntent: { status: 'requires_capture' } });
      const ended = { ...requested, booking_status };
      api.handlers = {
        ...requestHandlers,
        'POST /api/user/:id/add-rental-booking': () => [201, { rental: ended }],
        'GET /api/rentalBookings/:id/details': () => ({ booking: ended }),
      };
      const { user, here } = await openCart([saw]);

      await user.click(await payButton('$24.00'));

      await waitFor(() => expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`));
      expect(screen.queryByText('Congratulations!')).not.toBeInTheDocument();
    },
  );

  it('reports that nothing was charged if the hold expired before the authorization', async () => {
    confirmCardPayment.mockResolvedValue({ paymentIntent: { status: 'requires_capture' } });
    api.handlers = {
      ...requestHandlers,
      'POST /api/user/:id/add-rental-booking': () =>
        problem(409, 'HOLD_EXPIRED', 'Your hold expired.'),
    };
    const { user } = await openCart([saw]);

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText('Your card was not charged.')).toBeVisible();
  });

  it('asks for confirmation if a tool in the cart now needs the owner’s consent', async () => {
    api.handlers = requestHandlers;
    const { user } = await openCart([{ ...saw, onRequest: false }]);

    await user.click(await payButton('$24.00'));

    expect(await screen.findByText(/The owner now has to accept first/)).toBeVisible();
    expect(confirmCardPayment).not.toHaveBeenCalled();
    await user.click(await payButton('$24.00'));
    expect(await screen.findByText('Request sent')).toBeInTheDocument();
  });
});

describe('the checkout of a cart with instant tools and requests of several owners', () => {
  const declined = { error: { message: 'Your card was declined.' } };
  const tools = [
    { name: 'Hammer drill', code: 'LT100001', onRequest: false },
    { name: 'Ladder', code: 'LT100002', onRequest: false },
    { name: 'Circular saw', code: 'LT100003', onRequest: true },
    { name: 'Tile cutter', code: 'LT100004', onRequest: true },
  ].map((tool, index) => ({ ...tool, id: uuid('tool', index), line: uuid('line', index) }));

  function uuid(kind: 'tool' | 'line' | 'hold' | 'payment', index: number) {
    const group = { tool: 'a', line: 'b', hold: 'c', payment: 'd' }[kind];
    return `0190${group}000-0000-7000-8000-00000000001${index}`;
  }
  const lineOf = ({ id, line, name, code }: (typeof tools)[number]) =>
    buildHold({ id: line, rental_id: id, name, booking_code: code }).lines;
  /** The server's holds of the tools with these names: the instant ones together, each request alone. */
  function holdsOf(names: string[]) {
    const wanted = tools.filter(({ name }) => names.includes(name));
    const instant = wanted.filter(({ onRequest }) => !onRequest);
    const requests = wanted.filter(({ onRequest }) => onRequest).map((tool) => [tool]);
    return [...(instant.length > 0 ? [instant] : []), ...requests].map((part) => ({
      ...buildHold(),
      id: uuid('hold', tools.indexOf(part[0] as (typeof tools)[number])),
      amountCents: 2400 * part.length,
      onRequest: part.some(({ onRequest }) => onRequest),
      lines: part.flatMap(lineOf),
    }));
  }
  const paymentOf = (holdId: string) => holdId.replace('0190c', '0190d');
  const cart = tools.map(({ id, name, code, onRequest }) =>
    buildCartItem({ id, name, booking_code: code, onRequest }),
  );
  const nameOf = (rentalId: string) => tools.find(({ id }) => id === rentalId)?.name ?? '';
  const whole: Handlers = {
    ...happy,
    'POST /api/user/:id/holds': ({ json }) => {
      const lines = json.lines as { rental_id: string }[];
      const holds = holdsOf(lines.map((line) => nameOf(line.rental_id)));
      return [201, { hold: holds[0], holds }];
    },
    'POST /api/payment/create-payment-intent': ({ json }) => [
      201,
      { clientSecret: `pi_${json.holdId}_secret_2`, paymentId: paymentOf(String(json.holdId)) },
    ],
    'POST /api/user/:id/add-rental-booking': ({ json }) => {
      const tool = tools.find(({ id }) => id === json.rental_id);
      const { line: id, name, code: booking_code } = tool as (typeof tools)[number];
      const approval = tool?.onRequest ? buildApproval() : null;
      const booking_status = tool?.onRequest ? 'Requested' : 'Booked';
      return [201, { rental: buildBooking({ id, name, booking_code, approval, booking_status }) }];
    },
  };
  const methods = () => createPaymentMethod.mock.results.length;
  const usedMethods = () =>
    confirmCardPayment.mock.calls.map((call) => (call as unknown[])[1] as object);

  beforeEach(() => {
    api.handlers = whole;
    createPaymentMethod.mockImplementation(async () => ({
      paymentMethod: { id: `pm_${methods()}` },
    }));
  });

  it('is paid by entering the card once, with one button, and shows all codes on one page', async () => {
    const { user, store, here } = await openCart(cart);

    expect(await screen.findByText('Charged now')).toBeVisible();
    expect(screen.getByText('Charged now').nextSibling).toHaveTextContent('$48.00');
    const ifAccepted = screen.getByText('Charged if the owner accepts');
    expect(ifAccepted.nextSibling).toHaveTextContent('$48.00');
    expect(await screen.findByText(/confirm each of the 3 payments/)).toBeVisible();
    await user.dblClick(await payButton('$96.00'));

    expect(await screen.findByRole('heading', { name: 'Congratulations!' })).toBeInTheDocument();
    for (const { code } of tools) expect(screen.getByText(code)).toBeInTheDocument();
    expect(screen.getAllByText(/charged only if Sam accepts/)).toHaveLength(2);
    expect(here()).toBe('/user/rental-booking-success');
    // Stripe accepts a payment method for one payment only.
    expect(usedMethods()).toEqual([1, 2, 3].map((n) => ({ payment_method: `pm_${n}` })));
    expect(api.calls('POST /api/user/:id/holds')[0]?.json).toMatchObject({ splitRequests: true });
    const amounts = api
      .calls('POST /api/payment/create-payment-intent')
      .map(({ json }) => json.amount);
    expect(amounts).toEqual([4800, 2400, 2400]);
    await waitFor(() => expect(store.getState().cart.cartItems).toEqual([]));
    expect(store.getState().checkout.current).toBeNull();
  });

  it('stays in the cart if the first payment is declined, and counts one decline', async () => {
    confirmCardPayment.mockResolvedValueOnce(declined);
    const { user, here } = await openCart(cart);

    await user.click(await payButton('$96.00'));

    await screen.findAllByText('Your card was declined.');
    expect(here()).toBe('/user/cart');
    expect(confirmCardPayment).toHaveBeenCalledTimes(1);
    expect(api.calls('POST /api/payment/create-payment-intent')).toHaveLength(1);
    expect(api.calls('POST /api/user/:id/add-rental-booking')).toEqual([]);
  });

  it('shows for each line what happened if a later payment is declined, and then pays only the rest', async () => {
    confirmCardPayment.mockResolvedValueOnce(succeeded).mockResolvedValueOnce(declined);
    const isPaid = () => confirmCardPayment.mock.calls.length > 2;
    api.handlers = {
      ...whole,
      'PUT /api/payment/confirm-payment/:id': ({ path }) =>
        path.endsWith(paymentOf(uuid('hold', 2))) && !isPaid()
          ? problem(402, 'PAYMENT_NOT_SUCCEEDED', 'Your card was declined.')
          : { message: 'Received', payment: {} },
    };
    const { user, here, store } = await openCart(cart);

    await user.click(await payButton('$96.00'));

    await screen.findByRole('heading', { name: 'Not everything went through' });
    const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    const lineWith = (text: string) => lines.find((line) => line?.includes(text));
    expect(lineWith('LT100001')).toContain('is yours');
    expect(lineWith('LT100002')).toContain('is yours');
    expect(lineWith('Circular saw')).toMatch(/not booked.*Your card was declined.*dates are kept/);
    expect(lineWith('Tile cutter')).toMatch(/not booked.*Not paid yet.*dates are kept/);
    await user.click(screen.getByRole('link', { name: 'Pay for the rest' }));

    expect(await screen.findByRole('timer')).toBeVisible();
    expect(here()).toBe('/user/cart');
    expect(store.getState().cart.cartItems.map(({ name }: CartItem) => name)).toEqual([
      'Circular saw',
      'Tile cutter',
    ]);
    await user.click(await payButton('$48.00'));

    expect(await screen.findByRole('heading', { name: 'Requests sent' })).toBeInTheDocument();
    expect(api.calls('POST /api/user/:id/holds')).toHaveLength(1);
    expect(api.calls('DELETE /api/user/:id/holds/:holdId')).toEqual([]);
    const paid = api
      .calls('POST /api/payment/create-payment-intent')
      .map(({ json }) => json.holdId);
    const [instant, saw, cutter] = holdsOf(tools.map(({ name }) => name)).map(({ id }) => id);
    expect(paid).toEqual([instant, saw, saw, cutter]);
    await waitFor(() => expect(store.getState().cart.cartItems).toEqual([]));
  });

  it('frees the dates of all unpaid lines after too many declines, and shows what was booked', async () => {
    confirmCardPayment.mockResolvedValueOnce(succeeded).mockResolvedValueOnce(declined);
    const words = 'Your card was declined 5 times, so this payment was ended.';
    api.handlers = {
      ...whole,
      'PUT /api/payment/confirm-payment/:id': ({ path }) =>
        path.endsWith(paymentOf(uuid('hold', 2)))
          ? problem(402, 'PAYMENT_DECLINED', words)
          : { message: 'Received', payment: {} },
    };
    const { user, store } = await openCart(cart);

    await user.click(await payButton('$96.00'));

    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.getByText('LT100001')).toBeInTheDocument();
    expect(screen.queryByRole('timer')).toBeNull();
    expect(api.calls('DELETE /api/user/:id/holds/:holdId')).toHaveLength(2);
    await waitFor(() => expect(store.getState().checkout.current).toBeNull());
  });

  it('books what was paid if the tab was closed between two payments, and keeps the rest', async () => {
    confirmCardPayment
      .mockResolvedValueOnce(succeeded)
      .mockReturnValueOnce(new Promise(() => undefined));
    api.handlers = {
      ...whole,
      'PUT /api/payment/confirm-payment/:id': ({ path }) =>
        path.endsWith(paymentOf(uuid('hold', 0)))
          ? { message: 'Received', payment: {} }
          : problem(402, 'PAYMENT_NOT_SUCCEEDED', 'The payment has not been completed yet.'),
    };
    const first = await openCart(cart);
    await first.user.click(await payButton('$96.00'));
    await waitFor(() => expect(confirmCardPayment).toHaveBeenCalledTimes(2));
    await waitFor(() =>
      expect(Object.values(localStorage).join()).toContain(paymentOf(uuid('hold', 2))),
    );

    cleanup();
    const { user } = await renderApp('/user/cart', { api, user: rita });

    await screen.findByRole('heading', { name: 'Not everything went through' });
    expect(screen.getByText('LT100001')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Pay for the rest' }));
    expect(await payButton('$48.00')).toBeEnabled();
    expect(api.calls('POST /api/user/:id/holds')).toHaveLength(1);
  });

  it('goes on with the next payment if another tab has made this one', async () => {
    api.handlers = {
      ...whole,
      'POST /api/payment/create-payment-intent': (call) =>
        call.json.holdId === uuid('hold', 0)
          ? problem(409, 'HOLD_PAID', 'This cart is already booked.')
          : (whole['POST /api/payment/create-payment-intent']?.(call) as never),
    };
    const { user } = await openCart(cart);

    await user.click(await payButton('$96.00'));

    expect(await screen.findByText('LT100004')).toBeInTheDocument();
    expect(confirmCardPayment).toHaveBeenCalledTimes(2);
  });

  it('shows a line whose dates were lost together with those that were booked', async () => {
    const words = 'Somebody else has just booked “Hammer drill”.';
    api.handlers = {
      ...whole,
      'POST /api/user/:id/add-rental-booking': (call) =>
        call.json.rental_id === tools[0]?.id
          ? problem(409, 'TOOL_ALREADY_BOOKED', words)
          : (whole['POST /api/user/:id/add-rental-booking']?.(call) as never),
    };
    const { user } = await openCart(cart);

    await user.click(await payButton('$96.00'));

    await screen.findByRole('heading', { name: 'Not everything went through' });
    expect(screen.getAllByText(/the full amount goes back to your card/)).toHaveLength(2);
    expect(screen.getByText('LT100003')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Pay for the rest' })).not.toBeInTheDocument();
  });
});
