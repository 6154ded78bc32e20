import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { readAccessToken } from '../../api/access-token.ts';

const now = new Date().toISOString();
const session = {
  id: '1',
  device: 'Chrome on Windows',
  place: 'United States',
  network: '203.0.113.0/24',
  createdAt: now,
  usedAt: now,
  isCurrent: true,
};
const phone = { ...session, id: '2', device: 'Safari on iOS', isCurrent: false };

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/user/:id/sessions': () => ({ sessions: [session, phone] }),
    'DELETE /api/user/:id/sessions': () => ({ message: 'All other devices are logged out.' }),
    'DELETE /api/user/:id/sessions/:id': () => ({ message: 'That device is logged out.' }),
    'POST /api/user/:id/reauthenticate': () => ({
      user: { ...rita, token: 'fresh' },
      token: 'fresh',
    }),
  });
});
afterEach(() => api.stop());

function needsFreshLogin() {
  return problem(403, 'REAUTHENTICATION_REQUIRED', 'Please confirm that it’s you to continue.');
}

describe('login and security', () => {
  it('lists the devices, and logs one out', async () => {
    const { user } = await renderApp('/user/security', { api, user: rita });

    const devices = within(await screen.findByRole('region', { name: 'Where you’re logged in' }));
    const [current, other] = await devices.findAllByRole('listitem');
    expect(current).toHaveTextContent('Chrome on WindowsThis device');
    expect(other).toHaveTextContent('United States, network 203.0.113.0/24');
    await user.click(within(other as HTMLElement).getByRole('button', { name: /^Log out Safari/ }));

    expect(await screen.findByText('That device is logged out.')).toBeInTheDocument();
    expect(api.calls('DELETE /api/user/:id/sessions/:id')[0]?.path).toMatch(/2$/);
  });

  it('asks for the password if the login was long ago, and then logs the others out', async () => {
    let isFresh = false;
    api.handlers['DELETE /api/user/:id/sessions'] = ({ headers }) => {
      isFresh = headers.authorization === 'Bearer fresh';
      return isFresh ? { message: 'All other devices are logged out.' } : needsFreshLogin();
    };
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Log out all other devices' }));
    await user.click(await screen.findByRole('button', { name: 'Log them out' }));
    await user.type(await screen.findByLabelText('Password'), 'a good password');
    await user.click(screen.getByRole('button', { name: 'Continue' }));

    expect(await screen.findByText('All other devices are logged out.')).toBeInTheDocument();
    expect(api.calls('POST /api/user/:id/reauthenticate')[0]?.json).toEqual({
      password: 'a good password',
    });
    expect(readAccessToken()).toBe('fresh');
    expect(isFresh).toBe(true);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('does nothing if the user does not confirm', async () => {
    api.handlers['DELETE /api/user/:id/sessions/:id'] = needsFreshLogin;
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: /^Log out Safari/ }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));

    expect(await screen.findByText('Please confirm that it’s you to continue.')).toBeVisible();
    expect(api.calls('POST /api/user/:id/reauthenticate')).toEqual([]);
  });

  it('shows the reason for a wrong password in the dialog', async () => {
    api.handlers['DELETE /api/user/:id/sessions/:id'] = needsFreshLogin;
    api.handlers['POST /api/user/:id/reauthenticate'] = () =>
      problem(403, 'PASSWORD_WRONG', 'The current password is wrong.');
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: /^Log out Safari/ }));
    await user.type(await screen.findByLabelText('Password'), 'a guess');
    await user.click(screen.getByRole('button', { name: 'Continue' }));

    expect(await screen.findByText('The current password is wrong.')).toBeVisible();
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });
});
