import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi, type FakeRequest, problem } from '../../../test/fake-api.ts';
import { type FakePasskeys, installPasskeys } from '../../../test/fake-passkeys.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { readAccessToken } from '../../api/access-token.ts';
import { baseApi } from '../../api/base-api.ts';

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
const phoneKey = { id: '3', name: 'My phone', createdAt: now, usedAt: null };

let totpSince: string | null;
let passkeys: (typeof phoneKey)[];
let isRequired: boolean;
beforeEach(async () => {
  totpSince = null;
  passkeys = [];
  isRequired = false;
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/user/:id/sessions': () => ({ sessions: [session, phone] }),
    'GET /api/user/:id/second-factors': () => ({
      totpSince,
      passkeys,
      isRequired,
      recoveryCodesLeft: totpSince || passkeys.length > 0 ? 8 : 0,
    }),
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

/** A field of the dialog: sections of the page have the same names. */
async function dialogField(name: string) {
  return within(await screen.findByRole('dialog', { name: 'Is it you?' })).findByLabelText(name);
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
    await user.type(await dialogField('Password'), 'a good password');
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
    await user.type(await dialogField('Password'), 'a guess');
    await user.click(screen.getByRole('button', { name: 'Continue' }));

    expect(await screen.findByText('The current password is wrong.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('two-step login', () => {
  const recoveryCodes = ['AAAA-BBBB-CCCC-DDDD-EEEE-FFFF', 'GGGG-HHHH-IIII-JJJJ-KKKK-LLLL'];

  it('is set up with a code of the app, and shows the recovery codes until they are saved', async () => {
    Object.assign(api.handlers, {
      'POST /api/user/:id/second-factors/totp': () => ({
        secret: 'JBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/LendTools:rita?secret=JBSWY3DPEHPK3PXP',
      }),
      'POST /api/user/:id/second-factors/totp/confirm': () => {
        totpSince = now;
        return { message: 'On', recoveryCodes };
      },
    });
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Set up an authenticator app' }));
    expect(await screen.findByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
    expect(screen.getByRole('img', { name: /QR code/ })).toBeInTheDocument();
    await user.type(screen.getByLabelText(/^Code/), '123456');
    await user.click(screen.getByRole('button', { name: 'Turn on' }));

    for (const code of recoveryCodes) expect(await screen.findByText(code)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'I’ve saved them' }));
    expect(await screen.findByText(/Recovery codes left: 8/)).toBeVisible();
    expect(screen.queryByText(recoveryCodes[0] as string)).toBeNull();
  });

  it('tells an admin who has to set it up, and lets them turn it off, as for a new phone', async () => {
    isRequired = true;
    const { store } = await renderApp('/user/security', { api, user: rita });
    expect(await screen.findByText(/Admins need two-step login/)).toBeVisible();
    totpSince = now;

    store.dispatch(baseApi.util.invalidateTags(['SecondFactor']));

    expect(await screen.findByText(/Recovery codes left: 8/)).toBeVisible();
    expect(screen.queryByText(/Admins need two-step login/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Turn off' })).toBeVisible();
  });

  it('shows the reason for a wrong code, and keeps the key', async () => {
    Object.assign(api.handlers, {
      'POST /api/user/:id/second-factors/totp': () => ({ secret: 'JBSWY3DP', uri: 'otpauth://x' }),
      'POST /api/user/:id/second-factors/totp/confirm': () =>
        problem(403, 'SECOND_FACTOR_WRONG', 'This code is wrong or was already used.'),
    });
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Set up an authenticator app' }));
    await user.type(await screen.findByLabelText(/^Code/), '000000');
    await user.click(screen.getByRole('button', { name: 'Turn on' }));

    expect(await screen.findByText('This code is wrong or was already used.')).toBeVisible();
    expect(screen.getByText('JBSW Y3DP')).toBeVisible();
  });

  it('is turned off after a question, with the password and a code', async () => {
    totpSince = now;
    let isFresh = false;
    Object.assign(api.handlers, {
      'DELETE /api/user/:id/second-factors/totp': () => {
        if (!isFresh) return needsFreshLogin();
        totpSince = null;
        return { message: 'Logins need only your password from now on.' };
      },
      'POST /api/user/:id/reauthenticate': ({ json }: FakeRequest) => {
        if (!json.code) return problem(403, 'SECOND_FACTOR_REQUIRED', 'Please enter the code.');
        isFresh = true;
        return { user: { ...rita, token: 'fresh' }, token: 'fresh' };
      },
    });
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    await user.click(await screen.findByRole('button', { name: 'Turn it off' }));
    await user.type(await dialogField('Password'), 'a good password');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await user.type(await dialogField('Code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Continue' }));

    expect(await screen.findByText('Logins need only your password from now on.')).toBeVisible();
    expect(await screen.findByRole('button', { name: /^Set up/ })).toBeVisible();
    expect(api.calls('POST /api/user/:id/reauthenticate').at(-1)?.json).toEqual({
      password: 'a good password',
      code: '123456',
    });
  });
});

describe('passkeys', () => {
  const recoveryCodes = ['AAAA-BBBB-CCCC-DDDD-EEEE-FFFF'];
  const options = {
    rp: { id: 'localhost', name: 'LendTools' },
    user: { id: 'cml0YQ', name: rita.email, displayName: 'Rita Lopez' },
    challenge: 'Y2hhbGxlbmdl',
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  };
  let device: FakePasskeys;
  beforeEach(() => {
    device = installPasskeys();
    Object.assign(api.handlers, {
      'POST /api/user/:id/passkeys/options': () => options,
      'POST /api/user/:id/passkeys': () => {
        passkeys = [phoneKey];
        return [201, { message: 'Added.', passkey: phoneKey, recoveryCodes }];
      },
    });
  });
  afterEach(() => device.remove());

  it('are added with the browser, and show the recovery codes until they are saved', async () => {
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));

    expect(await screen.findByText(recoveryCodes[0] as string)).toBeVisible();
    const section = within(screen.getByRole('region', { name: 'Passkeys' }));
    expect(await section.findByText('My phone')).toBeVisible();
    expect(section.getByText(/Not used yet/)).toBeVisible();
    expect(api.calls('POST /api/user/:id/passkeys')[0]?.json.passkey).toMatchObject({
      id: 'a2V5',
      type: 'public-key',
    });
    await user.click(section.getByRole('button', { name: 'I’ve saved them' }));
    expect(section.getByText('Recovery codes left: 8.')).toBeVisible();
  });

  it('are not added if the user cancels', async () => {
    device.cancels = true;
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));

    expect(await screen.findByText(/^No passkey was used/)).toBeVisible();
    expect(api.calls('POST /api/user/:id/passkeys')).toEqual([]);
  });

  it('are renamed and removed', async () => {
    passkeys = [phoneKey];
    Object.assign(api.handlers, {
      'PUT /api/user/:id/passkeys/:id': ({ json }: FakeRequest) => {
        passkeys = [{ ...phoneKey, name: json.name as string }];
        return { passkey: passkeys[0] };
      },
      'DELETE /api/user/:id/passkeys/:id': () => {
        passkeys = [];
        return { message: 'This passkey no longer works here.' };
      },
    });
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Rename My phone' }));
    await user.clear(screen.getByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'Old phone{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Remove Old phone' }));
    await user.click(await screen.findByRole('button', { name: 'Remove it' }));

    expect(await screen.findByText('This passkey no longer works here.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Old phone')).toBeNull());
  });

  it('cannot be added in a browser that has none', async () => {
    device.remove();
    await renderApp('/user/security', { api, user: rita });
    expect(await screen.findByText(/can’t use passkeys here/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });

  it('confirm who the user is, in place of the password', async () => {
    passkeys = [phoneKey];
    api.handlers['POST /api/user/:id/reauthenticate/passkey-options'] = () => ({
      challenge: 'Y2hhbGxlbmdl',
      rpId: 'localhost',
      allowCredentials: [{ id: 'a2V5', type: 'public-key' }],
    });
    api.handlers['DELETE /api/user/:id/sessions/:id'] = ({ headers }) =>
      headers.authorization === 'Bearer fresh'
        ? { message: 'That device is logged out.' }
        : needsFreshLogin();
    const { user } = await renderApp('/user/security', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: /^Log out Safari/ }));
    await user.click(await screen.findByRole('button', { name: 'Use your passkey' }));

    expect(await screen.findByText('That device is logged out.')).toBeInTheDocument();
    expect(api.calls('POST /api/user/:id/reauthenticate')[0]?.json).toMatchObject({
      passkey: { id: 'a2V5' },
    });
  });
});
