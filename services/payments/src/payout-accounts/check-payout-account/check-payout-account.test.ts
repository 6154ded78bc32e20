import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runTasksNow } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { payoutAccounts } from '../../../test/payout-accounts.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  accounts = payoutAccounts(payments);
});
afterAll(() => payments.stop());

const checkNow = (owner: { userId: string }) =>
  payments.pool.query('UPDATE payout_accounts SET next_check_at = now() WHERE owner_id = $1', [
    owner.userId,
  ]);
const isTomorrow = (at: Date) => at.getTime() > Date.now() + 23 * 3_600_000;

describe('check-payout-account', () => {
  it('finds a change whose webhook got lost, and checks again a day later', async () => {
    const owner = await payments.signIn();
    await accounts.onboard(owner);

    await checkNow(owner);

    await waitFor('the account', async () => (await accounts.row(owner)).state === 'ready');
    expect(isTomorrow((await accounts.row(owner)).next_check_at)).toBe(true);
    await waitFor(
      'the event',
      () => accounts.published('PayoutAccountChanged', owner).length === 2,
    );
  });

  it('is retried after an outage of Stripe', async () => {
    const owner = await payments.signIn();
    await accounts.onboard(owner);
    await payments.fault({ point: 'retrieve', kind: 'error-500-before-effect', count: 3 });

    await checkNow(owner);

    await waitFor('the failure', async () => (await payments.faultsLeft()) === 0);
    await waitFor('the account', async () => {
      await runTasksNow(payments.pool);
      return (await accounts.row(owner)).state === 'ready';
    });
  });

  it('reads no account before its time', async () => {
    const owner = await payments.signIn();
    await accounts.onboard(owner);
    const { next_check_at: nextAt } = await accounts.row(owner);

    await runTasksNow(payments.pool);
    await waitFor('the task', async () => {
      const { rows } = await payments.pool.query(
        `SELECT run_at FROM graphile_worker.jobs WHERE key = 'check-payout-account:' || $1`,
        [owner.userId],
      );
      return +(rows[0]?.run_at ?? 0) === +nextAt;
    });

    expect(await accounts.row(owner)).toMatchObject({ state: 'incomplete' });
  });
});
