import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { FakeApi, type Handler, problem } from '../../../test/fake-api.ts';
import { type FakePasskeys, installPasskeys } from '../../../test/fake-passkeys.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { readAccessToken } from '../../api/access-token.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'POST /api/login': () => ({ user: { ...rita, token: 'fresh' }, token: 'fresh' }),
    'GET /api/all-rentals': () => ({ rentals: [], nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
    'GET /api/places/states': () => ({ states: [{ code: 'OR', name: 'Oregon' }] }),
    'GET /api/places/states/OR/cities': () => ({ cities: [{ name: 'Portland' }] }),
    'POST /api/create-account': () => [201, { message: 'Welcome', user: rita }],
  });
});
afterEach(() => api.stop());

function weakPassword(path: string): [number, object] {
  const msg = 'This password is easy to guess. Add more words that are less common.';
  return [400, { code: 'PASSWORD_TOO_WEAK', message: msg, errors: [{ msg, path }] }];
}

async function logIn(user: UserEvent) {
  await user.type(await screen.findByLabelText('Email'), 'rita@example.com');
  await user.type(screen.getByLabelText('Password'), 'a good password');
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

describe('a password field', () => {
  it.each([
    ['/user-login', /^Password/, 'current-password'],
    ['/create-account', /^Password/, 'new-password'],
    ['/reset-password?token=abc', /^New password/, 'new-password'],
  ])('of %s is masked, and accepts pasting and password managers', async (path, label, purpose) => {
    const { user } = await renderApp(path, { api });
    const field = await screen.findByLabelText(label);

    await user.click(field);
    await user.paste('a pasted password');

    expect(field).toHaveAttribute('type', 'password');
    expect(field).toHaveAttribute('autocomplete', purpose);
    expect(field).toHaveValue('a pasted password');
  });
});

describe('/user-login', () => {
  it('opens the dashboard after login, and keeps the token out of local storage', async () => {
    const { user, here } = await renderApp('/user-login', { api });

    await logIn(user);

    await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
    expect(readAccessToken()).toBe('fresh');
    expect(JSON.stringify({ ...localStorage })).not.toContain('fresh');
  });

  it('shows the server’s error for a wrong password', async () => {
    api.handlers['POST /api/login'] = () =>
      problem(401, 'LOGIN_FAILED', 'The email or the password is wrong');
    const { user, here } = await renderApp('/user-login', { api });

    await logIn(user);

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The email or the password is wrong',
    );
    expect(here()).toBe('/user-login');
    expect(api.calls('POST /api/refresh-token')).toEqual([]);
  });

  it('leads an admin who needs a second factor to its page', async () => {
    api.handlers['POST /api/login'] = () => ({
      user: { ...rita, token: 'fresh' },
      token: 'fresh',
      secondFactorNeeded: true,
    });
    const { user, here } = await renderApp('/user-login', { api });

    await logIn(user);

    await waitFor(() => expect(here()).toBe('/user/security'));
  });

  describe('with a passkey', () => {
    const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost', userVerification: 'required' };
    let device: FakePasskeys;
    beforeEach(() => {
      device = installPasskeys();
      Object.assign(api.handlers, {
        'POST /api/login/passkey/options': () => options,
        'POST /api/login/passkey': () => ({ user: { ...rita, token: 'fresh' }, token: 'fresh' }),
      });
    });
    afterEach(() => device.remove());

    function useIt(user: UserEvent) {
      return user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
    }

    it('logs in without email and password', async () => {
      const { user, here } = await renderApp('/user-login', { api });
      await screen.findByLabelText('Email');

      await useIt(user);

      await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
      expect(api.calls('POST /api/login/passkey')[0]?.json).toMatchObject({
        passkey: { id: 'a2V5', response: { userHandle: 'cml0YQ' } },
      });
    });

    it('explains what to do if the user cancels, or the server rejects it', async () => {
      device.cancels = true;
      const { user } = await renderApp('/user-login', { api });
      await screen.findByLabelText('Email');

      await useIt(user);
      expect(await screen.findByText(/^No passkey was used/)).toBeVisible();
      device.cancels = false;
      api.handlers['POST /api/login/passkey'] = () =>
        problem(403, 'PASSKEY_REJECTED', 'This passkey was not accepted.');
      await useIt(user);

      expect(await screen.findByText('This passkey was not accepted.')).toBeVisible();
    });

    it('finishes a login whose password was right, and is offered first', async () => {
      api.handlers['POST /api/login'] = () => {
        const [status, body] = problem(403, 'SECOND_FACTOR_REQUIRED', 'Please enter the code.');
        const factors = ['totp', 'passkey', 'recovery-code'];
        return [status, { ...body, challenge: 'abc', factors, passkey: options }];
      };
      api.handlers['POST /api/login/second-factor'] = () => ({
        user: { ...rita, token: 'fresh' },
        token: 'fresh',
      });
      const { user, here } = await renderApp('/user-login', { api });

      await logIn(user);
      await screen.findByRole('heading', { name: 'One more step' });
      expect(screen.getByRole('button', { name: 'Use your authenticator app' })).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Use your passkey' }));

      await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
      expect(api.calls('POST /api/login/second-factor')[0]?.json).toMatchObject({
        challenge: 'abc',
        passkey: { id: 'a2V5' },
      });
    });

    it('is not offered by a browser that has none', async () => {
      device.remove();
      await renderApp('/user-login', { api });
      await screen.findByLabelText('Email');
      expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
    });
  });

  describe('of an account that will be deleted', () => {
    function closed(): [number, object] {
      const [status, body] = problem(403, 'ACCOUNT_CLOSED', 'You can still keep it.');
      return [status, { ...body, deletionDueAt: '2026-12-12T12:00:00.000Z' }];
    }

    it('names the date, and keeps the account if the user chooses to', async () => {
      const login = api.handlers['POST /api/login'] as Handler;
      api.handlers['POST /api/login'] = (request) =>
        request.json.keepAccount ? login(request) : closed();
      const { user, here } = await renderApp('/user-login', { api });

      await user.type(await screen.findByLabelText('Email'), rita.email);
      await user.type(screen.getByLabelText('Password'), 'a good password');
      await user.click(screen.getByRole('button', { name: 'Login' }));
      expect(await screen.findByText(/will be deleted on Dec 12, 2026/)).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Keep my account' }));

      await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
      expect(api.calls('POST /api/login').at(-1)?.json).toEqual({
        email: rita.email,
        password: 'a good password',
        keepAccount: true,
      });
    });

    it('offers to keep the account after the second factor, and resends the code', async () => {
      api.handlers['POST /api/login'] = () => {
        const [status, body] = problem(403, 'SECOND_FACTOR_REQUIRED', 'Please enter the code.');
        return [status, { ...body, challenge: 'c' }];
      };
      api.handlers['POST /api/login/second-factor'] = ({ json }) =>
        json.keepAccount ? { user: { ...rita, token: 'fresh' }, token: 'fresh' } : closed();
      const { user, here } = await renderApp('/user-login', { api });

      await user.type(await screen.findByLabelText('Email'), rita.email);
      await user.type(screen.getByLabelText('Password'), 'a good password');
      await user.click(screen.getByRole('button', { name: 'Login' }));
      await user.type(await screen.findByLabelText('Code'), '123456');
      await user.click(screen.getByRole('button', { name: 'Login' }));
      await user.click(await screen.findByRole('button', { name: 'Keep my account' }));

      await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
    });
  });

  describe('of an account with a second factor', () => {
    beforeEach(() => {
      api.handlers['POST /api/login'] = () => {
        const [status, body] = problem(403, 'SECOND_FACTOR_REQUIRED', 'Please enter the code.');
        return [status, { ...body, challenge: 'abc' }];
      };
    });

    it('asks for the code, and then opens the dashboard', async () => {
      api.handlers['POST /api/login/second-factor'] = () => ({
        user: { ...rita, token: 'fresh' },
        token: 'fresh',
      });
      const { user, here } = await renderApp('/user-login', { api });
      await logIn(user);

      await user.type(await screen.findByLabelText('Code'), '123456');
      await user.click(screen.getByRole('button', { name: 'Login' }));

      await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
      const sent = api.calls('POST /api/login/second-factor')[0]?.json;
      expect(sent).toEqual({ challenge: 'abc', code: '123456' });
    });

    it('shows the reason for a wrong code, and accepts a recovery code', async () => {
      api.handlers['POST /api/login/second-factor'] = ({ json }) =>
        json.code === 'AAAA-BBBB'
          ? { user: { ...rita, token: 'fresh' }, token: 'fresh' }
          : problem(403, 'SECOND_FACTOR_WRONG', 'This code is wrong or was already used.');
      const { user, here } = await renderApp('/user-login', { api });
      await logIn(user);

      await user.type(await screen.findByLabelText('Code'), '000000');
      await user.click(screen.getByRole('button', { name: 'Login' }));
      expect(await screen.findByText('This code is wrong or was already used.')).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
      await user.type(screen.getByLabelText('Recovery code'), 'AAAA-BBBB');
      await user.click(screen.getByRole('button', { name: 'Login' }));

      await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
    });

    it('starts again if the login is no longer valid', async () => {
      api.handlers['POST /api/login/second-factor'] = () =>
        problem(
          401,
          'LOGIN_CHALLENGE_INVALID',
          'This login is no longer valid. Please log in again.',
        );
      const { user } = await renderApp('/user-login', { api });
      await logIn(user);

      await user.type(await screen.findByLabelText('Code'), '123456');
      await user.click(screen.getByRole('button', { name: 'Login' }));

      expect(await screen.findByRole('alert')).toHaveTextContent('no longer valid');
      expect(screen.getByLabelText('Password')).toBeVisible();
    });
  });

  it('reports a network error if there is no reply', async () => {
    const { user } = await renderApp('/user-login', { api });
    await screen.findByLabelText('Email');
    await api.stop();

    await logIn(user);

    expect(await screen.findByRole('alert')).toHaveTextContent('Network error, try again!');
  });

  // Browsers remove the tab character from the second URL, which makes it equal to the first.
  it.each(['//evil.example', '/%09/evil.example', '/%5Cevil.example', '/.//evil.example'])(
    'never follows a return URL on another site: %s',
    async (next) => {
      const { user, here } = await renderApp(`/user-login?next=${next}`, { api });

      await logIn(user);

      await waitFor(() => expect(here()).toBe('/user/user-dashboard'));
    },
  );
});

