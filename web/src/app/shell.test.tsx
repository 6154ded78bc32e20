import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { buildCartItem, ids } from '../../test/bookings.ts';
import { FakeApi, problem } from '../../test/fake-api.ts';
import { rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';
import { renewAccessToken, startSession } from '../api/base-api.ts';
import { emitLocally } from '../api/live.ts';
import { savedTools, saveTool } from '../api/saved-tools-api.ts';
import { cartCleared, itemAdded } from '../features/cart/cart-slice.ts';
import { inPage, inTab, keep, persistPrefix } from '../lib/kept.ts';
import { rememberPlace } from '../lib/my-place.ts';
import { toastWithUndo } from '../ui/undo-toast.tsx';
import { openStore } from './store.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({ 'POST /api/logout': () => ({ message: 'Logged out' }) });
});
afterEach(() => api.stop());

describe('the top bar', () => {
  it('offers a visitor sign-up and login', async () => {
    const { user } = await renderApp('/benefits', { api });

    await user.click(await screen.findByRole('button', { name: 'My Account' }));

    const items = await screen.findAllByRole('menuitem');
    expect(items.map((item) => item.textContent)).toEqual(['Create An Account', 'Login']);
    await user.click(document.body);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  });

  it('greets a member by first name, and shows the admin area to admins only', async () => {
    const { user } = await renderApp('/benefits', { api, user: { ...rita, role: 'Admin' } });

    await user.click(await screen.findByRole('button', { name: 'Rita' }));

    const items = await screen.findAllByRole('menuitem');
    const labels = ['My Dashboard', 'Admin Dashboard', 'Settings', 'Logout'];
    expect(items.map((item) => item.textContent)).toEqual(labels);
  });
});

function leaveTraces() {
  keep('form:profile:1', { phone: '+1 503 555 0142' }, inTab);
  rememberPlace({ lat: 45.51, lng: -122.5947, zip: '97202' });
}

function traces() {
  return Object.values({ ...sessionStorage, ...localStorage }).join();
}

describe('the store', () => {
  it('persists its state in local storage under the key lendtools-session-user:state, as version 1', async () => {
    await renderApp('/benefits', { api, user: rita });

    await waitFor(() => {
      const stored = localStorage.getItem('lendtools-session-user:state') ?? '{}';
      expect(JSON.parse(stored)).toMatchObject({
        session: expect.stringContaining('Rita'),
        _persist: expect.stringContaining('"version":1'),
      });
    });
  });
});

