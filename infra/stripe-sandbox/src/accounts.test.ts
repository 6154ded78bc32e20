import { describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import {
  browser,
  connectEndpoint,
  createAccount,
  createIntent,
  endpoint,
  fault,
  onboard,
  post,
  sandbox,
  start,
  stripe,
  useSandbox,
} from '../test/sandbox.ts';

useSandbox();

describe('a connected account', () => {
  it('is new until onboarding: it can receive neither transfers nor payouts', async () => {
    const account = await createAccount({
      business_type: 'individual',
      business_profile: { mcc: '7394', url: 'https://lendtools.test' },
      email: 'ann@example.com',
      metadata: { userId: 'u1' },
    });

    expect(account).toMatchObject({
      object: 'account',
      business_type: 'individual',
      capabilities: { transfers: 'inactive' },
      charges_enabled: false,
      controller: {
        fees: { payer: 'application' },
        is_controller: true,
        losses: { payments: 'application' },
        requirement_collection: 'stripe',
        stripe_dashboard: { type: 'express' },
        type: 'application',
      },
      country: 'US',
      details_submitted: false,
      email: 'ann@example.com',
      metadata: { userId: 'u1' },
      payouts_enabled: false,
      type: 'none',
    });
    expect(account.requirements).toMatchObject({
      current_deadline: null,
      disabled_reason: 'requirements.past_due',
      past_due: expect.arrayContaining(['external_account', 'individual.ssn_last_4']),
    });
    expect(account.requirements?.currently_due).not.toContain('business_profile.mcc');
    expect(account.requirements?.eventually_due).toEqual(account.requirements?.currently_due);
  });

  it.each([
    ['complete', 'active', true, null, []],
    ['pending', 'pending', false, 'requirements.pending_verification', []],
    ['fail', 'inactive', false, 'requirements.past_due', ['individual.verification.document']],
  ])('whose onboarding ends with %s has the capability transfers %s', async (...expected) => {
    const [outcome, transfers, payouts_enabled, disabled_reason, currently_due] = expected;
    const { id } = await createAccount();

    const returned = await onboard(id, outcome);

    expect(returned).toBe('https://lendtools.test/return');
    const state = {
      capabilities: { transfers },
      details_submitted: true,
      external_accounts: { data: [{ object: 'bank_account', last4: '6789' }] },
      payouts_enabled,
      requirements: { currently_due, disabled_reason },
    };
    expect(await stripe.accounts.retrieve(id)).toMatchObject({ id, ...state });
    await connectEndpoint.received('account.updated');
    expect(connectEndpoint.events).toMatchObject([
      { account: id, type: 'account.updated', data: { object: { id, ...state } } },
    ]);
    expect(endpoint.events).toEqual([]);
  });

  it('says why its verification failed, and is complete after a second onboarding', async () => {
    const { id } = await createAccount();

    await onboard(id, 'fail');
    const { requirements } = await stripe.accounts.retrieve(id);
    await onboard(id, 'complete');

    expect(requirements?.errors).toMatchObject([
      {
        code: 'verification_failed_keyed_identity',
        requirement: 'individual.verification.document',
      },
    ]);
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      capabilities: { transfers: 'active' },
      requirements: { errors: [] },
    });
  });

  it('stays new if the owner leaves the onboarding, without an event', async () => {
    const account = await createAccount();

    const returned = await onboard(account.id, 'leave');

    expect(returned).toBe('https://lendtools.test/return');
    expect(await stripe.accounts.retrieve(account.id)).toEqual(account);
    expect((await stripe.events.list({}, { stripeAccount: account.id })).data).toEqual([]);
  });

  it('can be restricted by a deadline, then at once, and cleared', async () => {
    const { id } = await createAccount();
    await onboard(id, 'complete');
    const current_deadline = Math.floor(Date.now() / 1000) + 86_400;

    const soon = await post(`/sandbox/accounts/${id}/restrict`, { current_deadline });
    const restricted = await post(`/sandbox/accounts/${id}/restrict`);
    const cleared = await post(`/sandbox/accounts/${id}/clear`);

    const due = ['individual.verification.document'];
    expect(soon).toMatchObject({
      capabilities: { transfers: 'active' },
      payouts_enabled: true,
      requirements: { current_deadline, currently_due: due, disabled_reason: null, past_due: [] },
    });
    expect(restricted).toMatchObject({
      capabilities: { transfers: 'inactive' },
      payouts_enabled: false,
      requirements: { disabled_reason: 'requirements.past_due', past_due: due },
    });
    expect(cleared).toMatchObject({
      capabilities: { transfers: 'active' },
      payouts_enabled: true,
      requirements: { currently_due: [], disabled_reason: null },
    });
  });

  it('is listed, updated, and created once despite a lost reply', async () => {
    const first = await createAccount();
    await fault({ point: 'account', kind: 'reset-after-effect', count: 1 });
    const second = await createAccount();

    const updated = await stripe.accounts.update(second.id, { metadata: { userId: 'u2' } });
    const { data } = await stripe.accounts.list();

    expect(updated.metadata).toEqual({ userId: 'u2' });
    expect(data.map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it('must have the Express controller, and be known', async () => {
    const standard = stripe.accounts.create({ controller: { stripe_dashboard: { type: 'full' } } });

    await expect(standard).rejects.toMatchObject({ statusCode: 400, param: 'controller' });
    await expect(stripe.accounts.retrieve('acct_none')).rejects.toMatchObject({
      statusCode: 403,
      code: 'account_invalid',
      type: 'StripePermissionError',
    });
    expect((await browser('/v1/accounts', {})).status).toBe(403);
  });
});

describe('account links', () => {
  const urls = {
    refresh_url: 'https://lendtools.test/refresh',
    return_url: 'https://lendtools.test/return',
  };

  it('open the onboarding page once, then lead to the refresh URL', async () => {
    const account = (await createAccount()).id;
    const link = await stripe.accountLinks.create({ account, type: 'account_onboarding', ...urls });

    const first = await fetch(link.url);
    const again = await fetch(link.url, { redirect: 'manual' });

    expect(link).toMatchObject({
      object: 'account_link',
      expires_at: link.created + 300,
      url: expect.stringContaining(`${sandbox.url}/setup/e/${account}/`),
    });
    expect(Object.keys(link)).not.toContain('sandbox_account');
    expect(first.status).toBe(200);
    expect(await first.text()).toContain('Connect Onboarding');
    expect([again.status, again.headers.get('location')]).toEqual([302, urls.refresh_url]);
  });

  it('must be of the type account_onboarding, and have both URLs', async () => {
    const account = (await createAccount()).id;
    const create = (params: object) =>
      stripe.accountLinks.create(params as Stripe.AccountLinkCreateParams);

    await expect(create({ account, type: 'account_update', ...urls })).rejects.toMatchObject({
      message: expect.stringContaining('["account_onboarding"]'),
    });
    await expect(create({ account, type: 'account_onboarding' })).rejects.toMatchObject({
      code: 'parameter_missing',
      param: 'refresh_url',
    });
    await expect(
      create({ account, type: 'account_onboarding', ...urls, return_url: '/return' }),
    ).rejects.toMatchObject({ code: 'url_invalid', param: 'return_url' });
  });

  it('of an unknown token do not exist', async () => {
    expect((await fetch(`${sandbox.url}/setup/e/acct_1/guess`)).status).toBe(404);
  });
});

describe('login links', () => {
  it('open the Express Dashboard once, and only after onboarding', async () => {
    const { id } = await createAccount();

    await expect(stripe.accounts.createLoginLink(id)).rejects.toMatchObject({
      statusCode: 400,
      message: 'Cannot create a login link for an account that has not completed onboarding.',
    });
    await onboard(id, 'complete');
    const link = await stripe.accounts.createLoginLink(id);
    const first = await fetch(link.url);
    const again = await fetch(link.url);

    expect(link).toMatchObject({ object: 'login_link', created: expect.any(Number) });
    expect(await first.text()).toContain(id);
    expect(again.status).toBe(404);
  });
});

describe('Connect events', () => {
  it('wait while no endpoint is set, and are delivered after a restart with one', async () => {
    await sandbox.close();
    await start({ connectWebhook: undefined });
    const { id } = await createAccount();
    await onboard(id, 'complete');
    await createIntent();
    await endpoint.received('payment_intent.created');
    await sandbox.close();

    await start();
    await connectEndpoint.received('account.updated');

    expect(connectEndpoint.events).toMatchObject([{ account: id }]);
    expect(new Set(endpoint.events.map(({ type }) => type))).toEqual(
      new Set(['payment_intent.created']),
    );
  });

  it('go to an endpoint of their own, whose secret is rotated separately', async () => {
    await post('/sandbox/webhook_secrets', { secrets: ['whsec_next'], connect: true });
    connectEndpoint.takes('whsec_next');
    const { id } = await createAccount();
    await onboard(id, 'complete');
    await createIntent();

    await connectEndpoint.received('account.updated');
    await endpoint.received('payment_intent.created');

    const { data } = await stripe.webhookEndpoints.list();
    expect(data.map(({ url }) => url)).toEqual([connectEndpoint.url, endpoint.url]);
  });

  it('are listed only with the header Stripe-Account, which other calls reject', async () => {
    const { id } = await createAccount();
    await onboard(id, 'complete');
    const stripeAccount = id;

    const [event] = (await stripe.events.list({}, { stripeAccount })).data;

    expect(event).toMatchObject({ type: 'account.updated', account: id });
    expect((await stripe.events.list()).data).toEqual([]);
    await expect(stripe.events.retrieve(String(event?.id))).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(
      stripe.paymentIntents.create({ amount: 4200, currency: 'usd' }, { stripeAccount }),
    ).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.events.list({}, { stripeAccount: 'acct_none' })).rejects.toMatchObject({
      code: 'account_invalid',
    });
  });
});
