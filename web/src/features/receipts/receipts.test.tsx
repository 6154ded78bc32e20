import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Receipt } from '@lendtools/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { buildBooking, ids } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const receipt: Receipt = {
  number: 'R-4H7K-2M9Q',
  paymentId: ids.payment,
  date: '2026-11-01T20:00:00.000Z',
  renterName: 'Rita Lopez',
  card: { brand: 'visa', last4: '4242' },
  lines: [
    {
      bookingId: ids.booking,
      bookingCode: 'LT482913',
      toolName: 'Hammer drill',
      ownerName: 'Sam Okafor',
      quantity: 2,
      startDate: '2026-11-02',
      startTime: '9.00 AM',
      endDate: '2026-11-04',
      endTime: '9.00 AM',
      timeZone: 'America/Los_Angeles',
      rentalCircle: 'daily',
      period: 2,
      priceCents: 1_200,
      discountCents: 480,
      before: null,
      amountCents: 4_320,
    },
  ],
  restCents: 0,
  totalCents: 4_320,
  tax: { name: 'sales tax', percent: 8.25, cents: 329 },
  creditNotes: [],
  refundedCents: 0,
};
const refunded: Receipt = {
  ...receipt,
  creditNotes: [
    {
      number: 'C-0000-0001',
      date: '2026-11-02T20:00:00.000Z',
      amountCents: 2_160,
      taxCents: 165,
      reason: 'cancelled',
      bookingCode: 'LT482913',
      toolNames: ['Hammer drill'],
      isReturned: false,
    },
  ],
  refundedCents: 2_160,
};

const path = '/api/user/:id/receipts/:payment';
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
  'GET /api/rentalBookings/:id/details': () => ({
    booking: buildBooking({ paymentIds: [ids.payment] }),
  }),
  [`GET ${path}`]: () => ({ receipt }),
  [`GET ${path}/:number`]: () => ({}),
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({ ...handlers });
});
afterEach(() => {
  jest.restoreAllMocks();
  return api.stop();
});

function open(user = rita, search = `?id=${ids.payment}`) {
  return renderApp(`/user/receipt${search}`, { api, user });
}

/** The names of the files that the page saves. */
function savedFiles() {
  const names: string[] = [];
  jest.spyOn(URL, 'createObjectURL').mockReturnValue('blob:receipt');
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  return names;
}

describe('the receipt of a payment', () => {
  it('is linked from the renter’s booking', async () => {
    const { user, here } = await renderApp(`/user/my-rental-history-details?id=${ids.booking}`, {
      api,
      user: rita,
    });

    await user.click(await screen.findByRole('link', { name: 'See the receipt' }));

    expect(await screen.findByRole('heading', { name: 'Receipt R-4H7K-2M9Q' })).toBeVisible();
    expect(here()).toBe(`/user/receipt?id=${ids.payment}`);
    expect(api.calls(`GET ${path}`)[0]?.path).toBe(`/api/user/${rita.id}/receipts/${ids.payment}`);
  });

  it('shows date, renter, card, lines, total and tax', async () => {
    await open();

    const paper = await screen.findByRole('article', { name: 'Receipt R-4H7K-2M9Q' });
    for (const words of [
      'Nov 1, 2026',
      'Rita Lopez',
      'Visa ending in 4242',
      'Hammer drill × 2',
      'Booking LT482913, rented from Sam Okafor',
      'Nov 2, 2026, 9:00 AM – Nov 4, 2026, 9:00 AM',
      '$12.00 × 2 days × 2, less a discount of $4.80',
      'Includes 8.25 % sales tax: $3.29',
    ])
      expect(within(paper).getByText(words)).toBeInTheDocument();
    expect(within(paper).getAllByText('$43.20')).toHaveLength(2);
    expect(within(paper).queryByText('Credit notes')).not.toBeInTheDocument();
  });

  it('lists the credit notes below it, each with its file', async () => {
    api.handlers[`GET ${path}`] = () => ({ receipt: refunded });
    const names = savedFiles();
    const { user } = await open();

    const notes = await screen.findByRole('region', { name: 'Credit notes' });
    expect(notes).toHaveTextContent('Credit note C-0000-0001');
    expect(notes).toHaveTextContent('The booking was cancelled: Hammer drill, booking LT482913');
    expect(notes).toHaveTextContent('-$21.60');
    expect(notes).toHaveTextContent('Paid after refunds$21.60');

    await user.click(within(notes).getByRole('button', { name: 'PDF C-0000-0001' }));
    await waitFor(() => expect(names).toEqual(['lendtools-C-0000-0001.pdf']));
    await user.click(screen.getByRole('button', { name: 'Download PDF R-4H7K-2M9Q' }));
    await waitFor(() => expect(names).toHaveLength(2));
    expect(api.calls(`GET ${path}/:number`).map(({ path: called }) => called)).toEqual([
      `/api/user/${rita.id}/receipts/${ids.payment}/C-0000-0001`,
      `/api/user/${rita.id}/receipts/${ids.payment}/R-4H7K-2M9Q`,
    ]);
  });

  it('is printed without the rest of the site', async () => {
    const print = jest.spyOn(window, 'print').mockImplementation(() => {});
    const { user } = await open();

    await user.click(await screen.findByRole('button', { name: 'Print' }));

    expect(print).toHaveBeenCalledTimes(1);
  });

  it('is shown to an admin under the renter’s address', async () => {
    const admin = { ...rita, id: ids.sam, role: 'Admin' };
    await open(admin, `?id=${ids.payment}&renter=${rita.id}`);

    expect(await screen.findByRole('heading', { name: 'Receipt R-4H7K-2M9Q' })).toBeVisible();
    expect(api.calls(`GET ${path}`)[0]?.path).toBe(`/api/user/${rita.id}/receipts/${ids.payment}`);
  });

  it('can be loaded again after an error, and reports a file that cannot be loaded', async () => {
    api.handlers[`GET ${path}`] = () => problem(503, 'UNAVAILABLE', 'Please try again soon.');
    api.handlers[`GET ${path}/:number`] = () =>
      problem(429, 'TOO_MANY_REQUESTS', 'You have downloaded many receipts within an hour.');
    const { user } = await open();
    expect(await screen.findByText('Please try again soon.')).toBeVisible();

    api.handlers[`GET ${path}`] = () => ({ receipt });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await user.click(await screen.findByRole('button', { name: 'Download PDF R-4H7K-2M9Q' }));

    expect(
      await screen.findByText('You have downloaded many receipts within an hour.'),
    ).toBeVisible();
  });

  it('needs a payment in its address', async () => {
    await open(rita, '');

    expect(await screen.findByText('This link is missing its payment.')).toBeVisible();
  });
});
