import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../test/fake-api.ts';
import { buildTool, rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
    'GET /api/user/:id/rentals/my-rentals': () => ({ rentals: [buildTool()], nextCursor: null }),
  });
});
afterEach(() => api.stop());

describe('a confirmation', () => {
  it('focuses Cancel, names its buttons, and restores the focus', async () => {
    const { user } = await renderApp('/user/my-rentals', { api, user: rita });
    const opener = await screen.findByRole('button', { name: 'Delete Hammer drill' });

    await user.click(opener);

    const dialog = within(await screen.findByRole('dialog'));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    expect(dialog.getByRole('button', { name: 'Close' })).toBeInTheDocument();
    expect(screen.getAllByRole('banner', { hidden: true })).toHaveLength(1);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(opener).toHaveFocus());
  });
});
