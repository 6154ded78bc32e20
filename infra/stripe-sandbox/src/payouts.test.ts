import { beforeEach, describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import {
  connectEndpoint,
  createAccount,
  createIntent,
  endpoint,
  onboard,
  post,
  sandbox,
  start,
  stripe,
  useSandbox,
} from '../test/sandbox.ts';

useSandbox();

beforeEach(async () => {
  await sandbox.close();
  await start({ payoutDelayMs: 50 });
});

async function owner(bank?: string): Promise<Stripe.RequestOptions & { stripeAccount: string }> {
  const { id } = await createAccount();
  await onboard(id, 'complete', bank);
  return { stripeAccount: id };
}

async function transfer(destination: string, amount = 1000): Promise<Stripe.Transfer> {
  const { id } = await createIntent();
  const { latest_charge } = await stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_visa',
  });
  const source_transaction = String(latest_charge);
  return stripe.transfers.create({ amount, currency: 'usd', destination, source_transaction });
}

async function balanceOf(options: Stripe.RequestOptions): Promise<number | undefined> {
  return (await stripe.balance.retrieve({}, options)).available[0]?.amount;
}

function payoutEvents(): Stripe.Event[] {
  return connectEndpoint.events
    .filter(({ type }) => type.startsWith('payout.'))
    .sort((one, other) => one.type.localeCompare(other.type));
}

describe('payouts', () => {
  it('of the platform are made by hand, so there are none', async () => {
    const { settings } = await stripe.accounts.retrieveCurrent();

    expect(settings?.payouts?.schedule.interval).toBe('manual');
    expect((await stripe.payouts.list()).data).toEqual([]);
  });

  it('send the available balance of a connected account to its bank', async () => {
    const account = await owner();
    const { destination_payment } = await transfer(account.stripeAccount);

    await connectEndpoint.received('payout.created');
    await connectEndpoint.received('payout.paid');

    const [payout] = (await stripe.payouts.list({ expand: ['data.balance_transaction'] }, account))
      .data;
    expect(payout).toMatchObject({
      id: expect.stringMatching(/^po_/),
      object: 'payout',
      amount: 1000,
      automatic: true,
      balance_transaction: {
        amount: -1000,
        reporting_category: 'payout',
        source: payout?.id,
        type: 'payout',
      },
      currency: 'usd',
      destination: expect.stringMatching(/^ba_/),
      failure_code: null,
      method: 'standard',
      status: 'paid',
      type: 'bank_account',
    });
    expect(payout).not.toHaveProperty('sandbox_account');
    expect(await balanceOf(account)).toBe(0);
    expect(payoutEvents()).toMatchObject([
      {
        account: account.stripeAccount,
        type: 'payout.created',
        data: { object: { id: payout?.id, status: 'pending' } },
      },
      { type: 'payout.paid', data: { object: { id: payout?.id, status: 'paid' } } },
    ]);
    expect(endpoint.events.filter(({ type }) => type.startsWith('payout.'))).toEqual([]);
    const paidOut = await stripe.balanceTransactions.list({ payout: String(payout?.id) }, account);
    expect(paidOut.data.map(({ source }) => source)).toEqual([payout?.id, destination_payment]);
  });

  it.each([
    ['000111111116', 'no_account'],
    ['000111111113', 'account_closed'],
  ])(
    'to the bank account %s fail with %s, and wait for another bank account',
    async (bank, code) => {
      const account = await owner(bank);
      await transfer(account.stripeAccount);

      await connectEndpoint.received('payout.failed');

      const [failed] = (await stripe.payouts.list({ status: 'failed' }, account)).data;
      expect(failed).toMatchObject({
        failure_balance_transaction: expect.stringMatching(/^txn_/),
        failure_code: code,
        failure_message: expect.any(String),
      });
      expect(await balanceOf(account)).toBe(1000);
      const returned = await stripe.balanceTransactions.list({ type: 'payout_failure' }, account);
      expect(returned.data).toMatchObject([
        { amount: 1000, reporting_category: 'payout_reversal', source: failed?.id },
      ]);
      const { external_accounts } = await stripe.accounts.retrieve(account.stripeAccount);
      expect(external_accounts?.data).toMatchObject([{ status: 'errored' }]);

      await onboard(account.stripeAccount, 'complete');
      await connectEndpoint.received('payout.paid');

      expect(await balanceOf(account)).toBe(0);
    },
  );

  it('wait while they are disabled, and survive a restart', async () => {
    await sandbox.close();
    await start({ payoutDelayMs: 60_000 });
    const account = await owner();
    await transfer(account.stripeAccount);
    await post(`/sandbox/accounts/${account.stripeAccount}/restrict`);
    await sandbox.close();
    await start({ payoutDelayMs: 50 });
    const other = await owner();
    await transfer(other.stripeAccount);
    await connectEndpoint.received('payout.paid');

    expect(await balanceOf(account)).toBe(1000);
    await post(`/sandbox/accounts/${account.stripeAccount}/clear`);
    await sandbox.close();
    await start({ payoutDelayMs: 50 });
    await connectEndpoint.received('payout.paid', undefined, account.stripeAccount);

    expect(await balanceOf(account)).toBe(0);
  });

  it('leave nothing for a reversal, which then fails', async () => {
    const account = await owner();
    const { id } = await transfer(account.stripeAccount);
    await connectEndpoint.received('payout.paid');

    await expect(stripe.transfers.createReversal(id)).rejects.toMatchObject({
      statusCode: 400,
      code: 'balance_insufficient',
    });
    expect(await stripe.transfers.retrieve(id)).toMatchObject({ amount_reversed: 0 });
  });

  it('are visible only with the header Stripe-Account', async () => {
    const account = await owner();
    await transfer(account.stripeAccount);
    await connectEndpoint.received('payout.paid');
    const [payout] = (await stripe.payouts.list({}, account)).data;

    expect((await stripe.payouts.list()).data).toEqual([]);
    await expect(stripe.payouts.retrieve(String(payout?.id))).rejects.toMatchObject({
      statusCode: 404,
    });
    expect(await stripe.payouts.retrieve(String(payout?.id), {}, account)).toMatchObject({
      id: payout?.id,
    });
  });
});
