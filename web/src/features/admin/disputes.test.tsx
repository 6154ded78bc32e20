import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { ids } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const admin = { ...rita, role: 'Admin' };

function inHours(hours: number) {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

const drill = {
  id: ids.booking,
  booking_code: 'LT123456',
  name: 'Drill',
  booking_status: 'Booked',
  startsAt: inHours(48),
};

function dispute(overrides: object = {}) {
  return {
    id: 'du_1',
    paymentId: ids.drill,
    amountCents: 4_800,
    paidCents: 4_800,
    state: 'open',
    status: 'needs_response',
    reason: 'product_not_received',
    answerBy: inHours(72),
    waivedAt: null,
    createdAt: inHours(-24),
    stripeUrl: 'https://dashboard.stripe.com/payments/pi_1',
    bookings: [drill],
    ...overrides,
  };
}

const warning = {
  id: 'issfr_1',
  paymentId: ids.drill,
  amountCents: 9_900,
  isActionable: true,
  fraudType: 'made_with_stolen_card',
  createdAt: inHours(-2),
  stripeUrl: 'https://dashboard.stripe.com/payments/pi_2',
  bookings: [drill],
};

let open: object[];
let over: object[];
let warnings: object[];
let api: FakeApi;
beforeEach(async () => {
  [open, over, warnings] = [[dispute()], [], []];
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/admin/disputes': ({ query }) => ({
      disputes: query.get('when') === 'open' ? open : over,
      nextCursor: null,
    }),
    'GET /api/admin/fraud-warnings': ({ query }) => ({
      warnings: query.get('when') === 'open' ? warnings : [],
      nextCursor: null,
    }),
  });
});
afterEach(() => api.stop());

function show() {
  return renderApp('/admin/disputes', { api, user: admin });
}

async function rowsOf(name: string) {
  return within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1);
}

