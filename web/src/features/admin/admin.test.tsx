import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { buildBooking, ids } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const admin = { ...rita, role: 'Admin' };
const ladders = { id: '0190a000-0000-7000-8000-000000000002', name: 'Ladders', image: 'null' };
const tom = {
  ...rita,
  id: ids.sam,
  first_name: 'Tom',
  last_name: 'Baker',
  user_name: 'tom',
  email: 'tom@example.com',
  phone: '+1 503 555 0142',
  country: 'United States',
  state: 'Oregon',
  city: 'Portland',
  address: '1 Oak Street',
  disabled: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [ladders] }),
    'GET /api/all-users': () => ({ users: [tom], total: 41, nextCursor: null }),
    'GET /api/users/:id': () => ({ user: tom }),
    'GET /api/users/:id/former-emails': () => ({
      formerEmails: [{ email: 'tom.b@example.com', changedAt: '2026-11-01T12:00:00.000Z' }],
    }),
    'GET /api/user/:id/second-factors': () => ({
      totpSince: null,
      passkeys: [{ id: '1', name: 'Phone', createdAt: '2026-11-01T12:00:00.000Z', usedAt: null }],
      recoveryCodesLeft: 8,
      isRequired: false,
    }),
    'PUT /api/users/:id': ({ json }) => ({ user: { ...tom, ...json } }),
    'GET /api/all-bookings': () => ({ bookings: [buildBooking()], total: 1, nextCursor: null }),
    'GET /api/admin/users/:id/tools': () => ({
      rentals: [buildTool({ item_status: 'Unavailable' })],
      nextCursor: null,
    }),
    ...Object.fromEntries(
      ['accounts', 'catalog', 'bookings', 'payments', 'messaging', 'notifications'].map((name) => [
        `GET /api/admin/work/${name}`,
        () => ({ work: [] }),
      ]),
    ),
    'GET /api/admin/money': () => ({
      months: [
        {
          month: '2026-11',
          chargedCents: 1,
          refundedCents: 0,
          paidOutCents: 0,
          commissionCents: 0,
        },
      ],
    }),
    'GET /api/admin/stats/accounts': () => ({
      total: 41,
      signUps: [{ day: '2026-11-20', count: 3 }],
    }),
    'GET /api/admin/stats/catalog': () => ({ total: 24, listings: [] }),
    'GET /api/admin/stats/bookings': () => ({
      total: 7,
      revenueCents: 123_450,
      days: [{ day: '2026-11-20', bookings: 2, revenueCents: 4800 }],
    }),
  });
});
afterEach(() => api.stop());

