import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { buildCartItem } from '../../test/bookings.ts';
import { FakeApi } from '../../test/fake-api.ts';
import { rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';
import { cartCleared, itemAdded } from '../features/cart/cart-slice.ts';
import { openStore, persistPrefix } from './store.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({ 'POST /api/logout': () => ({ message: 'Logged out' }) });
});
afterEach(() => api.stop());

describe('the top bar', () => {
  it('offers a visitor an account and the login', async () => {
    const { user } = await renderApp('/benefits', { api });

    await user.click(await screen.findByRole('button', { name: 'My Account' }));

    const items = await screen.findAllByRole('menuitem');
    expect(items.map((item) => item.textContent)).toEqual(['Create An Account', 'Login']);
  });

  it('greets a member by first name and shows the admin area to admins alone', async () => {
    const { user } = await renderApp('/benefits', { api, user: { ...rita, role: 'Admin' } });

    await user.click(await screen.findByRole('button', { name: 'Rita' }));

    const items = await screen.findAllByRole('menuitem');
    const labels = ['My Dashboard', 'Admin Dashboard', 'Settings', 'Logout'];
    expect(items.map((item) => item.textContent)).toEqual(labels);
  });
});

describe('logout', () => {
  it('tells the server, forgets the person and lands on /home', async () => {
    const { user, here, store } = await renderApp('/user/my-profile', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Rita' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));

    await waitFor(() => expect(store.getState().session.user).toBeNull());
    expect(here()).toBe('/home');
    expect(api.calls('POST /api/logout')[0]?.headers.authorization).toBe('Bearer access-token');
    expect(Object.values(localStorage).join()).not.toContain('Rita');
  });
});

describe('the guards', () => {
  it('send a visitor to the login page, with the way back', async () => {
    const { here } = await renderApp('/user/my-tool-details?id=7', { api });

    await waitFor(() =>
      expect(here()).toBe(`/user-login?next=${encodeURIComponent('/user/my-tool-details?id=7')}`),
    );
  });

  it('send those who are not admins to /user/login', async () => {
    const { here } = await renderApp('/admin/all-users', { api, user: rita });

    await waitFor(() => expect(here()).toBe('/user/login'));
  });
});

describe('an address that does not exist', () => {
  it('says so, with the status and a way on', async () => {
    await renderApp('/no-such-page', { api });

    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('heading').textContent).toBe('Page not found');
    expect(document.title).toBe('Page not found · LendTools');
    expect(alert).toHaveTextContent('Unexpected Application Error! 404 Not Found');
    expect(within(alert).getByRole('link')).toHaveAttribute('href', '/');
    expect(screen.getByRole('banner')).toBeInTheDocument();
    expect(screen.getByRole('contentinfo')).toBeInTheDocument();
  });
});

describe('a page that is loaded anew', () => {
  it.each([
    ['/benefits', 700],
    ['/how-it-works', 0],
  ])('is scrolled as it was itself, not as another one was: %s to %i', async (address, y) => {
    const left = JSON.stringify({ '/benefits': 700, default: 300 });
    sessionStorage.setItem('react-router-scroll-positions', left);
    const scroll = jest.spyOn(window, 'scrollTo');

    await renderApp(address, { api });
    await screen.findByRole('heading', { level: 1 });

    await waitFor(() => expect(scroll).toHaveBeenLastCalledWith(0, y));
    scroll.mockRestore();
    sessionStorage.clear();
  });
});

describe('a second tab', () => {
  it('shows its cart in the first one, too', async () => {
    const { store } = await renderApp('/cart', {
      api,
      prepare: ({ dispatch }) => dispatch(itemAdded(buildCartItem())),
    });
    await screen.findByText('Hammer drill');
    const key = `${persistPrefix}state`;
    await waitFor(() => expect(localStorage.getItem(key)).toContain('Hammer drill'));

    const other = await openStore();
    other.dispatch(cartCleared());
    await waitFor(() => expect(localStorage.getItem(key)).not.toContain('Hammer drill'));
    fireEvent(window, new StorageEvent('storage', { key, newValue: localStorage.getItem(key) }));

    expect(await screen.findByText('Your cart is empty')).toBeInTheDocument();
    expect(store.getState().cart.totalQuantity).toBe(0);
  });
});

describe('a network that comes back', () => {
  it('loads what had failed without a press of a button', async () => {
    api.handlers['GET /api/all-rental-categories'] = () => [503, {}];
    await renderApp('/user/add-rental', { api, user: rita });
    await screen.findByText('The categories could not be loaded');

    api.handlers['GET /api/all-rental-categories'] = () => ({ allCategories: [] });
    fireEvent(window, new Event('online'));

    await waitFor(() =>
      expect(screen.queryByText('The categories could not be loaded')).not.toBeInTheDocument(),
    );
  });
});