async function fillIn(user: UserEvent) {
  const texts = {
    'User name': 'rita',
    'First name': 'Rita',
    'Last name': 'Lopez',
    Email: 'rita@example.com',
    Phone: '(503) 555-0100',
    Address: '1 Main St',
    Password: 'a good password',
  };
  for (const [label, text] of Object.entries(texts)) {
    await user.type(await screen.findByLabelText(new RegExp(`^${label}`)), text);
  }
  await user.click(screen.getByRole('combobox', { name: /^State/ }));
  await user.click(await screen.findByRole('option', { name: 'Oregon' }));
  await user.click(screen.getByRole('combobox', { name: /^City/ }));
  await user.click(await screen.findByRole('option', { name: 'Portland' }));
}

describe('/create-account', () => {
  it('signs up with every field and the picture, then opens the login', async () => {
    const { user, here } = await renderApp('/create-account', { api });
    await fillIn(user);
    const picture = new File(['pixels'], 'me.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Profile image'), picture);

    await user.click(screen.getByRole('button', { name: 'Create An Account' }));

    await waitFor(() => expect(here()).toBe('/user-login'));
    const sent = api.calls('POST /api/create-account')[0]?.text ?? '';
    for (const part of ['name="city"\r\n\r\nPortland', 'United States', 'filename="me.png"']) {
      expect(sent).toContain(part);
    }
  });

  it('fills in the email at the login', async () => {
    const { user } = await renderApp('/create-account', { api });
    await fillIn(user);
    const { value } = screen.getByLabelText<HTMLInputElement>(/^Email/);

    await user.click(screen.getByRole('button', { name: 'Create An Account' }));

    await screen.findByRole('button', { name: 'Login' });
    expect(screen.getByLabelText('Email')).toHaveValue(value);
  });

  it('logs in a user who comes from a purchase, and returns there', async () => {
    const next = '/user/conversation?tool=0190b000-0000-7000-8000-000000000001';
    const address = `/create-account?next=${encodeURIComponent(next)}`;
    const { user, here } = await renderApp(address, { api });
    await fillIn(user);

    await user.click(screen.getByRole('button', { name: 'Create An Account' }));

    await waitFor(() => expect(here()).toBe(next));
    expect(api.calls('POST /api/login')).toHaveLength(1);
  });

  it('leads to the login if logging in after a sign-up fails', async () => {
    api.handlers['POST /api/login'] = () => problem(503, 'UNAVAILABLE', 'Please try again soon.');
    const next = encodeURIComponent('/user/cart');
    const { user, here } = await renderApp(`/create-account?next=${next}`, { api });
    await fillIn(user);

    await user.click(screen.getByRole('button', { name: 'Create An Account' }));

    await waitFor(() => expect(here()).toBe(`/user-login?next=${next}`));
  });

  it('shows an example for an invalid phone number', async () => {
    const { user } = await renderApp('/create-account', { api });
    await fillIn(user);
    const phone = screen.getByLabelText(/^Phone/);
    await user.clear(phone);
    await user.type(phone, '503-55');

    await user.click(screen.getByRole('button', { name: 'Create An Account' }));

    expect(phone).toHaveAccessibleDescription(
      'Please enter a valid phone number, such as (503) 555-0100',
    );
    expect(phone).toHaveFocus();
    expect(api.calls('POST /api/create-account')).toEqual([]);
  });

  it('shows a server error beside its field', async () => {
    api.handlers['POST /api/create-account'] = () => [
      409,
      {
        code: 'EMAIL_TAKEN',
        message: 'This email is taken',
        errors: [{ msg: 'This email is taken', path: 'email' }],
      },
    ];
    const { user } = await renderApp('/create-account', { api });
    await fillIn(user);

    await user.click(screen.getByRole('button', { name: 'Create An Account' }));

    expect(await screen.findByText('This email is taken')).toBeVisible();
    expect(screen.getByLabelText(/^Email/)).toHaveFocus();
  });

  it('shows beside the field why a password is rejected', async () => {
    api.handlers['POST /api/create-account'] = () => weakPassword('password');
    const { user } = await renderApp('/create-account', { api });
    await fillIn(user);

    await user.click(screen.getByRole('button', { name: 'Create An Account' }));

    expect(await screen.findByText(/Add more words/)).toBeVisible();
    expect(screen.getByLabelText(/^Password/)).toHaveAccessibleDescription(/Add more words/);
  });

  it('accepts only images as a profile picture', async () => {
    await renderApp('/create-account', { api });
    const letter = new File(['words'], 'me.txt', { type: 'text/plain' });

    const field = await screen.findByLabelText('Profile image');
    await userEvent.setup({ applyAccept: false }).upload(field, letter);

    expect(await screen.findByText('Please choose an image file')).toBeVisible();
  });
});

