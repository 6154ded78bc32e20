import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

type Switches = Record<string, Record<string, boolean>>;

let api: FakeApi;
let stored: Switches;
beforeEach(async () => {
  stored = {
    emails: { renting: true, lending: true, messages: false, reminders: true, payouts: true },
    notices: { renting: true, lending: true, reminders: true, payouts: true },
  };
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/user/:id/preferences': () => ({ preferences: stored }),
    'PUT /api/user/:id/preferences': ({ json }) => {
      for (const [channel, switches] of Object.entries(json as Switches))
        stored = { ...stored, [channel]: { ...stored[channel], ...switches } };
      return { preferences: stored };
    },
  });
});
afterEach(() => api.stop());

function openPage() {
  return renderApp('/user/preferences', { api, user: rita });
}

describe('emails and notifications', () => {
  it('saves a switch at once and says what is off', async () => {
    const { user } = await openPage();

    const reminders = await screen.findByRole('switch', { name: 'Email: Reminders and reviews' });
    expect(reminders).toBeChecked();
    await user.click(reminders);

    expect(
      await screen.findByText('Emails about reminders and reviews are off.'),
    ).toBeInTheDocument();
    expect(reminders).not.toBeChecked();
    expect(api.calls('PUT /api/user/:id/preferences').map(({ json }) => json)).toEqual([
      { emails: { reminders: false } },
    ]);
  });

  it('turns off what the bell shows separately, except messages', async () => {
    const { user } = await openPage();

    await user.click(
      await screen.findByRole('switch', { name: 'In the app: Bookings of your tools' }),
    );

    expect(
      await screen.findByText('Notifications about bookings of your tools are off.'),
    ).toBeInTheDocument();
    expect(stored).toMatchObject({ emails: { lending: true }, notices: { lending: false } });
    expect(screen.queryByRole('switch', { name: 'In the app: Messages' })).toBeNull();
    expect(screen.getByRole('switch', { name: 'Email: Messages' })).not.toBeChecked();
  });

  it('switches back if the change could not be saved', async () => {
    api.handlers['PUT /api/user/:id/preferences'] = () =>
      problem(503, 'UNAVAILABLE', 'Please try again soon.');
    const { user } = await openPage();

    const payouts = await screen.findByRole('switch', { name: 'Email: Earnings and payouts' });
    await user.click(payouts);

    expect(await screen.findByText(/Please try again soon/)).toBeInTheDocument();
    await waitFor(() => expect(payouts).toBeChecked());
  });

  it('offers another attempt if the preferences could not be loaded', async () => {
    const load = api.handlers['GET /api/user/:id/preferences'] as () => object;
    api.handlers['GET /api/user/:id/preferences'] = () => problem(503, 'UNAVAILABLE', 'Later.');
    const { user } = await openPage();
    const retry = await screen.findByRole('button', { name: 'Try again' });

    api.handlers['GET /api/user/:id/preferences'] = load;
    await user.click(retry);

    expect(await screen.findByRole('switch', { name: 'Email: Messages' })).toBeInTheDocument();
  });
});
