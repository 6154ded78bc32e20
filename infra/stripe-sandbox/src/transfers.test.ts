import { beforeEach, describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import {
  client,
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

let destination: string;

beforeEach(async () => {
  destination = (await createAccount()).id;
  await onboard(destination, 'complete');
});

async function charge(params?: Partial<Stripe.PaymentIntentCreateParams>): Promise<Stripe.Charge> {
  const { id } = await createIntent(params);
  const { latest_charge } = await stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_visa',
    expand: ['latest_charge'],
  });
  return latest_charge as Stripe.Charge;
}

function transfer(params?: Partial<Stripe.TransferCreateParams>): Promise<Stripe.Transfer> {
  return stripe.transfers.create({ amount: 1000, currency: 'usd', destination, ...params });
}

async function balanceOf(stripeAccount?: string): Promise<[available: number, pending: number]> {
  const { available, pending } = await stripe.balance.retrieve({}, { stripeAccount });
  return [available[0]?.amount ?? 0, pending[0]?.amount ?? 0];
}

describe('transfers', () => {
  it('move money of the balance to the connected account', async () => {
    await charge();

    const made = await transfer({ transfer_group: 'booking_1', metadata: { bookingId: 'b1' } });

    expect(made).toMatchObject({
      id: expect.stringMatching(/^tr_/),
      object: 'transfer',
      amount: 1000,
      amount_reversed: 0,
      balance_transaction: expect.stringMatching(/^txn_/),
      currency: 'usd',
      description: null,
      destination,
      destination_payment: expect.stringMatching(/^py_/),
      livemode: false,
      metadata: { bookingId: 'b1' },
      reversals: { object: 'list', data: [], total_count: 0 },
      reversed: false,
      source_transaction: null,
      source_type: 'card',
      transfer_group: 'booking_1',
    });
    expect(await balanceOf()).toEqual([4048 - 1000, 0]);
    expect(await balanceOf(destination)).toEqual([1000, 0]);
    expect((await stripe.balanceTransactions.list({ type: 'transfer' })).data).toMatchObject([
      { amount: -1000, fee: 0, net: -1000, reporting_category: 'transfer', source: made.id },
    ]);
    const stripeAccount = destination;
    const payments = await stripe.balanceTransactions.list({}, { stripeAccount });
    expect(payments.data).toMatchObject([
      {
        amount: 1000,
        reporting_category: 'charge',
        source: made.destination_payment,
        type: 'payment',
      },
    ]);
    expect(payments.data[0]).not.toHaveProperty('sandbox_account');
  });

  it('emit events about the platform, not about the connected account', async () => {
    await charge();

    const { id } = await transfer();
    await stripe.transfers.createReversal(id);
    await endpoint.received('transfer.created');
    await endpoint.received('transfer.reversed');
    await connectEndpoint.received('account.updated');

    expect(connectEndpoint.events.map(({ type }) => type)).toEqual(['account.updated']);
  });

  it('fail if the available balance is too low, also when the request is repeated with its key', async () => {
    const idempotencyKey = 'transfer-1';
    const params = { amount: 4049, currency: 'usd', destination };
    await charge();

    const first = stripe.transfers.create(params, { idempotencyKey });
    await expect(first).rejects.toMatchObject({
      statusCode: 400,
      code: 'balance_insufficient',
      type: 'StripeInvalidRequestError',
    });
    await charge();

    await expect(stripe.transfers.create(params, { idempotencyKey })).rejects.toMatchObject({
      code: 'balance_insufficient',
    });
    expect(await transfer({ amount: 4049 })).toMatchObject({ amount: 4049 });
  });

  it('need an account with the capability transfers', async () => {
    const fresh = await createAccount();
    await charge();
    await post(`/sandbox/accounts/${destination}/restrict`);

    for (const id of [fresh.id, destination])
      await expect(transfer({ destination: id })).rejects.toMatchObject({
        statusCode: 400,
        code: 'insufficient_capabilities_for_transfer',
      });
    await expect(transfer({ destination: 'acct_none' })).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      message: "No such destination: 'acct_none'",
      param: 'destination',
    });
  });

  it.each([0, -1, 0.5])('reject an amount of %d cents', async (amount) => {
    await expect(transfer({ amount })).rejects.toMatchObject({ statusCode: 400, param: 'amount' });
  });

  it('are listed by group and destination, updated and made once despite a lost reply', async () => {
    await charge();
    const other = await transfer({ transfer_group: 'booking_2' });
    await fault({ point: 'transfer', kind: 'reset-after-effect', count: 1 });
    const made = await transfer({ transfer_group: 'booking_1' });

    await stripe.transfers.update(made.id, { metadata: { note: 'paid' } });

    const { data } = await stripe.transfers.list({ transfer_group: 'booking_1' });
    expect(data).toMatchObject([{ id: made.id, metadata: { note: 'paid' } }]);
    const all = await stripe.transfers.list({ destination });
    expect(all.data.map(({ id }) => id)).toEqual([made.id, other.id]);
    expect((await stripe.transfers.list({ destination: 'acct_none' })).data).toEqual([]);
  });

  it('move nothing if a fault fails the request', async () => {
    await charge();
    await fault({ point: 'transfer', kind: 'error-500-before-effect', count: 1 });
    const impatient = client({ maxNetworkRetries: 0 });

    const failed = impatient.transfers.create({ amount: 1000, currency: 'usd', destination });

    await expect(failed).rejects.toMatchObject({ statusCode: 500 });
    expect(await balanceOf(destination)).toEqual([0, 0]);
  });

  it('survive a restart', async () => {
    await charge();
    const made = await transfer();
    await stripe.transfers.createReversal(made.id, { amount: 400 });
    await sandbox.close();
    await start();

    const found = await stripe.transfers.retrieve(made.id, { expand: ['destination'] });

    expect(found).toMatchObject({ amount_reversed: 400, destination: { id: destination } });
    expect(await balanceOf(destination)).toEqual([600, 0]);
  });
});

