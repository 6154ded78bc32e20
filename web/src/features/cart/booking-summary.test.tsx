import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Availability } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildReview, buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';
import { formatDay, localDay } from '../../rental/format.ts';

const drill = buildTool();
const start = laterDay(localDay(), 30);
const dates = `start_date=${start}&end_date=${laterDay(start, 3)}`;
const draft = `id=${drill.id}&${dates}&quantity=2`;

const calendar: Availability = {
  item_status: 'Available',
  rental_circle: 'daily',
  quantity: 2,
  terms: null,
  taken: [],
  timeZone: drill.timeZone,
  days: [{ date: localDate(drill.timeZone, Date.now()), free: 0, why: 'booked' }],
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    [`GET /api/get-tool/${drill.id}`]: () => ({ tool: [drill] }),
    'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
    'POST /api/login': () => ({ user: { ...rita, token: 'fresh' }, token: 'fresh' }),
  });
});
afterEach(() => api.stop());

describe('/rental-details', () => {
  it('shows the price line by line and leads a visitor to the summary', async () => {
    const { user, here } = await renderApp(`/rental-details?${draft}`, { api });

    expect(await screen.findByText('$12.00 × 3 days × 2')).toBeVisible();
    expect(screen.getAllByText('$72.00')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Proceed To Booking' }));

    await waitFor(() => expect(here()).toBe(`/rental-booking-summary?${draft}`));
  });

  it('refetches the calendar once for several changes, after a random delay per viewer', async () => {
    const requested: number[] = [];
    const free = calendar.days.map((day) => ({ ...day, free: 2, why: null }));
    api.handlers['GET /api/rentals/:id/availability'] = () => {
      requested.push(performance.now());
      return { availability: requested.length === 1 ? calendar : { ...calendar, days: free } };
    };
    const { user } = await renderApp(`/rental-details?id=${drill.id}`, { api });
    await user.click(await screen.findByRole('button', { name: /^Start date/ }));
    await screen.findByRole('button', { name: /, taken$/ });
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.2);
    const changedAt = performance.now();

    for (let i = 0; i < 3; i++)
      act(() => emitLocally('availability:changed', { toolId: drill.id }));
    random.mockRestore();

    await waitFor(() => expect(screen.queryByRole('button', { name: /, taken$/ })).toBeNull());
    expect(requested).toHaveLength(2);
    expect((requested[1] ?? 0) - changedAt).toBeGreaterThanOrEqual(299);
  });

  it('names each field that a member left empty, and stays on the page', async () => {
    const at = `/user/rental-details?id=${drill.id}`;
    const { user, here } = await renderApp(at, { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Proceed To Booking' }));

    for (const what of ['start date', 'returning date', 'start time', 'returning time']) {
      expect(screen.getByText(`Please select your ${what}`)).toBeVisible();
    }
    expect(here()).toBe(at);
  });

  it('accepts a time before a date is chosen', async () => {
    const at = `/user/rental-details?id=${drill.id}`;
    const { user } = await renderApp(at, { api, user: rita });

    await user.selectOptions(await screen.findByLabelText(/Start time/), '9.00 AM');

    expect(screen.getByLabelText(/Start time/)).toHaveValue('9.00 AM');
    expect(screen.getByRole('button', { name: 'Proceed To Booking' })).toBeVisible();
  });

  it.each([
    'start_date=xx&start_time=9.00+AM&end_date=2026-',
    'start_date=2026-99-99&end_date=2099-02-30&start_time=9.00+AM',
  ])('ignores invalid dates in the URL: %s', async (typed) => {
    const at = `/user/rental-details?id=${drill.id}&${typed}`;
    await renderApp(at, { api, user: rita });

    expect(await screen.findByRole('button', { name: 'Proceed To Booking' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Start date Pick a day' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Returning date Pick a day' })).toBeVisible();
  });

  it('offers no booking of an unavailable tool, and shows similar tools', async () => {
    const off = { ...drill, item_status: 'Unavailable' };
    const like = buildTool({ id: '0190b000-0000-7000-8000-000000000009', name: 'Rotary hammer' });
    api.handlers[`GET /api/get-tool/${drill.id}`] = () => ({ tool: [off] });
    api.handlers['GET /api/all-rentals'] = () => ({ rentals: [off, like], nextCursor: null });
    await renderApp(`/rental-details?id=${drill.id}`, { api });

    expect(await screen.findByText('Not available right now')).toBeVisible();
    const other = await screen.findByRole('link', { name: 'Rotary hammer' });
    expect(other).toHaveAttribute('href', `/rental-details?id=${like.id}`);
    expect(screen.queryByRole('link', { name: drill.name })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Proceed To Booking' })).toBeNull();
  });

  describe('while all units are out', () => {
    const today = localDate(drill.timeZone, Date.now());
    const back = laterDay(today, 5);
    const taken = [1, 2].map((unit) => ({
      unit,
      why: 'booked' as const,
      from: new Date(Date.now() - 86_400_000).toISOString(),
      to: `${back}T12:00:00.000Z`,
    }));
    const days = [0, 1, 2, 3, 4, 5, 6, 7].map((count) => {
      const date = laterDay(today, count);
      return date > back ? { date, free: 2, why: null } : { date, free: 0, why: 'booked' as const };
    });
    const free = `Free from ${formatDay(laterDay(today, 6))}`;
    beforeEach(() => {
      const availability = { ...calendar, taken, days };
      api.handlers['GET /api/rentals/:id/availability'] = () => ({ availability });
    });

    it('shows that the tool is taken now and when it is free next, and takes bookings', async () => {
      await renderApp(`/rental-details?id=${drill.id}`, { api });

      expect(await screen.findByText('Taken now')).toBeVisible();
      expect(screen.getByText(free)).toBeVisible();
      expect(screen.queryByText('Available')).toBeNull();
      expect(await screen.findByRole('button', { name: 'Proceed To Booking' })).toBeVisible();
    });

    it('shows when an unavailable tool is free next', async () => {
      const off = { ...drill, item_status: 'Unavailable' };
      api.handlers[`GET /api/get-tool/${drill.id}`] = () => ({ tool: [off] });
      await renderApp(`/rental-details?id=${drill.id}`, { api });

      expect(await screen.findByText(/^Taken now\. /)).toHaveTextContent(
        `Taken now. ${free}. Sam has not put it back on offer yet. Other neighbors may have one like it.`,
      );
      expect(screen.getByText('Unavailable')).toBeVisible();
    });
  });

  it('shows the owner, the reviews and the cancellation terms before the payment', async () => {
    api.handlers['GET /api/rentals/:id/owner'] = () => ({
      owner: {
        id: drill.userId,
        first_name: 'Sam',
        city: 'Portland',
        state: 'Oregon',
        image: '/api/images/users-ab-640.webp',
        rating: 4.75,
        reviewCount: 8,
        rentals: 1,
      },
    });
    api.handlers['GET /api/rentalBookings/get-review'] = () => ({
      reviews: [buildReview()],
      nextCursor: null,
      counts: [0, 0, 1, 0, 3],
    });
    await renderApp(`/rental-details?id=${drill.id}`, { api });

    expect(await screen.findByText('4.8 from 8 reviews')).toBeVisible();
    expect(screen.getByText('1 rental')).toBeVisible();
    expect(await screen.findByText('4 reviews')).toBeVisible();
    const stars = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(stars).toEqual(expect.arrayContaining(['5 stars:3', '3 stars:1', '1 star:0']));
    expect(screen.getAllByText(/^Cancel for free until your rental starts/)).toHaveLength(2);
  });

  it('shows no rating while the viewer’s own review is the only one and has not appeared', async () => {
    api.handlers['GET /api/rentalBookings/get-review'] = () => ({
      reviews: [{ ...buildReview(), publishedAt: null }],
      nextCursor: null,
      counts: [0, 0, 0, 0, 0],
    });
    await renderApp(`/rental-details?id=${drill.id}`, { api });

    expect(await screen.findByText('Only you see your review yet.')).toBeVisible();
    expect(screen.queryByText('0 reviews')).not.toBeInTheDocument();
  });

  it('shows the refunds of the owner’s policy, with dates once they are chosen', async () => {
    const strict = { ...drill, terms: { cancellation: 'strict' } };
    api.handlers[`GET /api/get-tool/${drill.id}`] = () => ({ tool: [strict] });
    await renderApp(`/rental-details?id=${drill.id}`, { api });

    const words = /^50% refund until 7 days before the start, then nothing. Within an hour/;
    await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
    expect(screen.getByText('Cancellation: strict')).toBeVisible();
    cleanup();
    await renderApp(`/rental-booking-summary?${draft}`, { api });

    expect(await screen.findByText(/^(50% refund until the end of|No refund)/)).toBeVisible();
  });

  it('shows a portrait picture uncropped', async () => {
    await renderApp(`/rental-details?id=${drill.id}`, { api });

    const cover = await screen.findByRole('img', { name: drill.name });
    Object.defineProperties(cover, { naturalWidth: { value: 600 }, naturalHeight: { value: 800 } });
    fireEvent.load(cover);

    expect(cover).toHaveAttribute('data-portrait');
  });

  it('opens the pictures in full size, ignoring one that the API names "null"', async () => {
    const { user } = await renderApp(`/rental-details?id=${drill.id}`, { api });

    await user.click(await screen.findByRole('button', { name: 'Show the cover in full size' }));
    await user.click(await screen.findByRole('button', { name: 'Next picture' }));

    expect(await screen.findByRole('dialog')).toHaveTextContent('Hammer drill, picture 2 of 2');
  });
});

describe('/rental-booking-summary', () => {
  describe('for a visitor who presses ADD TO CART', () => {
    const openDialog = async () => {
      const app = await renderApp(`/rental-booking-summary?${draft}`, { api });
      await app.user.click(await screen.findByRole('button', { name: 'ADD TO CART' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Sign up or log in' }));
      const type = (label: string, text: string) =>
        app.user.type(dialog.getByLabelText(new RegExp(`^${label}`)), text);
      const signUp = async () => {
        await type('First name', 'Rita');
        await type('Last name', 'Lopez');
        await type('Email', rita.email);
        await type('Phone', '+1 503 555 0142');
        await type('Password', 'a good password{Enter}');
      };
      const inCart = () => app.store.getState().cart.cartItems;
      return { ...app, dialog, type, signUp, inCart };
    };

    it('signs up by name, email, phone and password, and puts the tool into the cart', async () => {
      api.handlers['POST /api/create-account'] = () => [201, { message: 'Welcome', user: rita }];
      const { dialog, signUp, here, inCart } = await openDialog();
      const words = 'You need to have an account or sign-in to make booking.';
      expect(dialog.getByText(words)).toBeVisible();

      await signUp();

      await waitFor(() => expect(here()).toBe('/user/cart'));
      const times = { start_time: '9.00 AM', quantity: 2, totalPrice: 72 };
      expect(inCart()).toMatchObject([{ id: drill.id, start_date: start, ...times }]);
      const sent = api.calls('POST /api/create-account')[0]?.text;
      expect(sent).toContain('+1 503 555 0142');
      expect(sent).not.toMatch(/"(state|city|address)"/);
      expect(api.calls('POST /api/login')[0]?.json).toEqual({
        email: rita.email,
        password: 'a good password',
      });
    });

    it('logs in, and puts the tool into the cart', async () => {
      const { user, dialog, type, here, inCart } = await openDialog();

      await user.click(dialog.getByRole('radio', { name: 'I have an account' }));
      await type('Email', rita.email);
      await type('Password', 'a good password{Enter}');

      await waitFor(() => expect(here()).toBe('/user/cart'));
      expect(inCart()).toMatchObject([{ id: drill.id, quantity: 2 }]);
    });

    it('leads to the login, with the email, if there is an account already', async () => {
      const taken = 'There is already an account with this email.';
      api.handlers['POST /api/create-account'] = () => problem(409, 'EMAIL_TAKEN', taken);
      const { dialog, signUp, inCart } = await openDialog();

      await signUp();

      expect(await dialog.findByRole('alert')).toHaveTextContent(taken);
      expect(dialog.getByLabelText('Email')).toHaveValue(rita.email);
      expect(inCart()).toEqual([]);
    });

    it('leads to the login if logging in after the sign-up fails', async () => {
      api.handlers['POST /api/create-account'] = () => [201, { message: 'Welcome', user: rita }];
      api.handlers['POST /api/login'] = () => problem(503, 'UNAVAILABLE', 'Please try again.');
      const { dialog, signUp } = await openDialog();

      await signUp();

      expect(await dialog.findByRole('alert')).toHaveTextContent(
        'Your account is ready. Please log in.',
      );
      expect(dialog.getByLabelText('Email')).toHaveValue(rita.email);
    });

    it('asks for the second factor of an account that has one', async () => {
      api.handlers['POST /api/login'] = () => {
        const [status, body] = problem(403, 'SECOND_FACTOR_REQUIRED', 'Please enter the code.');
        return [status, { ...body, challenge: 'abc' }];
      };
      api.handlers['POST /api/login/second-factor'] = () => ({
        user: { ...rita, token: 'fresh' },
        token: 'fresh',
      });
      const { user, dialog, type, here } = await openDialog();
      await user.click(dialog.getByRole('radio', { name: 'I have an account' }));
      await type('Email', rita.email);
      await type('Password', 'a good password{Enter}');

      await user.type(await screen.findByLabelText('Code'), '123456{Enter}');

      await waitFor(() => expect(here()).toBe('/user/cart'));
    });

    it('shows which fields are wrong, and keeps what was typed when the dialog is closed', async () => {
      const msg = 'This password is easy to guess.';
      const errors = [{ msg, path: 'password' }];
      api.handlers['POST /api/create-account'] = () => [
        400,
        { code: 'PASSWORD_TOO_WEAK', message: msg, errors },
      ];
      const { user, dialog, type, signUp, here } = await openDialog();
      await type('Password', '{Enter}');
      expect(dialog.getByText('Please enter your first name')).toBeVisible();

      await signUp();
      expect(await dialog.findByText(msg)).toBeVisible();
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await user.click(screen.getByRole('button', { name: 'ADD TO CART' }));

      expect(await screen.findByLabelText(/^Email/)).toHaveValue(rita.email);
      expect(here()).toBe(`/rental-booking-summary?${draft}`);
    });
  });

  it('lets a member choose the times if the URL has only dates', async () => {
    const at = `/user/rental-booking-summary?${draft}`;
    const { user, store } = await renderApp(at, { api, user: rita });

    expect(await screen.findByLabelText(/Start time/)).toHaveValue('9.00 AM');
    await user.selectOptions(screen.getByLabelText(/Returning time/), '7.15 PM');
    await user.click(screen.getByRole('button', { name: 'ADD TO CART' }));

    expect(store.getState().cart.cartItems).toMatchObject([
      { start_time: '9.00 AM', end_time: '7.15 PM', period: 3 },
    ]);
  });

  it('adds one cart line, however often the button is pressed before the cart opens', async () => {
    const at = `/user/rental-booking-summary?id=${drill.id}&${dates}`;
    const { here, store } = await renderApp(at, { api, user: rita });
    const add = await screen.findByRole('button', { name: 'ADD TO CART' });

    act(() => {
      for (let press = 0; press < 3; press += 1) add.click();
    });

    await waitFor(() => expect(here()).toBe('/user/cart'));
    expect(store.getState().cart.cartItems).toMatchObject([{ quantity: 1, totalPrice: 36 }]);
  });

  it.each([
    [1, 1, '$12.00 × 1 day'],
    [3, 9, '$12.00 × 3 days × 2'],
  ])(
    'limits the quantity to the tool’s units: for %i days, %i requested',
    async (days, quantity, words) => {
      const end = laterDay(start, days);
      const requested = `id=${drill.id}&start_date=${start}&end_date=${end}&quantity=${quantity}`;
      await renderApp(`/rental-booking-summary?${requested}`, { api });

      expect(await screen.findByText(words)).toBeVisible();
    },
  );

  it('links back to the choice of dates if the chosen dates have passed', async () => {
    const over = `id=${drill.id}&start_date=2020-06-01&end_date=2020-06-04`;
    await renderApp(`/rental-booking-summary?${over}`, { api });

    expect(await screen.findByText('The start date has already passed.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose dates' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'ADD TO CART' })).toBeNull();
  });

  it.each([
    ['', 'Browse tools', '/home'],
    [`?id=${drill.id}`, 'Choose dates', `/rental-details?id=${drill.id}`],
  ])('links to the next step if the URL is incomplete: "%s"', async (search, label, to) => {
    await renderApp(`/rental-booking-summary${search}`, { api });

    const way = await screen.findByRole('link', { name: label });
    expect(way.getAttribute('href')).toContain(to);
  });

  it('adds a member’s booking to the cart', async () => {
    const times = 'start_time=9.00+AM&end_time=9.00+AM';
    const at = `/user/rental-booking-summary?${draft}&${times}`;
    const { user, here, store } = await renderApp(at, { api, user: rita });

    expect(await screen.findByText('Days')).toBeVisible();
    expect(screen.getAllByText('9:00 AM')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'ADD TO CART' }));

    await waitFor(() => expect(here()).toBe('/user/cart'));
    const { cartItems, totalAmount } = store.getState().cart;
    expect(totalAmount).toBe(72);
    expect(cartItems[0]).toMatchObject({
      id: drill.id,
      period: 3,
      quantity: 2,
      paymentDue: 72,
      start_time: '9.00 AM',
      toolOwnerId: drill.userId,
    });
    expect(Object.keys(cartItems[0] ?? {})).toEqual(
      expect.arrayContaining([
        ...['id', 'name', 'description', 'price', 'cover_image', 'booking_code', 'quantity'],
        ...['address', 'paymentDue', 'rental_circle', 'period', 'start_date', 'start_time'],
        ...['end_date', 'end_time', 'toolOwnerId', 'toolOwnerAddress', 'totalPrice'],
      ]),
    );
    expect(cartItems[0]?.booking_code).toMatch(/^LT[1-9]\d{5}$/);
  });
});
