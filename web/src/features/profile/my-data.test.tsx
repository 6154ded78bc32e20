import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { readAccessToken } from '../../api/access-token.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'POST /api/user/:id/deletion': () => ({
      message: 'Your account is closed.',
      deletionDueAt: '2026-12-12T12:00:00.000Z',
    }),
    'POST /api/logout': () => ({ message: 'You are logged out.' }),
    'GET /api/all-rentals': () => ({ rentals: [], nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ categories: [] }),
  });
});
afterEach(() => api.stop());

function openPage() {
  return renderApp('/user/my-data', { api, user: rita });
}

describe('deleting the account', () => {
  it('asks first, then logs out', async () => {
    const { user } = await openPage();

    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    expect(await screen.findByText(/For 14 days you can log in/)).toBeVisible();
    await user.click(
      screen.getAllByRole('button', { name: 'Delete my account' }).at(-1) as HTMLElement,
    );

    expect(await screen.findByText('Your account is closed.')).toBeInTheDocument();
    expect(readAccessToken()).toBeNull();
  });

  it('does nothing if the user keeps the account', async () => {
    const { user } = await openPage();

    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    await user.click(await screen.findByRole('button', { name: 'Keep it' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.calls('POST /api/user/:id/deletion')).toEqual([]);
  });

  it('lists what is open, with the way to it', async () => {
    api.handlers['POST /api/user/:id/deletion'] = () => {
      const [status, body] = problem(409, 'ACCOUNT_HAS_OPEN_MATTERS', 'Not yet.');
      const errors = [
        { path: 'rentals', msg: '1 rental of yours is not completed.' },
        { path: 'earnings', msg: 'What you earned with 2 bookings has not been sent to you.' },
      ];
      return [status, { ...body, errors }];
    };
    const { user } = await openPage();

    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    await screen.findByText(/For 14 days you can log in/);
    await user.click(
      screen.getAllByRole('button', { name: 'Delete my account' }).at(-1) as HTMLElement,
    );

    expect(await screen.findByText(/1 rental of yours/)).toBeVisible();
    const links = screen.getAllByRole('link', { name: 'Show' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/user/my-rental-history',
      '/user/earnings',
    ]);
    expect(readAccessToken()).not.toBeNull();
  });
});

describe('downloading the data', () => {
  it('has the file made', async () => {
    api.handlers['POST /api/user/:id/data-exports'] = () => [
      202,
      { message: 'We email you a link.' },
    ];
    const { user } = await openPage();

    await user.click(await screen.findByRole('button', { name: 'Collect my data' }));

    expect(await screen.findByText('We email you a link.')).toBeInTheDocument();
    expect(screen.queryByText('Your file is ready')).toBeNull();
  });

  it('offers the file that the email names, and says why it is gone', async () => {
    api.handlers['GET /api/user/:id/data-exports/:id'] = () =>
      problem(404, 'DATA_EXPORT_NOT_FOUND', 'This file is no longer available.');
    const { user } = await renderApp('/user/my-data?export=7', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Download your data' }));

    expect(await screen.findByText('This file is no longer available.')).toBeInTheDocument();
    expect(api.calls('GET /api/user/:id/data-exports/:id')[0]?.path).toMatch(/7$/);
  });
});
