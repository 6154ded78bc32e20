import type { Router } from 'express';
import {
  matchesBalanceTransaction,
  movementsOf,
  paidOutBy,
  showBalance,
  showBalanceTransaction,
} from './balance-transactions.ts';
import { expand } from './expand.ts';
import { listPage } from './list.ts';
import type { RouteDeps } from './routes.ts';

export function balanceRoutes(routes: Router, { execute, guards, store }: RouteDeps): void {
  const { secret } = guards;
  const at = '/v1/balance_transactions';
  routes.get(
    '/v1/balance',
    secret,
    execute('retrieve', ({ account }) => showBalance(store, account)),
  );
  routes.get(
    at,
    secret,
    execute('list', ({ tx, account, params }) => {
      const page = listPage(
        paidOutBy(movementsOf(store, account), params).map(showBalanceTransaction),
        {
          url: at,
          params,
          matches: (one) => matchesBalanceTransaction(one, params),
        },
      );
      return expand(tx, page, params, account);
    }),
  );
  routes.get(
    `${at}/:id`,
    secret,
    execute('retrieve', ({ tx, id, account, params }) =>
      expand(tx, showBalanceTransaction(tx.balanceTransaction(id, account)), params, account),
    ),
  );
}
