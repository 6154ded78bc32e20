import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { FakeApi } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({});
});
afterEach(() => api.stop());

describe('the top bar, whose menus load when their buttons are pressed', () => {
  it('returns the focus to the account button when the account menu closes', async () => {
    const { user } = await renderApp('/benefits', { api });
    (await screen.findByRole('button', { name: 'My Account' })).focus();

    await user.keyboard('{Enter}');
    await screen.findByRole('menuitem', { name: 'Login' });
    await user.keyboard('{Escape}');

    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
    expect(screen.getByRole('button', { name: 'My Account' })).toHaveFocus();
  });

  it('opens a visitor’s notifications at the first press', async () => {
    const { user } = await renderApp('/benefits', { api });

    await user.click(await screen.findByRole('button', { name: 'Notifications' }));

    expect(await screen.findByText(/^Log in to see who has booked/)).toBeVisible();
  });
});
