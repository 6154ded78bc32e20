import type { Router } from 'express';
import {
  attachMethod,
  createCustomer,
  deleteCustomer,
  detachMethod,
  methodsOf,
} from './customers.ts';
import { listPage } from './list.ts';
import { showMethod } from './payment-methods.ts';
import type { RouteDeps } from './routes.ts';

export function customerRoutes(routes: Router, { execute, guards }: RouteDeps): void {
  const { secret } = guards;
  routes.post(
    '/v1/customers',
    secret,
    execute('customer', ({ tx, params }) => createCustomer(tx, params)),
  );
  routes.get(
    '/v1/customers/:id',
    secret,
    execute('retrieve', ({ tx, id }) => tx.customer(id)),
  );
  routes.delete(
    '/v1/customers/:id',
    secret,
    execute('customer', ({ tx, id }) => deleteCustomer(tx, id)),
  );
  routes.get(
    '/v1/customers/:id/payment_methods',
    secret,
    execute('list', ({ tx, id, params }) => {
      const url = `/v1/customers/${id}/payment_methods`;
      const shown = methodsOf(tx, id)
        .filter((one) => !params.allow_redisplay || one.allow_redisplay === params.allow_redisplay)
        .map((one) => ({ ...showMethod(one), id: one.id, created: one.created }));
      return listPage(shown, { url, params });
    }),
  );
  routes.post(
    '/v1/payment_methods/:id/attach',
    secret,
    execute(null, ({ tx, id, params }) => showMethod(attachMethod(tx, id, params))),
  );
  routes.post(
    '/v1/payment_methods/:id/detach',
    secret,
    execute(null, ({ tx, id }) => showMethod(detachMethod(tx, id))),
  );
}
