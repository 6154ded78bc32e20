import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '@lendtools/contracts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { buildBooking, ids } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const admin = { ...rita, role: 'Admin' };
const tom = {
  ...rita,
  id: ids.sam,
  first_name: 'Tom',
  last_name: 'Baker',
  user_name: 'tom',
  email: 'tom@example.com',
  phone: '',
  country: '',
  state: '',
  city: '',
  address: '',
  disabled: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const refund: AuditEntry = {
  id: '01915000-0000-7000-8000-000000000001',
  at: '2026-11-28T06:00:00.000Z',
  actor: { id: tom.id, first_name: 'Tom', last_name: 'Baker' },
  role: 'Finance',
  action: 'refundBooking',
  subject: ids.booking,
  details: { amountCents: 500, reason: 'Broken.' },
  network: null,
  requestId: 'request-1',
};
const login: AuditEntry = {
  ...refund,
  id: '01915000-0000-7000-8000-000000000002',
  action: 'logIn',
  subject: null,
  details: {},
  network: 'hash-of-a-network',
};
const command: AuditEntry = {
  ...refund,
  id: ids.saw,
  actor: null,
  role: null,
  action: 'makeAdmin',
};
const later: AuditEntry = { ...refund, id: ids.sam, action: 'rewindTime' };

let entries: AuditEntry[];
let api: FakeApi;
beforeEach(async () => {
  entries = [refund, login, command, later];
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/admin/audit-log': () => ({ entries, nextCursor: null }),
    'GET /api/users/:id': () => ({ user: tom }),
    'PUT /api/users/:id': ({ json }) => ({ user: { ...tom, ...json } }),
    'GET /api/all-bookings': () => ({ bookings: [], total: 0, nextCursor: null }),
    'GET /api/admin/users/:id/tools': () => ({ rentals: [], nextCursor: null }),
    'GET /api/user/:id/payout-account': () => ({ state: 'none', isHeld: false }),
    'GET /api/rentalBookings/:id/details': () => ({
      booking: buildBooking({ allowedActions: ['refund'] }),
    }),
    'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
    'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
    ...Object.fromEntries(
      ['accounts', 'catalog', 'bookings', 'payments', 'messaging', 'notifications'].map((name) => [
        `GET /api/admin/work/${name}`,
        () => ({
          work:
            name === 'payments' ? [{ kind: 'dispute', count: 1, since: null, dueAt: null }] : [],
        }),
      ]),
    ),
    'GET /api/admin/stats/accounts': () => ({ total: 41, signUps: [] }),
    'GET /api/admin/stats/catalog': () => ({ total: 24, listings: [] }),
    'GET /api/admin/stats/bookings': () => ({ total: 7, revenueCents: 0, days: [] }),
    'GET /api/admin/money': () => ({ months: [] }),
  });
});
afterEach(() => api.stop());

function as(role: string) {
  return { api, user: { ...rita, role } };
}

describe('the audit log', () => {
  it('shows who did what, when, about what and with which details', async () => {
    await renderApp('/admin/audit-log', { api, user: admin });

    const table = within(await screen.findByRole('table', { name: 'Audit log' }));
    const [, first, second, third, fourth] = table.getAllByRole('row');
    for (const text of [
      'Refunded a booking',
      'Tom Baker',
      'Finance',
      'amountCents: 500, reason: Broken.',
    ])
      expect(within(first as HTMLElement).getByText(text)).toBeInTheDocument();
    expect(within(first as HTMLElement).getByTitle(ids.booking)).toBeInTheDocument();
    expect(second).toHaveTextContent('Logged in');
    expect(second).toHaveTextContent('network: hash-of-a-network');
    expect(third).toHaveTextContent('The operator');
    // An action of a later version has no words yet.
    expect(fourth).toHaveTextContent('rewindTime');
  });

  it('searches by admin, subject, action and days, and keeps them in the address', async () => {
    const { user } = await renderApp(`/admin/audit-log?subject=${ids.booking}`, {
      api,
      user: admin,
    });

    await user.type(await screen.findByLabelText('Search by admin'), 'tom');
    await user.selectOptions(screen.getByLabelText('Action'), 'Refunded a booking');
    await user.type(screen.getByLabelText('First day (UTC)'), '2026-11-01');

    await waitFor(() =>
      expect(Object.fromEntries(api.calls('GET /api/admin/audit-log').at(-1)?.query ?? [])).toEqual(
        {
          limit: '50',
          subject: ids.booking,
          who: 'tom',
          action: 'refundBooking',
          from: '2026-11-01',
        },
      ),
    );
  });

  it('says that no entry was found, and why a list fails', async () => {
    entries = [];
    await renderApp('/admin/audit-log', { api, user: admin });
    expect(await screen.findByText('No entries found')).toBeInTheDocument();

    api.handlers['GET /api/admin/audit-log'] = () => problem(503, 'UNAVAILABLE', 'Try later.');
    await renderApp('/admin/audit-log?who=x', { api, user: admin });
    expect(await screen.findByText('Try later.')).toBeInTheDocument();
  });
});

