import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { payoutAccounts } from '../../../test/payout-accounts.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments();
  accounts = payoutAccounts(payments);
});
afterAll(() => payments.stop());

const notStarted = {
  state: 'not-started',
  needsInformation: false,
  isInReview: false,
  neededBy: null,
  isHeld: false,
};
const forgetReading = (owner: { userId: string }) =>
  payments.pool.query('UPDATE payout_accounts SET read_at = NULL WHERE owner_id = $1', [
    owner.userId,
  ]);

describe('GET /api/user/:userId/payout-account', () => {
  it('is not started until the owner opens the onboarding, and stores nothing', async () => {
    const owner = await payments.signIn();

    expect(await accounts.view(owner)).toEqual(notStarted);
    expect(await accounts.row(owner)).toBeUndefined();
  });

  it.each([
    ['leave', { state: 'incomplete' }],
    ['pending', { state: 'incomplete', isInReview: true }],
    ['fail', { state: 'incomplete', needsInformation: true }],
    ['complete', { state: 'ready' }],
  ])(
    'reads the account again after the onboarding ended with %s, although no webhook came',
    async (outcome, status) => {
      const owner = await payments.signIn();
      await accounts.onboard(owner, outcome);
      await forgetReading(owner);

      expect(await accounts.view(owner)).toEqual({ ...notStarted, ...status });
    },
  );

  it('shows until when a ready account needs more information', async () => {
    const { owner, accountId } = await accounts.ready();
    const deadline = Math.floor(Date.now() / 1_000) + 86_400;
    await payments.restrict(accountId, deadline);
    await forgetReading(owner);

    expect(await accounts.view(owner)).toMatchObject({
      state: 'ready',
      needsInformation: true,
      neededBy: new Date(deadline * 1_000).toISOString(),
    });
  });

  it('is not started again once Stripe denies access, and ready once it grants access again', async () => {
    const { owner, accountId } = await accounts.ready();
    const move = (id: string) =>
      payments.pool.query(
        'UPDATE payout_accounts SET account_id = $2, read_at = NULL WHERE owner_id = $1',
        [owner.userId, id],
      );

    await move('acct_denied');
    const denied = await accounts.view(owner);
    await move(accountId);
    const granted = await accounts.view(owner);

    expect(denied).toEqual(notStarted);
    expect(granted).toMatchObject({ state: 'ready' });
  });

  it('shows the stored status while Stripe is unavailable', async () => {
    const owner = await payments.signIn();
    await accounts.onboard(owner);
    await forgetReading(owner);
    await payments.fault({ point: 'retrieve', kind: 'error-500-before-effect', count: 1 });

    const during = await accounts.view(owner);
    const after = await accounts.view(owner);

    expect([during.state, after.state]).toEqual(['incomplete', 'ready']);
  });

  it('is visible to the owner and admins only', async () => {
    const [owner, other] = [await payments.signIn(), await payments.signIn()];
    const path = `/api/user/${owner.userId}/payout-account`;

    const replies = await Promise.all([
      payments.api.get(path, { token: await payments.accounts.sign({ role: 'Admin' }) }),
      payments.api.get(path, { token: other.token }),
      payments.api.get(path),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([200, 403, 401]);
  });
});
