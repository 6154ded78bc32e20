import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { buildBooking, ids } from '../../test/bookings.ts';
import { FakeApi, type Handlers } from '../../test/fake-api.ts';
import { buildTool, rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';

const settlement = { refundable: 24, refundedAtStripe: 0, disputed: 0, dispute: null, refunds: [] };
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/all-rental-categories': () => ({ allCategories: [] }),
  'GET /api/user/:id/rentals/my-rentals': () => ({ rentals: [buildTool()], nextCursor: null }),
  'GET /api/get-tool/:id': () => ({ tool: [buildTool({ cover_image: '/api/images/a.webp' })] }),
  'GET /api/rentals/:id/reviews': () => ({ reviews: [], nextCursor: null }),
  'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking: buildBooking({ settlement }) }),
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start(handlers);
});
afterEach(() => api.stop());

const admin = { ...rita, role: 'Admin' };

describe('Back', () => {
  it.each([
    ['the menu', '/benefits', rita, 'Open the menu'],
    ['a confirmation', '/user/my-rentals', rita, 'Delete Hammer drill'],
    ['a form in a dialog', `/admin/booking-details?id=${ids.booking}`, admin, 'Refund'],
    ['the gallery', `/rental-details?id=${ids.drill}`, undefined, 'Show the cover in full size'],
  ])('closes %s, and leaves the screen when pressed again', async (_, address, user, opener) => {
    const app = await renderApp('/how-it-works', { api, user });
    await screen.findByRole('heading', { level: 1 });
    await act(() => app.router.navigate(address));

    await app.user.click(await screen.findByRole('button', { name: opener }));
    await screen.findByRole('dialog');
    await act(() => app.router.navigate(-1));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.here()).toBe(address);
    await act(() => app.router.navigate(-1));
    await waitFor(() => expect(app.here()).toBe('/how-it-works'));
  });

  it('closes an open list of options, and keeps the form as it is', async () => {
    const { user, router, here } = await renderApp('/user/add-rental', { api, user: rita });
    await user.type(await screen.findByLabelText(/^Name/), 'Anvil');

    await user.click(screen.getByRole('combobox', { name: 'Rental circle' }));
    await screen.findByRole('option', { name: 'hourly' });
    await act(() => router.navigate(-1));

    await waitFor(() => expect(screen.queryByRole('option', { name: 'hourly' })).toBeNull());
    expect(here()).toBe('/user/add-rental');
    expect(screen.getByLabelText(/^Name/)).toHaveValue('Anvil');
  });

  it('returns to the previous screen after a link in the menu was followed', async () => {
    const { user, router, here } = await renderApp('/benefits', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Open the menu' }));
    await user.click(await screen.findByRole('link', { name: 'My Tools' }));
    await waitFor(() => expect(here()).toBe('/user/my-rentals'));
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(() => router.navigate(-1));

    await waitFor(() => expect(here()).toBe('/benefits'));
    await waitFor(() => expect(router.state.location.state?.overlays ?? []).toEqual([]));
  });
});
