import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@lendtools/service-kit';
import { startTestPayments, type TestPayments } from '../../test/payments-service.ts';
import { payoutAccounts } from '../../test/payout-accounts.ts';
import { type Reading, readAccount, settleAccount } from './settle-account.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments();
  accounts = payoutAccounts(payments);
});
afterAll(() => payments.stop());

const settle = (ownerId: string, reading: Reading) =>
  inTransaction(payments.pool, (tx) => settleAccount(tx, ownerId, reading));

describe('settleAccount', () => {
  it('keeps the reply to the later request when an earlier reply is stored after it', async () => {
    const { owner, accountId } = await accounts.ready();
    await payments.restrict(accountId);
    const restricted = await readAccount(payments, accountId);
    await payments.clear(accountId);
    const cleared = await readAccount(payments, accountId);

    await settle(owner.userId, cleared);
    await settle(owner.userId, restricted);

    expect(await accounts.row(owner)).toMatchObject({ state: 'ready', needs_information: false });
  });

  it('ignores another account of the owner, and a denied one, while the stored account works', async () => {
    const { owner, accountId } = await accounts.ready();
    const other = await payments.stripe.accounts.retrieve((await accounts.ready()).accountId);
    const denied = await readAccount(payments, 'acct_denied');

    await settle(owner.userId, { accountId: other.id, account: other, readAt: denied.readAt });
    await settle(owner.userId, denied);

    expect(denied.account).toBeUndefined();
    expect(await accounts.row(owner)).toMatchObject({ state: 'ready', account_id: accountId });
  });
});