describe('logout', () => {
  const logOut = async ({ user }: Awaited<ReturnType<typeof renderApp>>) => {
    await user.click(await screen.findByRole('button', { name: 'Rita' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  };
  const admin = { ...rita, role: 'Admin' };
  const sessionOver = () => problem(401, 'UNAUTHORIZED', 'Please log in.');

  it.each([
    ['/user/my-profile', rita, '/'],
    ['/user/cart', rita, '/'],
    ['/how-it-works', rita, '/'],
    ['/', rita, '/'],
    ['/user/user-dashboard', admin, '/'],
    ['/admin/all-users', admin, '/user/login'],
  ])(
    'logs out on the server from %s, clears the user’s data and leaves the members’ area',
    async (from, who, target) => {
      const app = await renderApp(from, { api, user: who });

      await logOut(app);

      await waitFor(() => expect(app.store.getState().session.user).toBeNull());
      await waitFor(() => expect(app.here()).toBe(target));
      expect(api.calls('POST /api/logout')[0]?.headers.authorization).toBe('Bearer access-token');
      expect(Object.values(localStorage).join()).not.toContain('Rita');
    },
  );

  it('removes the toasts, because their actions belong to the previous user', async () => {
    const app = await renderApp('/how-it-works', { api, user: rita });
    // The toast must not close by itself during the test.
    toastWithUndo('Returned.', 600_000, () => {});
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible();

    await logOut(app);

    await waitFor(() => expect(app.here()).toBe('/'));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  });

  it('opens /, even if another request fails with 401 first', async () => {
    let rejected = () => {};
    const renewalRejected = new Promise<void>((resolve) => {
      rejected = resolve;
    });
    api.handlers['GET /api/user/:id/rentals/my-rentals'] = sessionOver;
    api.handlers['POST /api/refresh-token'] = () => {
      setTimeout(rejected);
      return sessionOver();
    };
    const app = await renderApp('/benefits', { api, user: rita });
    api.handlers['POST /api/logout'] = async () => {
      // Another request fails with 401 during the logout. Leave time for a token renewal, which must not be sent.
      void app.router.navigate('/user/my-rentals');
      await Promise.race([renewalRejected, delay(300)]);
      return { message: 'Logged out' };
    };

    await logOut(app);

    await waitFor(() => expect(app.store.getState().session.user).toBeNull());
    await waitFor(() => expect(app.here()).toBe('/'));
    expect(api.calls('POST /api/refresh-token')).toEqual([]);
  });

  it('ignores a token renewal that finishes later', async () => {
    let answer = (_: object) => {};
    api.handlers['POST /api/refresh-token'] = () =>
      new Promise<object>((resolve) => {
        answer = resolve;
      });
    api.handlers['GET /api/user/:id/rentals/my-rentals'] = sessionOver;
    const app = await renderApp('/user/my-rentals', { api, user: rita });
    await waitFor(() => expect(api.calls('POST /api/refresh-token')).toHaveLength(1));

    await logOut(app);
    answer({ token: 'another-token', user: rita });

    await waitFor(() => expect(app.here()).toBe('/'));
    expect(app.store.getState().session.user).toBeNull();
    expect(api.calls('POST /api/logout')[0]?.headers.authorization).toBe('Bearer another-token');
  });

  it('logs out the other tabs too, and redirects them to the same page', async () => {
    const { store, here } = await renderApp('/user/my-profile', { api, user: rita });
    await screen.findByRole('button', { name: 'Rita' });

    const key = `${persistPrefix}logout`;
    fireEvent(window, new StorageEvent('storage', { key, newValue: 'asked' }));

    await waitFor(() => expect(here()).toBe('/'));
    expect(store.getState().session.user).toBeNull();
  });

  it('clears the user’s data even if the request fails, and logs out on the server later', async () => {
    api.handlers['POST /api/logout'] = () => problem(503, 'UPSTREAM_UNAVAILABLE', 'Not now.');
    const app = await renderApp('/user/my-profile', { api, user: rita });
    await logOut(app);
    await waitFor(() => expect(app.here()).toBe('/'));
    expect(Object.values(localStorage).join()).not.toContain('Rita');

    api.handlers['POST /api/logout'] = () => ({ message: 'Logged out' });
    fireEvent(window, new Event('online'));

    await waitFor(() => expect(api.calls('POST /api/logout')).toHaveLength(2));
    fireEvent(window, new Event('online'));
    await waitFor(() => expect(localStorage.getItem(`${persistPrefix}logout`)).toBeNull());
    expect(api.calls('POST /api/logout')).toHaveLength(2);
  });
});

describe('the app after its session ended elsewhere', () => {
  const endedSession = async () => {
    const over = () => problem(401, 'UNAUTHORIZED', 'Please log in.');
    api.handlers['POST /api/refresh-token'] = over;
    keep(`form:profile:${rita.id}`, { typed: { phone: '+1 503 555 0142' }, base: {} }, inTab);
    inPage.set(`form:profile:${rita.id}`, 'a picture');
    keep(`draft:review:${rita.id}:b1`, { rating: 5, comment: 'Sharp and clean' });
    const app = await renderApp('/benefits', { api, user: rita });
    await renewAccessToken(app.store);
    expect(app.store.getState().session.user).toBeNull();
    return app;
  };
  const drafts = () => [traces().match(/555|Sharp/g), inPage.size];

  it('keeps the user’s drafts for the next login', async () => {
    const { store } = await endedSession();
    expect(drafts()).toEqual([['555', 'Sharp'], 1]);

    startSession(store, { token: 'a-token', user: rita });

    expect(drafts()).toEqual([['555', 'Sharp'], 1]);
  });

  it('deletes the user’s drafts when another user logs in', async () => {
    const { store } = await endedSession();

    startSession(store, { token: 'a-token', user: { ...rita, id: ids.sam } });

    expect(drafts()).toEqual([null, 0]);
  });

  it('opens the login page, and clears the place and the cached data', async () => {
    const over = () => problem(401, 'UNAUTHORIZED', 'Please log in.');
    api.handlers['GET /api/user/:id/rentals/my-rentals'] = over;
    api.handlers['POST /api/refresh-token'] = over;
    api.handlers['GET /api/user/:id/notifications'] = () => ({
      notifications: [],
      unread: 0,
      nextCursor: null,
    });

    leaveTraces();
    const { store, here } = await renderApp('/user/my-rentals', { api, user: rita });

    await waitFor(() => expect(here()).toBe('/user-login?next=%2Fuser%2Fmy-rentals'));
    expect(store.getState().session.user).toBeNull();
    expect(Object.keys(store.getState().api.queries)).toEqual([]);
    expect(traces()).not.toMatch(/97202/);
  });

  it('shows the next user none of the previous user’s data, not even from a late reply', async () => {
    let answerLate = () => {};
    const names: string[] = [];
    const savedBy = (name: string) => ({ rentals: [{ id: ids.drill, name }] });
    api.handlers['GET /api/user/:id/saved-tools'] = ({ path }) => {
      names.push(path);
      if (path.includes(ids.sam)) return savedBy('Saw of Sam');
      return names.length === 1
        ? savedBy('Drill of Rita')
        : new Promise<object>((resolve) => {
            answerLate = () => resolve(savedBy('Late drill of Rita'));
          });
    };
    const { store } = await renderApp('/benefits', { api, user: rita });
    const fetched = () => JSON.stringify(store.getState().api.queries);
    const ask = (userId: string) =>
      store.dispatch(savedTools.initiate(userId, { forceRefetch: true }));
    await ask(rita.id);
    expect(fetched()).toContain('Drill of Rita');
    const late = ask(rita.id);
    await waitFor(() => expect(names).toHaveLength(2));

    startSession(store, { token: 'a-token', user: { ...rita, id: ids.sam } });
    expect(fetched()).not.toContain('Rita');
    await ask(ids.sam);
    answerLate();
    await late;

    expect(fetched()).toContain('Saw of Sam');
    expect(fetched()).not.toContain('Rita');
  });

  it('sends no request of the previous user with the next user’s token', async () => {
    api.handlers['POST /api/refresh-token'] = () => ({
      token: 'another-token',
      user: { ...rita, id: ids.sam },
    });
    api.handlers['PUT /api/user/:id/saved-tools/:tool'] = () =>
      problem(401, 'UNAUTHORIZED', 'Please log in.');
    const { store } = await renderApp('/benefits', { api, user: rita });

    await store.dispatch(saveTool.initiate({ userId: rita.id, id: ids.drill }));

    const calls = api.calls('PUT /api/user/:id/saved-tools/:tool');
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer access-token']);
  });

  it('clears the previous user’s data when a different user logs in from another tab', async () => {
    api.handlers['POST /api/refresh-token'] = () => ({
      token: 'another-token',
      user: { ...rita, id: ids.sam, first_name: 'Sam' },
    });
    leaveTraces();
    const { store } = await renderApp('/benefits', { api, user: rita });

    await renewAccessToken(store);

    expect(store.getState().session.user?.first_name).toBe('Sam');
    expect(traces()).not.toMatch(/555|97202/);
  });
});

describe('the app', () => {
  it('updates the greeting and the stored profile after the profile was edited in another tab', async () => {
    const { store } = await renderApp('/benefits', { api, user: rita });
    await screen.findByRole('button', { name: 'Rita' });

    act(() => emitLocally('account:changed', { ...rita, first_name: 'Margarita' }));

    expect(await screen.findByRole('button', { name: 'Margarita' })).toBeInTheDocument();
    expect(store.getState().session.user?.first_name).toBe('Margarita');
  });
});

describe('the guard of a route', () => {
  it('sends a visitor to the login page with a return URL', async () => {
    const { here } = await renderApp('/user/my-tool-details?id=7', { api });

    await waitFor(() =>
      expect(here()).toBe(`/user-login?next=${encodeURIComponent('/user/my-tool-details?id=7')}`),
    );
  });

  it('sends a member who is not an admin to /user/login, which redirects to the dashboard', async () => {
    const { here } = await renderApp('/admin/all-users', { api, user: rita });

    await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
  });

  it('returns an admin to the page that required the login', async () => {
    const admin = { ...rita, role: 'Admin' };
    api.handlers = { ...api.handlers, 'POST /api/login': () => ({ user: admin, token: 'a.b.c' }) };
    const { user, here } = await renderApp('/admin/all-users?q=sam', { api });
    const next = encodeURIComponent('/admin/all-users?q=sam');
    await waitFor(() => expect(here()).toBe(`/user/login?next=${next}`));

    await user.type(await screen.findByLabelText('Email'), 'boss@example.com');
    await user.type(screen.getByLabelText('Password'), 'correct horse battery');
    await user.click(screen.getByRole('button', { name: 'Login' }));

    await waitFor(() => expect(here()).toBe('/admin/all-users?q=sam'));
  });
});

describe('a URL that does not exist', () => {
  it('shows "Page not found" and a link to the tools', async () => {
    await renderApp('/no-such-page', { api });

    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('heading').textContent).toBe('Page not found');
    expect(document.title).toBe('Page not found · LendTools');
    expect(alert).not.toHaveTextContent('Unexpected Application Error');
    expect(within(alert).getByRole('link')).toHaveAttribute('href', '/');
    expect(screen.getByRole('banner')).toBeInTheDocument();
    expect(screen.getByRole('contentinfo')).toBeInTheDocument();
  });
});

describe('the scroll position after a reload', () => {
  it.each([
    ['/benefits', 700],
    ['/how-it-works', 0],
  ])('is restored separately for each page: %s to %i', async (address, y) => {
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

describe('the cart in several tabs', () => {
  it('follows a change made in another tab', async () => {
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

describe('a page that was offline', () => {
  it('retries failed requests by itself when the network returns', async () => {
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