describe('the admin area', () => {
  const linksOf = async () => {
    const nav = within(await screen.findByRole('navigation', { name: 'Admin screens' }));
    return nav.getAllByRole('link').map(({ textContent }) => textContent);
  };

  it.each([
    ['Support', ['Messages', 'Reports', 'Problems']],
    ['Finance', ['Problems', 'Disputes', 'Payouts']],
  ])('links to the screens of the role %s', async (role, own) => {
    await renderApp('/admin/admin-dashboard', as(role));

    const everyones = ['Dashboard', 'All Users', 'All Rental Bookings', 'All Tools', 'Reviews'];
    expect(await linksOf()).toEqual([...everyones, ...own]);
  });

  it('shows only the work of the role, and money only to finance', async () => {
    await renderApp('/admin/admin-dashboard', as('Finance'));
    expect(await screen.findByText('dispute to answer')).toBeInTheDocument();
    cleanup();
    await renderApp('/admin/admin-dashboard', as('Support'));

    await screen.findByText('41');
    expect(screen.queryByText('dispute to answer')).toBeNull();
    expect(api.calls('GET /api/admin/money')).toHaveLength(1);
  });

  it('says that a screen is not for the role', async () => {
    await renderApp('/admin/audit-log', as('Support'));

    expect(
      await screen.findByRole('heading', { name: 'Audit log: not for your role' }),
    ).toBeInTheDocument();
    expect(api.calls('GET /api/admin/audit-log')).toEqual([]);
  });

  it('lets an administrator choose a role', async () => {
    const { user } = await renderApp(`/admin/user-details?id=${tom.id}`, as('Admin'));

    await user.click(await screen.findByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: 'Finance' }));
    expect(await screen.findByText(/refund, and hold payouts/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Change role' }));

    await waitFor(() =>
      expect(api.calls('PUT /api/users/:id').at(-1)?.json).toEqual({ role: 'Finance' }),
    );
    expect(screen.getByRole('link', { name: 'Audit log about Tom' })).toHaveAttribute(
      'href',
      `/admin/audit-log?subject=${tom.id}`,
    );
  });

  it.each([
    ['Support', true],
    ['Finance', false],
  ])('lets %s read an account, and disable it: %s', async (role, mayDisable) => {
    await renderApp(`/admin/user-details?id=${tom.id}`, as(role));

    expect(await screen.findByRole('combobox', { name: 'Role' })).toBeDisabled();
    const disable = screen.getByRole('switch', { name: 'Disabled' });
    if (mayDisable) expect(disable).toBeEnabled();
    else expect(disable).toBeDisabled();
    expect(screen.queryByRole('heading', { name: 'Payouts' }) !== null).toBe(!mayDisable);
  });

  it('shows finance a booking without its messages', async () => {
    await renderApp(`/admin/booking-details?id=${ids.booking}`, as('Finance'));

    expect(await screen.findByRole('button', { name: 'Refund' })).toBeInTheDocument();
    expect(api.calls('GET /api/messaging/:id/my-messages')).toEqual([]);
  });
});