describe('the disputes page', () => {
  it('has a link in the menu, and shows each dispute’s deadline, reason, booking and link to Stripe', async () => {
    await show();

    const [row] = await rowsOf('Open disputes');
    expect(row).toHaveTextContent('$48');
    expect(row).toHaveTextContent('Product not received');
    expect(row).toHaveTextContent('Needs evidence');
    const inRow = within(row as HTMLElement);
    expect(inRow.getByRole('link', { name: 'Drill (LT123456)' })).toHaveAttribute(
      'href',
      `/admin/booking-details?id=${ids.booking}`,
    );
    expect(inRow.getByRole('link', { name: /Stripe/ })).toHaveAttribute(
      'href',
      'https://dashboard.stripe.com/payments/pi_1',
    );
    expect(screen.getAllByRole('link', { name: 'Disputes' })[0]).toHaveAttribute(
      'href',
      '/admin/disputes',
    );
  });

  it('labels overdue and partial disputes, inquiries, and disputes that wait for the bank', async () => {
    open = [
      dispute({
        id: 'du_2',
        answerBy: inHours(-1),
        bookings: [{ ...drill, startsAt: inHours(-48) }],
      }),
      dispute({ id: 'du_3', state: 'inquiry', status: 'warning_needs_response' }),
      dispute({ id: 'du_4', status: 'under_review', answerBy: null, amountCents: 1_000 }),
    ];

    await show();

    const rows = await rowsOf('Open disputes');
    expect(rows.map((row) => within(row).getByTestId('state').textContent)).toEqual([
      'Overdue',
      'Inquiry',
      'Bank decides',
    ]);
    expect(rows[2]).toHaveTextContent('$10.00 of $48.00');
    expect(rows[0]).toHaveTextContent('Booked, started');
    expect(rows[2]).toHaveTextContent('Booked, starts');
  });

  it('shows what to do about a suspected fraud, and links to the form that refunds the booking', async () => {
    warnings = [warning];

    await show();

    const [row] = await rowsOf('Fraud warnings');
    expect(row).toHaveTextContent('Made with stolen card');
    expect(screen.getByText(/before the cardholder disputes it/)).toBeInTheDocument();
    expect(
      within(row as HTMLElement).getByRole('link', { name: 'Refund or cancel Drill (LT123456)' }),
    ).toHaveAttribute('href', `/admin/booking-details?id=${ids.booking}`);
  });

  it('lets an admin pay the owners in spite of an inquiry, but not of a dispute', async () => {
    open = [dispute({ id: 'du_3', state: 'inquiry', status: 'warning_needs_response' }), dispute()];
    api.handlers['POST /api/admin/disputes/:id/waive'] = () => {
      open = [{ ...open[0], waivedAt: inHours(0) }, dispute()];
      return { waivedAt: inHours(0) };
    };
    const { user } = await show();

    await rowsOf('Open disputes');
    const buttons = screen.getAllByRole('button', { name: /^Pay the owners in spite of/ });
    expect(buttons).toHaveLength(1);
    await user.click(buttons[0] as HTMLElement);
    await user.click(await screen.findByRole('button', { name: 'Pay the owners' }));

    expect(await screen.findByText('Owners are paid as usual')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Pay the owners in spite of/ })).toBeNull();
    expect(api.calls('POST /api/admin/disputes/:id/waive').map(({ path }) => path)).toEqual([
      '/api/admin/disputes/du_3/waive',
    ]);
  });

  it('lists decided disputes separately, with their outcome', async () => {
    over = [
      dispute({ id: 'du_5', state: 'lost', status: 'lost', answerBy: null }),
      dispute({ id: 'du_6', state: 'won', status: 'warning_closed', answerBy: null, bookings: [] }),
    ];

    await show();

    const rows = await rowsOf('Decided disputes');
    expect(rows.map((row) => within(row).getByTestId('state').textContent)).toEqual([
      'Lost',
      'Won',
    ]);
    expect(rows[1]).toHaveTextContent('No booking');
  });

  it('shows a message if there are no disputes', async () => {
    open = [];

    await show();

    expect(await screen.findByText('No open disputes')).toBeInTheDocument();
    expect(screen.queryByRole('table', { name: 'Fraud warnings' })).not.toBeInTheDocument();
  });

  it('offers a retry if the disputes fail to load', async () => {
    const works = api.handlers['GET /api/admin/disputes'] as never;
    api.handlers['GET /api/admin/disputes'] = () => problem(400, 'REQUEST_UNREADABLE', 'Not now.');
    const { user } = await show();
    const [retry] = await screen.findAllByRole('button', { name: 'Try again' });

    api.handlers['GET /api/admin/disputes'] = works;
    await user.click(retry as HTMLElement);

    expect(await rowsOf('Open disputes')).toHaveLength(1);
  });

  it('shows a new dispute as soon as its notice arrives', async () => {
    open = [];
    await show();
    await screen.findByText('No open disputes');

    open = [dispute()];
    act(() =>
      emitLocally('notice:created', {
        id: ids.drill,
        kind: 'dispute',
        message: 'In dispute',
        bookingId: null,
        readAt: null,
        createdAt: inHours(0),
      }),
    );

    expect(await rowsOf('Open disputes')).toHaveLength(1);
  });
});

describe('the notice of a dispute', () => {
  it('links an admin to the disputes page', async () => {
    const notice = {
      id: ids.drill,
      kind: 'dispute',
      message: 'Evidence is due',
      bookingId: null,
      readAt: null,
      createdAt: inHours(0),
    };
    api.handlers['GET /api/user/:id/notifications'] = () => ({
      notifications: [notice],
      unread: 1,
      nextCursor: null,
    });
    api.handlers['PUT /api/user/:id/notifications/:notice/read'] = () => ({
      notification: { ...notice, readAt: inHours(0) },
    });
    await renderApp('/user/notifications', { api, user: admin });

    expect(await screen.findByRole('link', { name: /Evidence is due/ })).toHaveAttribute(
      'href',
      '/admin/disputes',
    );
  });
});
