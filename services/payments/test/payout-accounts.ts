import { waitFor } from '@lendtools/testing';
import type { TestPayments } from './payments-service.ts';

interface Owner {
  userId: string;
  token: string;
}

/** Calls and rows of one owner's account. */
export const payoutAccounts = (payments: TestPayments) => {
  const at = ({ userId }: Owner) => `/api/user/${userId}/payout-account`;
  const accounts = {
    view: async (owner: Owner) => (await payments.api.get(at(owner), { token: owner.token })).body,
    link: (owner: Owner, api = payments.api) =>
      api.post(`${at(owner)}/link`, { token: owner.token }),
    async row({ userId }: Owner) {
      const { rows } = await payments.pool.query(
        'SELECT * FROM payout_accounts WHERE owner_id = $1',
        [userId],
      );
      return rows[0];
    },
    async onboard(owner: Owner, outcome = 'complete', bank?: string): Promise<string> {
      const { body } = await accounts.link(owner);
      await payments.onboard(body.url, outcome, bank);
      return (await accounts.row(owner)).account_id;
    },
    /** An owner whose account is ready, here as at Stripe. */
    async ready(bank?: string) {
      const owner = await payments.signIn();
      const accountId = await accounts.onboard(owner, 'complete', bank);
      await waitFor('the account', async () => {
        // Makes the stored status stale, so that it is read again.
        await payments.pool.query('UPDATE payout_accounts SET read_at = NULL WHERE owner_id = $1', [
          owner.userId,
        ]);
        return (await accounts.view(owner)).state === 'ready';
      });
      return { owner, accountId };
    },
    atStripe: async ({ userId }: Owner) =>
      (await payments.ledger()).accounts.filter(({ metadata }) => metadata.ownerId === userId),
    published: (type: string, { userId }: Owner) =>
      payments.broker.received.filter(
        (event) => event.type === type && (event.data as { ownerId?: string }).ownerId === userId,
      ),
  };
  return accounts;
};
