import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient, waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { payoutAccounts } from '../../../test/payout-accounts.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  accounts = payoutAccounts(payments);
});
afterAll(() => payments.stop());

describe('POST /api/user/:userId/payout-account/link', () => {
  it('creates an Express account that can only receive transfers, and opens its onboarding', async () => {
    const owner = await payments.signIn();

    const { status, body } = await accounts.link(owner);

    const [account, ...others] = await accounts.atStripe(owner);
    expect(others).toEqual([]);
    expect(account).toMatchObject({
      capabilities: { transfers: 'inactive' },
      controller: {
        fees: { payer: 'application' },
        losses: { payments: 'application' },
        requirement_collection: 'stripe',
        stripe_dashboard: { type: 'express' },
      },
      metadata: { ownerId: owner.userId },
    });
    expect(status).toBe(201);
    expect(body.url).toContain(`/setup/e/${account?.id}/`);
    expect(await accounts.row(owner)).toMatchObject({
      account_id: account?.id,
      state: 'incomplete',
      creating_since: null,
    });
  });

  it('returns a new link to the same account each time, and stores none', async () => {
    const owner = await payments.signIn();

    const first = await accounts.link(owner);
    const second = await accounts.link(owner);

    expect(second.body.url).not.toBe(first.body.url);
    expect(await accounts.atStripe(owner)).toHaveLength(1);
    const tokens = [first, second].map(({ body }) => body.url.split('/').at(-1));
    const stored = JSON.stringify(await accounts.row(owner));
    for (const token of tokens) expect(stored).not.toContain(token);
  });

  it('leads back to the page from which it was opened, and to it after the link has expired', async () => {
    const owner = await payments.signIn();
    const { body } = await accounts.link(owner);
    await fetch(body.url);

    const used = await fetch(body.url, { redirect: 'manual' });
    const left = await fetch(body.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: 'leave' }),
    });

    expect(used.headers.get('location')).toMatch(/\/user\/get-paid\?from=expired-link$/);
    expect(((await left.json()) as { url: string }).url).toMatch(/\/user\/get-paid\?from=stripe$/);
  });

  it('opens the Express Dashboard once nothing is needed, and the onboarding when more is needed', async () => {
    const { owner, accountId } = await accounts.ready();

    const ready = await accounts.link(owner);
    await payments.restrict(accountId);
    await payments.pool.query('UPDATE payout_accounts SET read_at = NULL WHERE owner_id = $1', [
      owner.userId,
    ]);
    await accounts.view(owner);
    const restricted = await accounts.link(owner);

    expect(ready.body.url).toContain(`/express/${accountId}/`);
    expect(restricted.body.url).toContain(`/setup/e/${accountId}/`);
  });

  it('creates one account for concurrent clicks on two replicas', async () => {
    const owner = await payments.signIn();
    const apis = payments.urls.map((url) => httpClient(url));
    // All requests look for an account before the first one has created it.
    await payments.fault({ point: 'account', kind: 'slow', delayMs: 500 });

    const replies = await Promise.all([...apis, ...apis].map((api) => accounts.link(owner, api)));

    // Stripe rejects a concurrent use of a key; the SDK retries twice, then the client may.
    for (const { status } of replies) expect([201, 503]).toContain(status);
    expect((await accounts.link(owner)).status).toBe(201);
    expect(await accounts.atStripe(owner)).toHaveLength(1);
  });

  it.each([
    ['the reply is lost', { kind: 'reset-after-effect', count: 3 }],
    ['Stripe answers 500 after creating it, and keeps that', { kind: 'error-500-after-effect' }],
    ['Stripe answers 500 without creating it', { kind: 'error-500-before-effect', count: 3 }],
    ['Stripe is busy', { kind: '429' }],
  ])('creates one account when %s', async (_, fault) => {
    const owner = await payments.signIn();
    await payments.fault({ point: 'account', ...fault });

    const failed = await accounts.link(owner);
    const retried = await accounts.link(owner);

    expect(failed).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } });
    expect(failed.headers.get('retry-after')).toBe('5');
    expect(retried.status).toBe(201);
    const [account, ...others] = await accounts.atStripe(owner);
    expect(others).toEqual([]);
    expect(await accounts.row(owner)).toMatchObject({ account_id: account?.id });
  });

  it('replaces an account that Stripe no longer gives access to', async () => {
    const { owner } = await accounts.ready();
    await payments.pool.query(
      `UPDATE payout_accounts SET account_id = 'acct_gone' || owner_id, needs_information = true WHERE owner_id = $1`,
      [owner.userId],
    );

    const { status, body } = await accounts.link(owner);

    const { account_id: accountId } = await accounts.row(owner);
    expect(status).toBe(201);
    expect(accountId).not.toMatch(/gone/);
    expect(body.url).toContain(`/setup/e/${accountId}/`);
    await waitFor('the events', () => {
      const states = accounts
        .published('PayoutAccountChanged', owner)
        .map(({ data }) => (data as { state: string }).state);
      return String(states) === 'incomplete,ready,not-started,incomplete';
    });
  });

  it('rejects other users and visitors', async () => {
    const [owner, other] = [await payments.signIn(), await payments.signIn()];

    const replies = await Promise.all([
      accounts.link({ ...owner, token: other.token }),
      payments.api.post(`/api/user/${owner.userId}/payout-account/link`),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([403, 401]);
    expect(await accounts.row(owner)).toBeUndefined();
  });

  it('limits the links of an owner', async () => {
    const owner = await payments.signIn();
    await payments.pool.query(
      `INSERT INTO quotas (user_id, kind, used, ends_at) VALUES ($1, 'payout-links', 1000000, now() + interval '1 hour')`,
      [owner.userId],
    );

    const reply = await accounts.link(owner);

    expect(reply.status).toBe(429);
    expect(await accounts.atStripe(owner)).toEqual([]);
  });
});
