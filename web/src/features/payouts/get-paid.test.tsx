import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PayoutAccount } from '@lendtools/contracts';
import { screen, waitFor } from '@testing-library/react';
import { sam } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const notStarted: PayoutAccount = {
  state: 'not-started',
  needsInformation: false,
  isInReview: false,
  neededBy: null,
  isHeld: false,
};
const [get, post] = [
  'GET /api/user/:id/payout-account',
  'POST /api/user/:id/payout-account/link',
] as const;

let api: FakeApi;
let account: Partial<PayoutAccount>;
beforeEach(async () => {
  account = {};
  window.location.hash = '';
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    [get]: () => ({ ...notStarted, ...account }),
    // A fragment of this page stands for Stripe, because jsdom can't leave the page.
    [post]: () => [201, { url: `${window.location.href.split('#')[0]}#at-stripe` }],
  });
});
afterEach(() => api.stop());

function isAtStripe() {
  return waitFor(() => expect(window.location.hash).toBe('#at-stripe'));
}

describe('the page "Get paid"', () => {
  it.each<[string, Partial<PayoutAccount>, string, string]>([
    ['not started', {}, 'Get paid for what you lend', 'Set up payouts'],
    ['unfinished', { state: 'incomplete' }, 'You’re almost there', 'Continue at Stripe'],
    [
      'in review',
      { state: 'incomplete', isInReview: true },
      'Stripe is checking your information',
      'See it at Stripe',
    ],
    [
      'paused',
      { state: 'incomplete', needsInformation: true },
      'Stripe needs more information',
      'Give the information',
    ],
    ['ready', { state: 'ready' }, 'You’re ready to get paid', 'Open your Stripe dashboard'],
  ])(
    'shows an account that is %s, and opens Stripe by its one button',
    async (_, state, title, step) => {
      account = state;
      const { user } = await renderApp('/user/get-paid', { api, user: sam });

      expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: step }));

      await isAtStripe();
      expect(api.calls(post)).toHaveLength(1);
    },
  );

  it('names the day until which a ready account needs more information', async () => {
    account = { state: 'ready', needsInformation: true, neededBy: '2026-12-04T18:00:00.000Z' };
    await renderApp('/user/get-paid', { api, user: sam });

    expect(await screen.findByText(/by Dec 4, 2026/)).toBeInTheDocument();
  });

  it('shows that payouts are on hold', async () => {
    account = { state: 'ready', isHeld: true };
    await renderApp('/user/get-paid', { api, user: sam });

    expect(await screen.findByText('Your payouts are on hold')).toBeInTheDocument();
  });

  it('waits for Stripe after the owner’s return, and then shows that the account is ready', async () => {
    account = { state: 'incomplete' };
    await renderApp('/user/get-paid?from=stripe', { api, user: sam });

    expect(await screen.findByText('Waiting for news from Stripe…')).toBeInTheDocument();
    account = { state: 'ready' };

    expect(
      await screen.findByRole('heading', { name: 'You’re ready to get paid' }),
    ).toBeInTheDocument();
    expect(screen.queryByText('Waiting for news from Stripe…')).toBeNull();
  });

  it('opens Stripe again if the link had expired', async () => {
    account = { state: 'incomplete' };
    await renderApp('/user/get-paid?from=expired-link', { api, user: sam });

    await isAtStripe();
    expect(api.calls(post)).toHaveLength(1);
  });

  it('shows why Stripe could not be opened, and tries again', async () => {
    api.handlers[post] = () => problem(503, 'PROVIDER_UNAVAILABLE', 'Stripe isn’t responding.');
    const { user } = await renderApp('/user/get-paid', { api, user: sam });
    const button = await screen.findByRole('button', { name: 'Set up payouts' });

    await user.click(button);
    const failure = await screen.findByRole('alert');
    api.handlers[post] = () => [201, { url: `${window.location.href.split('#')[0]}#at-stripe` }];
    await user.click(screen.getByRole('button', { name: 'Set up payouts' }));

    expect(failure).toHaveTextContent('Stripe isn’t responding.');
    await isAtStripe();
  });

  it('offers to try again if the account does not load', async () => {
    api.handlers[get] = () => problem(500, 'INTERNAL_ERROR', 'Our mistake.');
    const { user } = await renderApp('/user/get-paid', { api, user: sam });
    const again = await screen.findByRole('button', { name: 'Try again' });
    api.handlers[get] = () => notStarted;
    await user.click(again);

    expect(await screen.findByRole('button', { name: 'Set up payouts' })).toBeInTheDocument();
  });
});

describe('the section "Get paid"', () => {
  it('leads from My Tools to the page, with the next step', async () => {
    account = { state: 'incomplete' };
    api.handlers['GET /api/user/:id/rentals/my-rentals'] = () => ({
      rentals: [],
      nextCursor: null,
    });
    const { user, here } = await renderApp('/user/my-rentals', { api, user: sam });

    await user.click(await screen.findByRole('link', { name: 'Continue at Stripe' }));

    await waitFor(() => expect(here()).toBe('/user/get-paid'));
  });

  it('leads to the page even if the account does not load', async () => {
    api.handlers[get] = () => problem(500, 'INTERNAL_ERROR', 'Our mistake.');
    api.handlers['GET /api/user/:id/rentals/my-rentals'] = () => ({
      rentals: [],
      nextCursor: null,
    });
    await renderApp('/user/my-rentals', { api, user: sam });

    expect(await screen.findByRole('link', { name: 'See your payouts' })).toHaveAttribute(
      'href',
      '/user/get-paid',
    );
  });
});
