import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { inTransaction } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import type Stripe from 'stripe';
import { startTestPayments, type TestPayments } from '../../test/payments-service.ts';
import { payoutAccounts } from '../../test/payout-accounts.ts';
import { settlePayout } from './settle-payout.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2, payoutDelayMs: 50 });
  accounts = payoutAccounts(payments);
  await payments.connectPayoutWebhooks();
});
afterEach(() => payments.clearFaults());
afterAll(() => payments.stop());

type Ready = Awaited<ReturnType<typeof accounts.ready>>;

/** Stripe pays it out to the owner's bank. */
const transfer = async ({ accountId }: Ready, amount = 3_060): Promise<void> => {
  const { intentId } = await payments.buyAndPay();
  const { latest_charge: charge } = await payments.stripe.paymentIntents.retrieve(intentId);
  await payments.stripe.transfers.create({
    amount,
    currency: 'usd',
    destination: accountId,
    source_transaction: String(charge),
  });
};

const settled = ({ owner }: Ready) =>
  accounts.published('PayoutSettled', owner).map(({ data }) => data as EventData<'PayoutSettled'>);
const hasSettled = (ready: Ready, count: number) =>
  waitFor(`${count} × PayoutSettled`, () => settled(ready).length === count);

const settle = ({ owner }: Ready, payout: Partial<Stripe.Payout>) =>
  inTransaction(payments.pool, (tx) =>
    settlePayout(tx, owner.userId, {
      id: `po_${owner.userId}`,
      amount: 500,
      arrival_date: 1_796_000_000,
      failure_code: null,
      ...payout,
    } as Stripe.Payout),
  );
const closed = { status: 'failed', failure_code: 'account_closed' } as const;

describe('settlePayout', () => {
  it('publishes a payout once, although Stripe sends its event five times', async () => {
    const ready = await accounts.ready();
    await payments.fault({ point: 'webhook', kind: 'duplicate', count: 5 });

    await transfer(ready);

    await waitFor('the payout', () => settled(ready).length > 0);
    const { data } = await payments.stripe.payouts.list({}, { stripeAccount: ready.accountId });
    const [payout] = data;
    await settle(ready, payout ?? {});
    await settle(ready, { status: 'paid' });
    await hasSettled(ready, 2);
    expect(settled(ready)[0]).toEqual({
      payoutId: payout?.id,
      ownerId: ready.owner.userId,
      amountCents: 3_060,
      status: 'paid',
      arrivesAt: expect.any(String),
      failureCode: null,
    });
  });

  it('publishes the reason why a bank rejected a payout', async () => {
    const ready = await accounts.ready('000111111113');

    await transfer(ready);

    await hasSettled(ready, 1);
    expect(settled(ready)).toMatchObject([{ status: 'failed', failureCode: 'account_closed' }]);
  });

  it('publishes a payout that fails after it was paid, and then ignores an earlier reply', async () => {
    const ready = await accounts.ready();

    await settle(ready, { status: 'paid' });
    await settle(ready, closed);
    await settle(ready, { status: 'paid' });
    await settle(ready, closed);

    await settle(ready, { id: `po_last_${ready.owner.userId}`, status: 'paid' });
    await hasSettled(ready, 3);
    expect(settled(ready).map(({ status }) => status)).toEqual(['paid', 'failed', 'paid']);
  });

  it.each([
    ['is on its way', { status: 'in_transit' }],
    ['was canceled', { status: 'canceled' }],
    ['collects what an account lacks', { status: 'paid', amount: -500 }],
  ] as const)('publishes nothing of a payout that %s', async (_, payout) => {
    const ready = await accounts.ready();

    await settle(ready, payout);
    await settle(ready, { id: `po_next_${ready.owner.userId}`, status: 'paid' });

    await hasSettled(ready, 1);
    expect(settled(ready)).toMatchObject([{ payoutId: `po_next_${ready.owner.userId}` }]);
  });
});

describe('settleRecentPayouts', () => {
  it('finds a payout whose webhook got lost at the daily check', async () => {
    const ready = await accounts.ready();
    await payments.fault({ point: 'webhook', kind: 'drop', count: 100 });
    await transfer(ready);
    await waitFor('the payout to be paid', async () => {
      const options = { stripeAccount: ready.accountId };
      const { data } = await payments.stripe.payouts.list({}, options);
      return data[0]?.status === 'paid';
    });

    await payments.pool.query(
      'UPDATE payout_accounts SET next_check_at = now() WHERE owner_id = $1',
      [ready.owner.userId],
    );

    await hasSettled(ready, 1);
  });
});