describe('the session', () => {
  it('renews the access token once for many rejected requests, and repeats the requests', async () => {
    let valid = 'old';
    const guarded = (reply: object) => (request: { headers: { authorization?: string } }) =>
      request.headers.authorization === `Bearer ${valid}` && valid === 'new'
        ? reply
        : problem(401, 'UNAUTHORIZED', 'Please log in');
    api.handlers['GET /api/all-rentals'] = guarded({ rentals: [], nextCursor: null });
    api.handlers['GET /api/all-rental-categories'] = guarded({ allCategories: [] });
    api.handlers['POST /api/refresh-token'] = () => {
      valid = 'new';
      return { user: { ...rita, token: 'new' }, token: 'new' };
    };

    await renderApp('/user/user-dashboard', { api, user: rita });

    expect(await screen.findByText('No tools here yet')).toBeVisible();
    expect(api.calls('POST /api/refresh-token')).toHaveLength(1);
  });

  it('ends if the renewal of the token is rejected, and leads to the login page', async () => {
    const reject = () => problem(401, 'SESSION_ENDED', 'Please log in again');
    api.handlers['GET /api/all-rentals'] = reject;
    api.handlers['POST /api/refresh-token'] = reject;

    const { here } = await renderApp('/user/user-dashboard', { api, user: rita });

    await waitFor(() => expect(here()).toContain('/user-login?next='));
  });
});

describe('/reset-password', () => {
  it('shows the documented error if the password reset fails', async () => {
    api.handlers['POST /api/reset-password'] = () =>
      problem(400, 'RESET_TOKEN_INVALID', 'This link has expired');
    const { user } = await renderApp('/reset-password?token=abc', { api });

    await user.type(await screen.findByLabelText(/^New password/), 'a better password');
    await user.click(screen.getByRole('button', { name: 'Reset Password' }));

    expect(await screen.findByRole('alert')).toHaveTextContent('Error resetting password');
    expect(api.calls('POST /api/reset-password')[0]?.json).toMatchObject({ token: 'abc' });
  });

  it('shows beside the field why a password is rejected', async () => {
    api.handlers['POST /api/reset-password'] = () => weakPassword('newPassword');
    const { user } = await renderApp('/reset-password?token=abc', { api });

    await user.type(await screen.findByLabelText(/^New password/), 'lendtools1');
    await user.click(screen.getByRole('button', { name: 'Reset Password' }));

    expect(await screen.findByRole('alert')).toHaveTextContent('Error resetting password');
    expect(screen.getByLabelText(/^New password/)).toHaveAccessibleDescription(/Add more words/);
  });
});