describe('transfers with a source_transaction', () => {
  it('take the money of their charge even while it is pending or the balance is too low', async () => {
    await sandbox.close();
    await start({ fundsDelaySeconds: 3600 });
    const source = await charge();

    const made = await transfer({ source_transaction: source.id, amount: 4200 });

    expect(made).toMatchObject({
      source_transaction: source.id,
      transfer_group: `group_${source.payment_intent}`,
    });
    expect(await balanceOf(destination)).toEqual([0, 4200]);
    expect(await balanceOf()).toEqual([0, 4048 - 4200]);
    expect(await stripe.charges.retrieve(source.id)).toMatchObject({
      transfer_group: made.transfer_group,
    });
  });

  it('have the transfer group of the charge', async () => {
    const source = await charge({ transfer_group: 'booking_1' });

    const made = await transfer({ source_transaction: source.id });

    expect(made.transfer_group).toBe('booking_1');
  });

  it('may together not exceed what is left of the charge after refunds', async () => {
    const source_transaction = (await charge()).id;
    await charge();
    await stripe.refunds.create({ charge: source_transaction, amount: 1200 });
    const { id } = await transfer({ source_transaction, amount: 2000 });

    await expect(transfer({ source_transaction, amount: 1001 })).rejects.toMatchObject({
      statusCode: 400,
      message:
        'Transfers using this transaction as a source must not exceed the source amount of $30.00. (There is already a transfer using this source, amounting to $20.00.)',
    });
    await stripe.transfers.createReversal(id, { amount: 1 });
    expect(await transfer({ source_transaction, amount: 1001 })).toMatchObject({ amount: 1001 });
  });

  it('need a captured charge of the same currency', async () => {
    const authorized = await charge({ capture_method: 'manual' });
    const source = await charge();

    for (const params of [
      { source_transaction: authorized.id },
      { source_transaction: source.id, currency: 'eur' },
    ])
      await expect(transfer(params)).rejects.toMatchObject({ statusCode: 400 });
    await expect(transfer({ source_transaction: 'ch_none' })).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'source_transaction',
    });
  });
});

describe('transfer reversals', () => {
  it('return the money to the platform in parts, and never more than was transferred', async () => {
    await charge();
    const { id } = await transfer();

    const part = await stripe.transfers.createReversal(id, { amount: 400, metadata: { n: '1' } });
    const tooMuch = stripe.transfers.createReversal(id, { amount: 601 });
    await expect(tooMuch).rejects.toMatchObject({ statusCode: 400, param: 'amount' });
    const rest = await stripe.transfers.createReversal(id);

    expect(part).toMatchObject({
      id: expect.stringMatching(/^trr_/),
      object: 'transfer_reversal',
      amount: 400,
      destination_payment_refund: expect.stringMatching(/^pyr_/),
      metadata: { n: '1' },
      source_refund: null,
      transfer: id,
    });
    expect(rest.amount).toBe(600);
    expect(await stripe.transfers.retrieve(id)).toMatchObject({
      amount_reversed: 1000,
      reversals: { data: [{ id: rest.id }, { id: part.id }], total_count: 2 },
      reversed: true,
    });
    expect((await stripe.transfers.listReversals(id)).data).toMatchObject([rest, part]);
    expect(await stripe.transfers.retrieveReversal(id, part.id)).toMatchObject(part);
    await expect(stripe.transfers.createReversal(id)).rejects.toMatchObject({ statusCode: 400 });
    expect(await balanceOf()).toEqual([4048, 0]);
    const { data } = await stripe.balanceTransactions.list({ source: rest.id });
    expect(data).toMatchObject([
      { amount: 600, reporting_category: 'transfer_reversal', type: 'transfer_refund' },
    ]);
    const refunds = await stripe.balanceTransactions.list(
      { type: 'payment_refund' },
      { stripeAccount: destination },
    );
    expect(refunds.data).toMatchObject([
      { amount: -600, source: rest.destination_payment_refund },
      { amount: -400, source: part.destination_payment_refund },
    ]);
  });

  it('are made once despite a lost reply', async () => {
    await charge();
    const { id } = await transfer();
    await fault({ point: 'reversal', kind: 'reset-after-effect', count: 1 });

    await stripe.transfers.createReversal(id, { amount: 400 });

    expect((await stripe.transfers.retrieve(id)).amount_reversed).toBe(400);
  });
});
