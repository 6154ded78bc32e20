import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { moved } from '@lendtools/contracts/pages';
import { screen, waitFor } from '@testing-library/react';
import { buildBooking, buildCartItem, ids, sam } from '../../test/bookings.ts';
import { FakeApi } from '../../test/fake-api.ts';
import { buildTool, rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';
import type { SessionUser } from '../api/session-slice.ts';
import { itemAdded } from '../features/cart/cart-slice.ts';

const category = { id: buildTool().categoryId, name: 'Power tools', image: 'null' };
const admin = { ...rita, role: 'Admin' };
const account = {
  ...rita,
  user_name: 'rita',
  phone: '+1 503 555 0142',
  country: 'United States',
  state: 'Oregon',
  city: 'Portland',
  address: '1 Oak Street',
  emailVerified: true,
  disabled: false,
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};

function oneBooking() {
  return { bookings: [buildBooking()], total: 1, nextCursor: null };
}

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rentals': () => ({ rentals: [buildTool()], nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [category] }),
    'GET /api/get-tool/:id': () => ({ tool: [buildTool()] }),
    'GET /api/user/:id/rentals/my-rentals': () => ({
      rentals: [buildTool({ item_status: 'Unavailable' })],
      nextCursor: null,
    }),
    'GET /api/rentalBookings/my-bookings': oneBooking,
    'GET /api/rentalBookings/:id/my-bookings': oneBooking,
    'GET /api/rentalBookings/:id/details': () => ({ booking: buildBooking() }),
    'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
    'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null, counts: null }),
    'GET /api/get-user-by-email/:email': () => ({ user: account }),
    'GET /api/all-users': () => ({ users: [account], total: 1, nextCursor: null }),
    'GET /api/all-bookings': oneBooking,
    'GET /api/places/states': () => ({ states: [{ code: 'OR', name: 'Oregon' }] }),
  });
});
afterEach(() => api.stop());

/** The text of the page, including the labels of elements without text. */
function wordsOnScreen() {
  return [
    document.body.textContent,
    ...[...document.querySelectorAll('[aria-label], [placeholder]')].map(
      (element) => element.getAttribute('aria-label') ?? element.getAttribute('placeholder'),
    ),
  ].join('\n');
}

function expectWords(words: string[]) {
  return waitFor(() => expect(words.filter((word) => !wordsOnScreen().includes(word))).toEqual([]));
}

function inDays(count: number) {
  return new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
}

const dates = `start_date=${inDays(10)}&end_date=${inDays(13)}`;

const footer = [`© ${new Date().getFullYear()}`, 'Contact Us', 'Facebook', 'LinkedIn'];
const steps = ['Find the tool', 'Book and pay', 'Pick up, use, return'];
const benefits = ['Save money', 'Earn from your shelf', 'Waste less', 'Know your neighbors'];
const signUpFields = [
  ...['User name', 'First name', 'Last name', 'Email', 'Phone', 'State', 'City', 'Address'],
  ...['Password', 'Profile image', 'United States'],
];
const userSidebar = [
  ...['Welcome, Rita', 'Dashboard', 'List a tool', 'My Tools', 'My Bookings', 'My Rental History'],
  ...['Settings', 'Logout'],
];
const adminSidebar = [
  ...['Welcome, Rita', 'Admin', 'Dashboard', 'All Users', 'All Rental Bookings'],
  ...['All Rental Categories', 'Add rental Category', 'Log Out'],
];
const toolForm = [
  ...['Name', 'Description', 'Category', 'Rental circle', 'Price', 'Cover image'],
  ...['Image 1', 'Image 2', 'Image 3', 'Image 4'],
];

