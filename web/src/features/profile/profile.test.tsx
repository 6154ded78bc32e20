import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { FakeApi, type FakeRequest, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const account = {
  ...rita,
  user_name: 'rita',
  phone: '+1 503 555 0142',
  country: 'United States',
  state: 'Oregon',
  city: 'Portland',
  emailVerified: false,
  address: '88 Birch Avenue',
  disabled: false,
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/get-user-by-email/:email': () => ({ user: account }),
    'GET /api/user/:id/calendar-feed': () => ({ since: null }),
    'GET /api/places/states': () => ({ states: [{ code: 'OR', name: 'Oregon' }] }),
    'GET /api/places/states/:code/cities': () => ({ cities: [{ name: 'Portland' }] }),
    'PUT /api/update-account/:id': () => ({
      message: 'Your account has been updated.',
      user: { ...account, first_name: 'Margarita' },
    }),
  });
});
afterEach(() => api.stop());

describe('my profile', () => {
  it('saves changes of the profile and updates the greeting', async () => {
    const { user } = await renderApp('/user/my-profile', { api, user: rita });

    const field = await screen.findByRole('textbox', { name: 'First name' });
    await user.clear(field);
    await user.type(field, 'Margarita');
    await user.click(screen.getByRole('button', { name: 'Update Account' }));

    expect(await screen.findByText('Your account has been updated.')).toBeInTheDocument();
    expect(screen.getByText('Welcome, Margarita')).toBeInTheDocument();
    const { text } = api.calls('PUT /api/update-account/:id')[0] as FakeRequest;
    expect(text).toContain('Margarita');
    expect(text).not.toContain('88 Birch Avenue');
  });

  it('does not let a stale tab overwrite newer data, but offers to load that data', async () => {
    let stored = account;
    api.handlers['GET /api/get-user-by-email/:email'] = () => ({ user: stored });
    api.handlers['PUT /api/update-account/:id'] = ({ headers }: FakeRequest) =>
      headers['if-match'] === `"${stored.revision}"`
        ? { message: 'Your account has been updated.', user: stored }
        : problem(412, 'EDITED_ELSEWHERE', 'This account was changed elsewhere.');
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    const phone = await screen.findByRole('textbox', { name: 'Phone' });
    await user.clear(phone);
    await user.type(phone, '+1 503 555 0199');
    stored = { ...account, revision: 2, address: '1 New Street' };

    await user.click(screen.getByRole('button', { name: 'Update Account' }));
    await user.click(await screen.findByRole('button', { name: 'Load it again' }));

    await waitFor(() =>
      expect(screen.getByRole('textbox', { name: 'Address' })).toHaveValue('1 New Street'),
    );
    expect(screen.getByRole('textbox', { name: 'Phone' })).toHaveValue('+1 503 555 0199');
    await user.click(screen.getByRole('button', { name: 'Update Account' }));
    expect(await screen.findByText('Your account has been updated.')).toBeInTheDocument();
    const [rejected, saved] = api.calls('PUT /api/update-account/:id');
    expect(rejected?.text).not.toContain('Birch');
    expect(saved?.headers['if-match']).toBe('"2"');
    expect(saved?.text).not.toContain('New Street');
  });

  it('needs no address, but all of it once a part is entered', async () => {
    const none = { ...account, state: '', city: '', address: '' };
    api.handlers['GET /api/get-user-by-email/:email'] = () => ({ user: none });
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    const save = await screen.findByRole('button', { name: 'Update Account' });

    await user.click(save);
    expect(await screen.findByText('Your account has been updated.')).toBeInTheDocument();
    expect(api.calls('PUT /api/update-account/:id')[0]?.text).not.toMatch(/"(state|address)"/);
    await user.type(screen.getByRole('textbox', { name: /^Address/ }), '1 New Street');
    await user.click(save);

    expect(await screen.findByText('Please enter your city')).toBeVisible();
    expect(api.calls('PUT /api/update-account/:id')).toHaveLength(1);
  });

  it('shows an example for an invalid phone number', async () => {
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    const phone = await screen.findByRole('textbox', { name: 'Phone' });
    await user.clear(phone);
    await user.type(phone, 'none');

    await user.click(screen.getByRole('button', { name: 'Update Account' }));

    expect(phone).toHaveAccessibleDescription(
      'Please enter a valid phone number, such as (503) 555-0100',
    );
    expect(api.calls('PUT /api/update-account/:id')).toEqual([]);
  });

  it('keeps edits, except the password, over a reload, until the user discards them or logs out', async () => {
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    await user.type(await screen.findByRole('textbox', { name: 'Phone' }), '9');
    await user.type(screen.getByLabelText('Password'), 'correct horse');
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('correct');
    cleanup();

    const again = await renderApp('/user/my-profile', { api, user: rita });
    const phone = await screen.findByRole('textbox', { name: 'Phone' });
    expect(phone).toHaveValue(`${account.phone}9`);
    expect(screen.getByLabelText('Password')).toHaveValue('');
    await again.user.click(screen.getByRole('button', { name: 'Discard draft' }));
    expect(phone).toHaveValue(account.phone);

    await again.user.type(phone, '8');
    expect(sessionStorage).toHaveLength(1);
    api.handlers['POST /api/logout'] = () => ({ message: 'Bye' });
    await again.user.click(screen.getAllByRole('button', { name: 'Logout' })[0] as Element);
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  it('keeps a chosen profile picture while another screen is open, until it is saved', async () => {
    const { user, router } = await renderApp('/user/my-profile', { api, user: rita });
    const me = new File(['pixels'], 'me.png', { type: 'image/png' });
    await user.upload(await screen.findByLabelText('Profile image'), me);

    await user.click(screen.getAllByRole('link', { name: 'My Tools' })[0] as Element);
    await screen.findByRole('heading', { name: 'My Tools' });
    await act(() => router.navigate(-1));
    await screen.findByRole('button', { name: 'Remove profile image' });
    await user.click(screen.getByRole('button', { name: 'Update Account' }));

    await waitFor(() => expect(screen.queryByText(/is still here/)).toBeNull());
    expect(api.calls('PUT /api/update-account/:id')[0]?.text).toContain('me.png');
  });

  it('sets the pick-up place by ZIP code or location, and removes it', async () => {
    api.handlers['GET /api/places/zips/:zip'] = () => ({
      zip: '97202',
      lat: 45.4875,
      lng: -122.6331,
      city: 'Portland',
      state: 'OR',
    });
    Object.defineProperty(navigator, 'geolocation', {
      value: {
        getCurrentPosition: (done: PositionCallback) =>
          done({ coords: { latitude: 45.512345, longitude: -122.6 } } as GeolocationPosition),
      },
      configurable: true,
    });
    api.handlers['PUT /api/update-account/:id'] = ({ text }) => ({
      message: 'Your account has been updated.',
      user: text.includes('97202') ? { ...account, zip: '97202', placeAccuracy: 'area' } : account,
    });
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    const save = () => user.click(screen.getByRole('button', { name: 'Update Account' }));
    const sent = () => api.calls('PUT /api/update-account/:id').at(-1)?.text ?? '';
    const zip = await screen.findByLabelText('Pick-up ZIP code');

    await user.type(zip, '972');
    await save();
    expect(await screen.findByText('Please enter a ZIP code of five digits')).toBeVisible();
    await user.type(zip, '02');
    expect(await screen.findByText('Portland, OR')).toBeVisible();
    await save();
    await waitFor(() => expect(sent()).toMatch(/name="zip"\s+97202\s/));
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    await user.click(screen.getByRole('button', { name: 'Use my location' }));
    expect(await screen.findByText('Your location is set.')).toBeVisible();
    await save();
    await waitFor(() => expect(sent()).toMatch(/name="lat"\s+45\.51\s/));
    expect(sent()).not.toContain('name="zip"');
  });

  it('keeps a saved place when other fields are edited, and can remove it', async () => {
    api.handlers['GET /api/get-user-by-email/:email'] = () => ({
      user: { ...account, zip: '', placeAccuracy: 'area' },
    });
    api.handlers['PUT /api/update-account/:id'] = () => ({
      message: 'Your account has been updated.',
      user: { ...account, zip: '', placeAccuracy: 'area' },
    });
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    const save = () => user.click(screen.getByRole('button', { name: 'Update Account' }));
    expect(await screen.findByText('Your location is set.')).toBeVisible();

    await save();
    await waitFor(() => expect(api.calls('PUT /api/update-account/:id')).toHaveLength(1));
    expect(api.calls('PUT /api/update-account/:id')[0]?.text).not.toMatch(/name="(zip|lat)"/);
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    await save();
    await waitFor(() => expect(api.calls('PUT /api/update-account/:id')).toHaveLength(2));
    expect(api.calls('PUT /api/update-account/:id')[1]?.text).toContain('name="zip"');
  });

  it('shows the place that the server stored, or none if a change of the city removed it', async () => {
    api.handlers['GET /api/places/zips/:zip'] = () => ({
      zip: '97202',
      lat: 45.4875,
      lng: -122.6331,
      city: 'Portland',
      state: 'OR',
    });
    api.handlers['GET /api/get-user-by-email/:email'] = () => ({
      user: { ...account, zip: '97202', placeAccuracy: 'area' },
    });
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    const zip = await screen.findByLabelText('Pick-up ZIP code');
    expect(zip).toHaveValue('97202');

    const saved = { ...account, city: 'Salem', zip: '', placeAccuracy: 'city' };
    api.handlers['PUT /api/update-account/:id'] = () => ({ message: 'Saved', user: saved });
    api.handlers['GET /api/get-user-by-email/:email'] = () => ({ user: saved });
    await user.click(screen.getByRole('button', { name: 'Update Account' }));

    await waitFor(() => expect(zip).toHaveValue(''));
    expect(Object.keys(sessionStorage)).toEqual([]);
  });

  it('keeps an unsaved pick-up place over a reload', async () => {
    Object.defineProperty(navigator, 'geolocation', {
      value: {
        getCurrentPosition: (done: PositionCallback) =>
          done({ coords: { latitude: 45.512345, longitude: -122.6 } } as GeolocationPosition),
      },
      configurable: true,
    });
    const { user } = await renderApp('/user/my-profile', { api, user: rita });
    await user.click(await screen.findByRole('button', { name: 'Use my location' }));
    expect(await screen.findByText('Your location is set.')).toBeVisible();
    cleanup();

    await renderApp('/user/my-profile', { api, user: rita });

    expect(await screen.findByText('Your location is set.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Discard draft' })).toBeVisible();
  });

  it('requires the password to change the email', async () => {
    const { user } = await renderApp('/user/my-profile', { api, user: rita });

    await user.type(await screen.findByRole('textbox', { name: 'Email' }), '.org');
    await user.click(screen.getByRole('button', { name: 'Update Account' }));

    expect(
      await screen.findByText('Please enter your password to change the email'),
    ).toBeInTheDocument();
    expect(api.calls('PUT /api/update-account/:id')).toEqual([]);
  });
});

describe('the email of my profile', () => {
  it('can be verified by a new link, sent on request', async () => {
    api.handlers['POST /api/user/:id/send-verification'] = () => ({ message: 'We sent a link.' });
    const { user } = await renderApp('/user/my-profile', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Email me a link' }));

    expect(await screen.findByText('We sent a link.')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Link sent' })).toBeDisabled();
  });

  it('is shown as verified', async () => {
    api.handlers['GET /api/get-user-by-email/:email'] = () => ({
      user: { ...account, emailVerified: true },
    });
    await renderApp('/user/my-profile', { api, user: rita });

    expect(await screen.findByText('Email verified')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Email me a link' })).not.toBeInTheDocument();
  });
});

describe('my saved cards', () => {
  const visa = { id: 'pm_visa', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 };
  const old = { id: 'pm_old', brand: 'other', last4: '1111', expMonth: 1, expYear: 2024 };

  it('are listed, and removed after a confirmation', async () => {
    let cards = [visa, old];
    api.handlers['GET /api/user/:id/cards'] = () => ({ cards });
    api.handlers['DELETE /api/user/:id/cards/:cardId'] = () => {
      cards = [old];
      return { message: 'The card is removed.' };
    };
    const { user } = await renderApp('/user/my-profile', { api, user: rita });

    expect(await screen.findByText('Expires 12/34')).toBeVisible();
    expect(screen.getByText('Expired 01/24')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove Visa •••• 4242' }));
    expect(api.calls('DELETE /api/user/:id/cards/:cardId')).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Remove card' }));

    expect(await screen.findByText('The card is removed.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('Visa •••• 4242')).toBeNull());
    expect(screen.getByText('Card •••• 1111')).toBeVisible();
  });

  it('can be kept when paying, if there are none', async () => {
    api.handlers['GET /api/user/:id/cards'] = () => ({ cards: [] });
    await renderApp('/user/my-profile', { api, user: rita });

    expect(await screen.findByText(/^None yet\. When you pay/)).toBeVisible();
  });
});

describe('my calendar feed', () => {
  const path = `/api/calendars/${'s'.repeat(43)}.ics`;
  const since = '2026-11-03T10:00:00.000Z';
  let made: boolean;
  beforeEach(() => {
    made = false;
    Object.assign(api.handlers, {
      'GET /api/user/:id/calendar-feed': () => ({ since: made ? since : null }),
      'POST /api/user/:id/calendar-feed': ({ json }: FakeRequest) => {
        if (json.password !== 'right')
          return problem(403, 'PASSWORD_WRONG', 'The current password is wrong.');
        made = true;
        return { path, since };
      },
      'DELETE /api/user/:id/calendar-feed': () => {
        made = false;
        return { message: 'Your calendar’s address has ended.' };
      },
    });
  });

  it('shows a new URL once, and can be disabled', async () => {
    const { user } = await renderApp('/user/my-profile', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Get an address' }));
    await user.type(screen.getByLabelText(/Current password/), 'wrong');
    await user.click(screen.getByRole('button', { name: 'Get an address' }));
    expect(await screen.findByText('The current password is wrong.')).toBeInTheDocument();
    await user.clear(screen.getByLabelText(/Current password/));
    await user.type(screen.getByLabelText(/Current password/), 'right{Enter}');
    const address = await screen.findByRole('textbox', { name: 'Your calendar’s address' });
    expect(address).toHaveValue(window.location.origin + path);
    expect(screen.getByRole('link', { name: 'Open in my calendar' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^webcal:/),
    );

    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    await user.click(await screen.findByRole('button', { name: 'Turn it off' }));

    expect(await screen.findByRole('button', { name: 'Get an address' })).toBeInTheDocument();
    expect(screen.queryByRole('textbox', { name: 'Your calendar’s address' })).toBeNull();
  });

  it('keeps its URL unless the user confirms a new one', async () => {
    made = true;
    const { user } = await renderApp('/user/my-profile', { api, user: rita });

    expect(await screen.findByText('On since Nov 3, 2026.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Get a new address' }));
    await user.click(await screen.findByRole('button', { name: 'Keep it' }));

    expect(api.calls('POST /api/user/:id/calendar-feed')).toEqual([]);
  });
});

describe('the in-app password reset', () => {
  it('shows the error for a rejected password, and changes the password on the next attempt', async () => {
    api.handlers['POST /api/reset-password'] = () =>
      problem(403, 'PASSWORD_WRONG', 'This is not your password.');
    const { user, here } = await renderApp('/user/user-reset-password', { api, user: rita });

    await user.type(await screen.findByLabelText(/Current password/), 'old-password');
    await user.type(screen.getByLabelText(/New password/), 'a few new words');
    await user.click(screen.getByRole('button', { name: 'Reset Password' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Error resetting password: This is not your password.',
    );

    const msg = 'This password is easy to guess. Add more words that are less common.';
    api.handlers['POST /api/reset-password'] = () => [
      400,
      { code: 'PASSWORD_TOO_WEAK', message: msg, errors: [{ msg, path: 'newPassword' }] },
    ];
    await user.click(screen.getByRole('button', { name: 'Reset Password' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Add more words');
    expect(screen.getByLabelText(/New password/)).toHaveAccessibleDescription(/Add more words/);

    api.handlers['POST /api/reset-password'] = () => ({ message: 'Your password is changed.' });
    await user.click(screen.getByRole('button', { name: 'Reset Password' }));

    await waitFor(() => expect(here()).toBe('/user/my-profile'));
    expect(api.calls('POST /api/reset-password')[2]?.json).toEqual({
      userId: rita.id,
      currentPassword: 'old-password',
      newPassword: 'a few new words',
    });
  });
});
