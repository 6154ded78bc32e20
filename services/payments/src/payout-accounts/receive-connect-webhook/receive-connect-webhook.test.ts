import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { payoutAccounts } from '../../../test/payout-accounts.ts';
import { sandboxKeys } from '../../../test/stripe-controls.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  accounts = payoutAccounts(payments);
});
afterAll(() => payments.stop());

const updated = (account: string, overrides: object = {}) => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  created: Math.floor(Date.now() / 1_000),
  type: 'account.updated',
  account,
  data: { object: { id: account, object: 'account' } },
  ...overrides,
});

const deliver = async (event: object, secret = sandboxKeys.connectSecret) => {
  const payload = JSON.stringify(event);
  const reply = await fetch(`${payments.url}/api/payment/connect-webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': payments.stripe.webhooks.generateTestHeaderString({ payload, secret }),
    },
    body: payload,
  });
  return { status: reply.status, body: await reply.json() };
};

const changesOf = (owner: { userId: string; token: string }) =>
  accounts
    .published('PayoutAccountChanged', owner)
    .map(({ data }) => data as { state: string; needsInformation: boolean; before: object });
const settled = (owner: { userId: string; token: string }, state: string) =>
  waitFor(`the change to ${state}`, () => changesOf(owner).at(-1)?.state === state);

describe('POST /api/payment/connect-webhook', () => {
  it('publishes one PayoutAccountChanged for five concurrent deliveries of an event', async () => {
    const owner = await payments.signIn();
    const accountId = await accounts.onboard(owner);
    const event = updated(accountId);

    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(event)));

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await settled(owner, 'ready');
    expect(changesOf(owner)).toMatchObject([
      { state: 'incomplete', before: { state: 'not-started' } },
      { state: 'ready', before: { state: 'incomplete', needsInformation: false } },
    ]);
  });

  it('reads the account from Stripe instead of trusting the event, so that order does not matter', async () => {
    const { owner, accountId } = await accounts.ready();
    const stale = updated(accountId, {
      created: 1,
      data: {
        object: { id: accountId, object: 'account', capabilities: { transfers: 'inactive' } },
      },
    });

    const reply = await deliver(stale);

    expect(reply.status).toBe(200);
    expect(await accounts.row(owner)).toMatchObject({ state: 'ready' });
  });

  it('ends ready when several events of an account are delivered late and in any order', async () => {
    const { owner, accountId } = await accounts.ready();
    await payments.restrict(accountId);
    const restricted = updated(accountId);
    await payments.clear(accountId);
    const cleared = updated(accountId);

    await Promise.all([cleared, restricted, cleared].map((event) => deliver(event)));

    expect(await accounts.row(owner)).toMatchObject({ state: 'ready', needs_information: false });
  });

  it('pauses a ready account that Stripe restricts, and resumes it once the information is there', async () => {
    const { owner, accountId } = await accounts.ready();

    await payments.restrict(accountId);
    await deliver(updated(accountId));
    await settled(owner, 'incomplete');
    await payments.clear(accountId);
    await deliver(updated(accountId));
    await settled(owner, 'ready');

    expect(changesOf(owner).slice(-2)).toMatchObject([
      { state: 'incomplete', needsInformation: true, before: { state: 'ready' } },
      { state: 'ready', needsInformation: false, before: { needsInformation: true } },
    ]);
  });

  it('adopts an account whose creation was not stored', async () => {
    const owner = await payments.signIn();
    await payments.fault({ point: 'account', kind: 'error-500-after-effect' });
    await accounts.link(owner);
    const [account] = await accounts.atStripe(owner);

    await deliver(updated(account?.id as string));

    expect(await accounts.row(owner)).toMatchObject({
      account_id: account?.id,
      state: 'incomplete',
    });
  });

  it('marks an account as not started when Stripe reports that access was revoked', async () => {
    const { owner } = await accounts.ready();
    const gone = `acct_gone${randomUUID()}`;
    await payments.pool.query('UPDATE payout_accounts SET account_id = $2 WHERE owner_id = $1', [
      owner.userId,
      gone,
    ]);

    await deliver(updated(gone, { type: 'account.application.deauthorized' }));

    expect(await accounts.row(owner)).toMatchObject({ state: 'not-started', account_id: gone });
    await settled(owner, 'not-started');
  });

  it('replies 503 during an outage of Stripe, so that the webhook is retried', async () => {
    const owner = await payments.signIn();
    const event = updated(await accounts.onboard(owner));
    await payments.fault({ point: 'retrieve', kind: 'error-500-before-effect', count: 3 });

    const away = await deliver(event);
    const back = await deliver(event);

    expect([away.status, back.status]).toEqual([503, 200]);
    expect(await accounts.row(owner)).toMatchObject({ state: 'ready' });
  });

  it('receives the events that the sandbox sends', async () => {
    const owner = await payments.signIn();
    await payments.connectPayoutWebhooks();

    await accounts.onboard(owner);

    await settled(owner, 'ready');
  });

  it('rejects events that another secret signed, also that of the other endpoint', async () => {
    const owner = await payments.signIn();
    const event = updated(await accounts.onboard(owner, 'leave'));

    const replies = [
      await deliver(event, 'whsec_wrong'),
      await deliver(event, sandboxKeys.webhookSecret),
    ];

    for (const reply of replies)
      expect(reply).toMatchObject({ status: 400, body: { code: 'WEBHOOK_SIGNATURE_INVALID' } });
  });

  it('rejects every event while its secret is not set', async () => {
    const without = await startTestPayments({ env: { STRIPE_CONNECT_WEBHOOK_SECRET: '' } });

    const reply = await fetch(`${without.url}/api/payment/connect-webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=0' },
      body: '{}',
    });
    await without.stop();

    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID' });
  });

  it.each([
    ['of another program’s account', () => updated('acct_unknown')],
    [
      'of a payout of another program’s account',
      () => updated('acct_unknown', { type: 'payout.paid', data: { object: { id: 'po_1' } } }),
    ],
    ['of another type', () => updated('acct_unknown', { type: 'payout.created' })],
    ['about the platform', () => ({ ...updated('acct_unknown'), account: undefined })],
  ])('ignores an event %s', async (_, build) => {
    expect(await deliver(build())).toMatchObject({ status: 200 });
  });

  it('rejects a signed body that is not an event', async () => {
    expect(await deliver({ ...updated('acct_1'), id: { $ne: null } })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_UNREADABLE' },
    });
  });
});