const screens: [path: string, who: SessionUser | undefined, words: string[]][] = [
  ['/', undefined, ['LEARN MORE', 'UPLOAD TOOL', 'CREATE AN ACCOUNT', 'United States']],
  ['/how-it-works', undefined, [...steps, ...footer]],
  ['/benefits', undefined, benefits],
  ['/create-account', undefined, signUpFields],
  ['/user-login', undefined, ['Email', 'Password', 'Create An Account', 'Forgot your password?']],
  ['/password-request', undefined, ['Email', 'Submit']],
  [
    `/rental-details?id=${ids.drill}`,
    undefined,
    [
      ...['Hammer drill', 'Available', 'Drills stone', '$12', 'daily', 'Start date'],
      ...['Returning date', 'Quantity', 'Proceed To Booking'],
    ],
  ],
  [
    `/rental-booking-summary?id=${ids.drill}&${dates}`,
    undefined,
    ['Hammer drill', '$12', 'Days', 'Start date', 'Payment due', 'Google Direction Map Request'],
  ],
  ['/cart', undefined, ['Hammer drill', 'Days', 'Quantity', 'Payment due', 'Remove', 'PAY $24.00']],
  ['/user/my-rentals', rita, [...userSidebar, 'Edit', 'Re-list', 'Delete', 'Add New Rental']],
  ['/user/add-rental', rita, ['Add New Item for rent', ...toolForm]],
  [`/user/my-tool-details?id=${ids.drill}`, sam, ['My Tool details', 'Update tool', ...toolForm]],
  [
    '/user/my-profile',
    rita,
    [...signUpFields.filter((word) => word !== 'Password'), 'Reset Password', 'Update Account'],
  ],
  ['/user/user-reset-password', rita, ['New password']],
  [
    '/admin/all-rental-categories',
    admin,
    [...adminSidebar, 'Details', 'Delete', 'Add New Rental Category'],
  ],
  ['/admin/admin-dashboard', admin, ['Total users', 'Total bookings']],
  [
    '/user/my-bookings',
    sam,
    ['My Bookings', 'User Name', 'Booking Code', 'Price', 'Pickup Date', 'Returning Date'],
  ],
  ['/admin/add-rental-category', admin, ['Name', 'Image']],
];

const tables: [path: string, who: SessionUser, columns: string[]][] = [
  ['/user/my-rentals', sam, ['Tool Id', 'Tool Category', 'Name', 'Status', 'Price']],
  [
    '/admin/all-rental-bookings',
    admin,
    [
      ...['Id', 'Tool Name', 'User Name', 'Booking Code', 'Price', 'Pickup Date'],
      ...['Returning Date', 'Returned Status', 'Authorization'],
    ],
  ],
  ['/admin/all-rental-categories', admin, ['Id', 'Name']],
  [
    '/admin/all-users',
    admin,
    [
      ...['Id', 'Role', 'First Name', 'Last Name', 'email', 'phone'],
      ...['Country', 'State', 'City'],
    ],
  ],
];

describe('the app', () => {
  it.each(screens)('shows the documented texts on %s', async (path, user, words) => {
    await renderApp(path, {
      api,
      ...(user && { user }),
      prepare: (store) => store.dispatch(itemAdded(buildCartItem())),
    });

    await expectWords(words);
  });

  it('shows the documented texts that the home page loads later', async () => {
    const { user } = await renderApp('/', { api });
    await screen.findByRole('article');

    await user.keyboard('{Tab}');

    await expectWords(['Maya R.', 'Curtis B.', 'Ana and Joel']);
    await expectWords(['Verified users', 'Secure payments', 'Rating system']);
  });

  it.each(tables)('shows the documented table columns on %s', async (path, user, columns) => {
    await renderApp(path, { api, user });

    const headers = await screen.findAllByRole('columnheader');
    const titles = headers.map(({ textContent }) => textContent.trim());
    expect(titles.slice(0, columns.length)).toEqual(columns);
  });
});

describe('the page at the URLs of an unrelated business', () => {
  it.each(moved)('has a link to the tools when opened at %s', async (path) => {
    await renderApp(path, { api });

    expect(await screen.findByText('This page is gone')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Browse tools' })).toHaveAttribute('href', '/');
  });

  it('is shown at nine URLs', () => {
    expect(moved).toHaveLength(9);
  });
});