describe('the admin area', () => {
  it('greets an admin by first name, and shows totals and daily figures, also as text', async () => {
    await renderApp('/admin/admin-dashboard', { api, user: admin });

    expect(await screen.findByText('Welcome, Rita')).toBeInTheDocument();
    expect(await screen.findByText('$1,234.50')).toBeInTheDocument();
    const users = within(screen.getByRole('region', { name: 'Total users' }));
    expect(await users.findByText('41')).toBeInTheDocument();
    const chart = '3 sign-ups in the last day, at most 3 a day';
    expect(users.getByRole('img', { name: chart })).toBeInTheDocument();
    expect(users.getByText('3 sign-ups in the last day')).toBeInTheDocument();
    const revenue = within(screen.getByRole('region', { name: 'Revenue' }));
    expect(revenue.getByText('$48 of bookings in the last day')).toBeInTheDocument();
  });

  it('deletes a category only after a confirmation, and shows why if it can’t be deleted', async () => {
    const words = 'Three tools use this category.';
    api.handlers['DELETE /api/category/delete-category/:id'] = () =>
      problem(409, 'CATEGORY_IN_USE', words);
    const { user } = await renderApp('/admin/all-rental-categories', { api, user: admin });

    await user.click(await screen.findByRole('button', { name: 'Delete Ladders' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('Are you sure you want to delete this category?');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(words)).toBeInTheDocument();

    api.handlers['DELETE /api/category/delete-category/:id'] = () => [500, {}];
    await user.click(screen.getByRole('button', { name: 'Delete Ladders' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Failed to delete post')).toBeInTheDocument();

    api.handlers['DELETE /api/category/delete-category/:id'] = () => ({ message: 'Gone' });
    await user.click(screen.getByRole('button', { name: 'Delete Ladders' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));

    expect(await screen.findByText('Category deleted successfully')).toBeInTheDocument();
  });

  it('renames a category', async () => {
    api.handlers['PUT /api/update-rental-category/:id'] = () => ({
      message: 'Saved',
      category: ladders,
    });
    const { user, here } = await renderApp(`/admin/rental-category-details?id=${ladders.id}`, {
      api,
      user: admin,
    });

    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' and steps');
    await user.click(screen.getByRole('button', { name: 'Update Rental Category' }));

    await waitFor(() => expect(here()).toBe('/admin/all-rental-categories'));
    expect(api.calls('PUT /api/update-rental-category/:id')[0]?.text).toContain(
      'Ladders and steps',
    );
  });

  it('shows another admin’s changes of the categories at once, even if a push arrives twice', async () => {
    await renderApp('/admin/all-rental-categories', { api, user: admin });
    const names = () =>
      screen.queryAllByRole('button', { name: /^Delete / }).map((button) => button.ariaLabel);
    await waitFor(() => expect(names()).toEqual(['Delete Ladders']));
    const requested = api.calls('GET /api/all-rental-categories').length;
    const saws = { id: '0190a000-0000-7000-8000-000000000003', name: 'Band saws', image: 'null' };

    for (let i = 0; i < 2; i++) act(() => emitLocally('category:saved', saws));
    await waitFor(() => expect(names()).toEqual(['Delete Band saws', 'Delete Ladders']));

    act(() => emitLocally('category:saved', { ...saws, name: 'Saws' }));
    for (let i = 0; i < 2; i++) act(() => emitLocally('category:removed', { id: ladders.id }));
    await waitFor(() => expect(names()).toEqual(['Delete Saws']));
    expect(api.calls('GET /api/all-rental-categories')).toHaveLength(requested);
  });

  it('requires a name for a category, and shows the error beside the field', async () => {
    const { user } = await renderApp('/admin/add-rental-category', { api, user: admin });

    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.click(screen.getByRole('button', { name: 'Add rental Category' }));

    expect(name).toHaveAccessibleDescription('Please enter a name');
    expect(name).toBeInvalid();
    expect(name).toHaveFocus();
  });

  it('finds a user, and disables them after a confirmation', async () => {
    const { user } = await renderApp('/admin/all-users', { api, user: admin });

    await user.type(await screen.findByRole('searchbox', { name: 'Search users' }), 'tom');
    await waitFor(() =>
      expect(api.calls('GET /api/all-users').some(({ query }) => query.get('q') === 'tom')).toBe(
        true,
      ),
    );
    await user.click(await screen.findByRole('link', { name: 'Details of Tom Baker' }));
    await user.click(await screen.findByRole('switch', { name: 'Disabled' }));
    await user.click(await screen.findByRole('button', { name: 'Disable' }));

    expect(await screen.findByText('Tom is disabled')).toBeInTheDocument();
    expect(api.calls('PUT /api/users/:id')[0]?.json).toEqual({ disabled: true });
  });

  it('lists all bookings, and shows how many there are', async () => {
    await renderApp('/admin/all-rental-bookings', { api, user: admin });

    expect(await screen.findByRole('table', { name: 'All bookings' })).toHaveTextContent(
      'LT482913',
    );
    expect(screen.getByText('1 in total, newest first.')).toBeInTheDocument();
  });

  it('shows a count that the server has capped as "More than 10,000"', async () => {
    api.handlers['GET /api/all-users'] = () => ({
      users: [tom],
      total: 10_000,
      isTotalCapped: true,
      nextCursor: null,
    });
    await renderApp('/admin/all-users?role=User', { api, user: admin });

    expect(await screen.findByText('More than 10,000, newest first.')).toBeInTheDocument();
  });
});

function columnsOf(file = '', ...names: string[]) {
  const [titles = [], ...rows] = file
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','));
  return rows.map((row) => names.map((name) => row[titles.indexOf(name)]));
}

describe('a user who has lost access', () => {
  const page = `/admin/user-details?id=${tom.id}`;

  it('gets an earlier email back, with the reason', async () => {
    api.handlers['POST /api/users/:id/restore-email'] = () => ({ user: tom });
    const { user } = await renderApp(page, { api, user: admin });

    await user.click(await screen.findByRole('button', { name: 'Restore tom.b@example.com' }));
    await user.click(await screen.findByRole('button', { name: 'Restore this email' }));
    expect(await screen.findByText('Please enter a reason')).toBeVisible();
    await user.type(screen.getByLabelText(/^Reason/), 'He showed us his passport.');
    await user.click(screen.getByRole('button', { name: 'Restore this email' }));

    expect(await screen.findByText(/has the email tom.b@example.com again/)).toBeInTheDocument();
    expect(api.calls('POST /api/users/:id/restore-email')[0]?.json).toEqual({
      email: 'tom.b@example.com',
      reason: 'He showed us his passport.',
    });
  });

  it('loses all second factors, with the reason', async () => {
    api.handlers['POST /api/users/:id/remove-second-factors'] = () => ({ message: 'Removed' });
    const { user } = await renderApp(page, { api, user: admin });

    expect(await screen.findByText('Tom has a passkey.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove the second factors of Tom' }));
    await user.type(await screen.findByLabelText(/^Reason/), 'He lost his phone.');
    await user.click(screen.getByRole('button', { name: 'Remove them' }));

    expect(await screen.findByText('Tom can log in with the password alone.')).toBeInTheDocument();
    expect(api.calls('POST /api/users/:id/remove-second-factors')[0]?.json).toEqual({
      reason: 'He lost his phone.',
    });
  });

  it('keeps the second factors if they are an admin', async () => {
    api.handlers['GET /api/users/:id'] = () => ({ user: { ...tom, role: 'Admin' } });
    await renderApp(page, { api, user: admin });
    expect(await screen.findByText(/npm run second-factor:remove/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Remove the second factors/ })).toBeNull();
  });
});

describe('a list in the admin area', () => {
  const madeFiles = () => {
    const files: Promise<string>[] = [];
    jest.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(new Response(file as Blob).text());
      return 'blob:file';
    });
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    return files;
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('filters users by role and by whether they are disabled, and keeps the filters over a reload', async () => {
    const { user, here } = await renderApp('/admin/all-users', { api, user: admin });

    await user.selectOptions(await screen.findByRole('combobox', { name: 'Role' }), 'Admin');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Access' }), 'Disabled');

    await waitFor(() => expect(here()).toBe('/admin/all-users?role=Admin&disabled=true'));
    await waitFor(() => {
      const requested = api.calls('GET /api/all-users').at(-1)?.query;
      expect([requested?.get('role'), requested?.get('disabled')]).toEqual(['Admin', 'true']);
    });
  });

  it('clears the search when the user opens the list again from the menu, but not while the user types', async () => {
    const { user, here, router } = await renderApp('/admin/all-users', { api, user: admin });
    const requested = () => api.calls('GET /api/all-users').at(-1)?.query.get('q');
    const field = await screen.findByRole('searchbox', { name: 'Search users' });
    await user.type(field, 'tom');
    // Wait for the request, because the URL changes before the list.
    await waitFor(() => expect(requested()).toBe('tom'));
    expect(here()).toBe('/admin/all-users?q=tom');
    expect(field).toHaveValue('tom');

    await act(() => router.navigate('/admin/all-users'));

    await waitFor(() => expect(field).toHaveValue(''));
    await user.type(field, 'rita');
    await waitFor(() => expect(here()).toBe('/admin/all-users?q=rita'));
    expect(field).toHaveValue('rita');
  });

  it('exports all users that match the filters, page by page, as a CSV without formulas', async () => {
    const files = madeFiles();
    api.handlers['GET /api/all-users'] = ({ query }) =>
      query.get('cursor')
        ? { users: [{ ...tom, first_name: '=HYPERLINK("x")' }], total: 2, nextCursor: null }
        : { users: [tom], total: 2, nextCursor: tom.id };
    const { user } = await renderApp('/admin/all-users?role=User', { api, user: admin });

    await screen.findByRole('table', { name: 'All users' });
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));

    await waitFor(() => expect(files).toHaveLength(1));
    const lines = (await files[0])?.trimEnd().split('\r\n') ?? [];
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('Id,Role,Disabled,First Name,Last Name,email,phone');
    expect(lines[1]).toContain("Tom,Baker,tom@example.com,'+1 503 555 0142");
    expect(lines[2]).toContain(`"'=HYPERLINK(""x"")"`);
    const exported = api
      .calls('GET /api/all-users')
      .filter(({ query }) => query.get('limit') === '200');
    expect(exported.map(({ query }) => query.get('role'))).toEqual(['User', 'User']);
  });

  it('cuts off an export that is too long, and shows a message', async () => {
    const files = madeFiles();
    const users = Array.from({ length: 5_000 }, () => tom);
    api.handlers['GET /api/all-users'] = ({ query }) =>
      query.get('limit') === '200'
        ? { users, total: 90_000, nextCursor: tom.id }
        : { users: [tom], total: 90_000, nextCursor: null };
    const { user } = await renderApp('/admin/all-users', { api, user: admin });

    await screen.findByRole('table', { name: 'All users' });
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));

    expect(await screen.findByText(/^The file has the newest 10,000\./)).toBeInTheDocument();
    expect((await files[0])?.trimEnd().split('\r\n')).toHaveLength(10_001);
  });

  it('searches and filters bookings, and exports their amounts to the cent', async () => {
    const files = madeFiles();
    const { user } = await renderApp('/admin/all-rental-bookings', { api, user: admin });

    await user.type(await screen.findByRole('searchbox', { name: 'Search bookings' }), 'LT48');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Booked');
    await waitFor(() => {
      const requested = api.calls('GET /api/all-bookings').at(-1)?.query;
      expect([requested?.get('q'), requested?.get('status')]).toEqual(['LT48', 'Booked']);
    });
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));

    await waitFor(() => expect(files).toHaveLength(1));
    expect(await files[0]).toContain(
      ',LT482913,Hammer drill,Rita Lopez,Sam Okafor,12.00,daily,2,1,24.00,0.00,',
    );
  });

  it('exports an amount and a booking date only for charged bookings', async () => {
    const files = madeFiles();
    const statuses = [
      ...(['Requested', 'Declined', 'Withdrawn', 'Lapsed', 'Failed'] as const),
      ...(['Booked', 'Returned', 'Cancelled'] as const),
    ];
    const bookedAt = '2026-11-01T09:00:00.000Z';
    api.handlers['GET /api/all-bookings'] = () => ({
      bookings: statuses.map((booking_status) => buildBooking({ booking_status, bookedAt })),
      total: statuses.length,
      nextCursor: null,
    });
    const { user } = await renderApp('/admin/all-rental-bookings', { api, user: admin });

    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));

    await waitFor(() => expect(files).toHaveLength(1));
    expect(columnsOf(await files[0], 'Booking Status', 'Payment', 'Booked')).toEqual([
      ['Requested', '0.00', ''],
      ['Declined', '0.00', ''],
      ['Withdrawn', '0.00', ''],
      ['Lapsed', '0.00', ''],
      ['Failed', '0.00', ''],
      ['Booked', '24.00', bookedAt],
      ['Returned', '24.00', bookedAt],
      ['Cancelled', '24.00', bookedAt],
    ]);
  });

  it('exports the amount paid, even if a change has altered the price', async () => {
    const files = madeFiles();
    const changedAt = '2026-11-03T12:00:00.000Z';
    const bookings = [
      buildBooking({ payment: 25, paid: 75, refunded: 0, changedAt }),
      buildBooking({ payment: 50, paid: 75, refunded: 25, changedAt }),
      buildBooking({ payment: 125, paid: 125, refunded: 0, changedAt }),
    ];
    api.handlers['GET /api/all-bookings'] = () => ({ bookings, total: 3, nextCursor: null });
    const { user } = await renderApp('/admin/all-rental-bookings', { api, user: admin });

    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));

    await waitFor(() => expect(files).toHaveLength(1));
    expect(columnsOf(await files[0], 'Payment', 'Refunded')).toEqual([
      ['75.00', '0.00'],
      ['75.00', '25.00'],
      ['125.00', '0.00'],
    ]);
  });

  it('finds a category by part of its name', async () => {
    const { user } = await renderApp('/admin/all-rental-categories', { api, user: admin });

    await user.type(await screen.findByRole('searchbox', { name: 'Search categories' }), 'saws');

    expect(await screen.findByText('No categories found')).toBeInTheDocument();
  });

  it('shows when a user’s account is deleted', async () => {
    api.handlers['GET /api/users/:id'] = () => ({
      user: { ...tom, deletionDueAt: '2026-12-12T12:00:00.000Z' },
    });
    await renderApp(`/admin/user-details?id=${ids.sam}`, { api, user: admin });

    expect(await screen.findByText('Will be deleted, as the user asked')).toBeVisible();
    expect(screen.getByText('Dec 12, 2026')).toBeVisible();
  });

  it('shows the tools and the bookings of one user on the user’s page', async () => {
    await renderApp(`/admin/user-details?id=${ids.sam}`, { api, user: admin });

    const tools = within(await screen.findByRole('table', { name: 'Tools of this user' }));
    expect(tools.getByText('Unavailable')).toBeInTheDocument();
    const bookings = within(await screen.findByRole('table', { name: 'Bookings of this user' }));
    expect(bookings.getByText('owner, to Rita')).toBeInTheDocument();
    expect(
      bookings.getByRole('link', { name: 'Details of Hammer drill, LT482913' }),
    ).toHaveAttribute('href', `/admin/booking-details?id=${ids.booking}`);
    expect(api.calls('GET /api/all-bookings')[0]?.query.get('userId')).toBe(ids.sam);
  });
});
