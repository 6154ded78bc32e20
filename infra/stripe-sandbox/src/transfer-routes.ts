import type { Router } from 'express';
import { expand } from './expand.ts';
import { listPage } from './list.ts';
import type { Transfer } from './objects.ts';
import type { Params } from './payment-methods.ts';
import type { RouteDeps } from './routes.ts';
import { missing } from './stripe-error.ts';
import { reverseTransfer } from './transfer-reversals.ts';
import { createTransfer, updateTransfer } from './transfers.ts';

const at = '/v1/transfers';

export function transferRoutes(routes: Router, deps: RouteDeps): void {
  const { execute, guards, store } = deps;
  const { secret } = guards;
  routes.post(
    at,
    secret,
    execute('transfer', ({ tx, params }) => expand(tx, createTransfer(tx, params), params)),
  );
  routes.get(
    at,
    secret,
    execute('list', ({ tx, params }) => {
      const matches = (one: Transfer) => matchesTransfer(one, params);
      return expand(tx, listPage(store.transfers.values(), { url: at, params, matches }), params);
    }),
  );
  routes.get(
    `${at}/:id`,
    secret,
    execute('retrieve', ({ tx, id, params }) => expand(tx, tx.transfer(id), params)),
  );
  routes.post(
    `${at}/:id`,
    secret,
    execute('transfer', ({ tx, id, params }) => expand(tx, updateTransfer(tx, id, params), params)),
  );
  reversalRoutes(routes, deps);
}

function reversalRoutes(routes: Router, { execute, guards, store }: RouteDeps): void {
  const { secret } = guards;
  routes.post(
    `${at}/:id/reversals`,
    secret,
    execute('reversal', ({ tx, id, params }) =>
      expand(tx, reverseTransfer(tx, id, params), params),
    ),
  );
  routes.get(
    `${at}/:id/reversals`,
    secret,
    execute('list', ({ tx, id, params }) => {
      const { url } = tx.transfer(id).reversals;
      return listPage(store.reversals.values(), {
        url,
        params,
        matches: (one) => one.transfer === id,
      });
    }),
  );
  routes.get(`${at}/:id/reversals/:reversal`, secret, (req, res) =>
    execute('retrieve', ({ tx, id, params }) => {
      const reversal = tx.reversal(String(req.params.reversal));
      if (reversal.transfer !== id) throw missing('transfer_reversal', reversal.id, 'id');
      return expand(tx, reversal, params);
    })(req, res),
  );
}

function matchesTransfer(one: Transfer, params: Params): boolean {
  const filters = ['destination', 'transfer_group'] as const;
  return filters.every((name) => params[name] === undefined || params[name] === one[name]);
}
