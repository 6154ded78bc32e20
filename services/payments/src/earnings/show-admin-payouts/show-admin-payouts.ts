import { type AdminPayouts, routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { operatorsAccounts } from '../../domain/ledger.ts';
import { listOperatorMonths, readTotals } from '../../store/ledger-totals-repository.ts';

export const showAdminPayouts = ({ pool }: Deps) =>
  handle(routes.adminPayouts, () =>
    inTransaction(pool, async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const accounts = await readTotals(tx);
      const months = await listOperatorMonths(tx, 24);
      return { balances: balancesOf(accounts), months };
    }),
  );

const balancesOf = (accounts: AdminPayouts['balances']['accounts']): AdminPayouts['balances'] => {
  const stripeCents = Object.values(accounts).reduce((sum, cents) => sum + cents, 0);
  const withdrawableCents = operatorsAccounts.reduce((sum, account) => sum + accounts[account], 0);
  return { stripeCents, othersCents: stripeCents - withdrawableCents, withdrawableCents, accounts };
};
