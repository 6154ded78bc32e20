import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../test/fake-api.ts';
import { rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';

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
  it('shows the error page with its status, and a way on', async () => {
    await renderApp('/no-such-page', { api });

    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('heading').textContent).toBe('Unexpected Application Error!');
    expect(alert).toHaveTextContent('404 Not Found');
    expect(within(alert).getByRole('link')).toHaveAttribute('href', '/');
  });
});
