import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildNotice, ids } from '../../test/bookings.ts';
import { FakeApi } from '../../test/fake-api.ts';
import { buildTool, rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';

let api: FakeApi;
beforeEach(async () => {
  const still = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...still(query), matches: /reduce|max-width/.test(query) }));
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({
      notifications: [buildNotice()],
      unread: 1,
      nextCursor: null,
    }),
    'GET /api/rentalBookings/:id/my-bookings': () => ({ bookings: [], nextCursor: null }),
    'GET /api/rentalBookings/my-bookings': () => ({ bookings: [], nextCursor: null }),
    'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
    'GET /api/get-tool/:id': () => ({ tool: [buildTool()] }),
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await api.stop();
});

async function tabs() {
  return within(await screen.findByRole('navigation', { name: 'Main screens' }));
}

function addresses(links: HTMLElement[]) {
  return links.map((link) => link.getAttribute('href'));
}

describe('the tab bar of a phone', () => {
  it('links to a member’s main screens, and opens the menu when "Me" is pressed', async () => {
    const { user } = await renderApp('/user/my-rental-history', { api, user: rita });

    const bar = await tabs();
    await bar.findByRole('link', { name: 'Notices, 1 unread' });
    expect(addresses(bar.getAllByRole('link'))).toEqual([
      '/user/user-dashboard',
      '/user/my-bookings',
      '/user/add-rental',
      '/user/notifications',
    ]);
    expect(bar.getByRole('link', { current: true })).toHaveAccessibleName('Bookings');
    expect(screen.queryByRole('button', { name: /^Notifications|Open the menu/ })).toBeNull();

    await user.click(bar.getByRole('button', { name: 'Me' }));
    const menu = within(await screen.findByRole('dialog', { name: 'Hello, Rita' }));
    const labels = menu.getAllByRole('link').map(({ textContent }) => textContent.trim());
    expect(labels).toEqual(
      expect.arrayContaining([
        'Dashboard',
        'List a tool',
        'My Tools',
        'My Bookings',
        'My Rental History',
      ]),
    );
    await user.keyboard('{Escape}');
    await waitFor(() => expect(bar.getByRole('button', { name: 'Me' })).toHaveFocus());
  });

  it('opens the notifications as a screen of their own', async () => {
    const { user, here } = await renderApp('/user/my-bookings', { api, user: rita });

    await user.click(await (await tabs()).findByRole('link', { name: 'Notices, 1 unread' }));

    expect(await screen.findByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
    expect(here()).toBe('/user/notifications');
    expect(document.title).toBe('Notifications · LendTools');
    expect(await screen.findByRole('link', { name: /just been booked/ })).toBeInTheDocument();
  });

  it('offers a visitor the tools, the form to list a tool, the login and the menu', async () => {
    const { user } = await renderApp('/benefits', { api });

    const bar = await tabs();
    expect(addresses(bar.getAllByRole('link'))).toEqual(['/', '/user/add-rental', '/user-login']);
    await user.click(bar.getByRole('button', { name: 'Menu' }));

    const menu = within(await screen.findByRole('dialog'));
    expect(menu.getByRole('link', { name: 'Create An Account' })).toBeInTheDocument();
  });

  it('is hidden on a screen with its own bottom bar, where the top bar has the menu', async () => {
    await renderApp(`/user/rental-details?id=${ids.drill}`, { api, user: rita });

    expect(await screen.findByRole('button', { name: 'Open the menu' })).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Browse' })).toBeNull();
  });

  it('is hidden on a wide screen', async () => {
    jest.restoreAllMocks();
    await renderApp('/user/my-bookings', { api, user: rita });

    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Me' })).toBeNull();
  });
});
