import { type RequestHandler, Router } from 'express';
import { isPublishable, type Keys } from './authenticate.ts';
import { balanceRoutes } from './balance-routes.ts';
import { connectRoutes } from './connect-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import { dashboardPage } from './dashboard-page.ts';
import { acceptDispute, answerDispute, closeDispute, openDispute } from './disputes.ts';
import type { Call, createExecutor } from './execute.ts';
import { expand } from './expand.ts';
import type { FaultPoint, Faults } from './faults.ts';
import { issueWarning } from './fraud-warnings.ts';
import { listPage } from './list.ts';
import type { PaymentIntent } from './objects.ts';
import {
  authenticateIntent,
  cancelIntent,
  captureIntent,
  confirmIntent,
  createIntent,
  expireIntent,
  updateIntent,
} from './payment-intents.ts';
import {
  asParams,
  asText,
  createMethod,
  findMethod,
  type Params,
  showMethod,
} from './payment-methods.ts';
import { createRefund } from './refunds.ts';
import type { Store } from './store.ts';
import { invalidRequest, missing } from './stripe-error.ts';
import { transferRoutes } from './transfer-routes.ts';
import type { Webhooks } from './webhooks.ts';

export interface RouteDeps {
  execute: ReturnType<typeof createExecutor>;
  keys: Keys;
  store: Store;
  faults: Faults;
  webhooks: Pick<Webhooks, 'endpoint' | 'signWith'>;
  guards: { secret: RequestHandler; any: RequestHandler; intent: RequestHandler };
}

export function apiRoutes(deps: RouteDeps): Router {
  const { execute, guards, store } = deps;
  const { any, intent, secret } = guards;
  const at = '/v1/payment_intents';
  const routes = Router();
  routes.use(rejectUnsupportedAccountHeader);

  /** A browser gets only some fields of an intent; the server gets all, and may use `expand`. */
  const onIntent =
    (point: FaultPoint | null, act: (call: Call) => PaymentIntent): RequestHandler =>
    (req, res) =>
      execute(point, (call) => {
        const result = act(call);
        return isPublishable(req, deps.keys)
          ? publicIntent(result)
          : expand(call.tx, result, call.params);
      })(req, res);

  routes.post(
    at,
    secret,
    onIntent('create', ({ tx, params }) => createIntent(tx, params)),
  );
  routes.get(
    at,
    secret,
    execute('list', ({ params }) => listPage(store.intents.values(), { url: at, params })),
  );
  routes.get(
    `${at}/:id`,
    intent,
    onIntent('retrieve', ({ tx, id }) => tx.intent(id)),
  );
  routes.post(
    `${at}/:id`,
    secret,
    onIntent(null, ({ tx, id, params }) => updateIntent(tx, id, params)),
  );
  routes.post(
    `${at}/:id/confirm`,
    intent,
    onIntent('confirm', ({ tx, id, params }) => confirmIntent(tx, id, params)),
  );
  routes.post(
    `${at}/:id/capture`,
    secret,
    onIntent('capture', ({ tx, id, params }) => captureIntent(tx, id, params)),
  );
  routes.post(
    `${at}/:id/cancel`,
    secret,
    onIntent('cancel', ({ tx, id, params }) => cancelIntent(tx, id, params)),
  );
  routes.post(
    '/sandbox/payment_intents/:id/expire',
    secret,
    onIntent(null, ({ tx, id }) => expireIntent(tx, id)),
  );
  routes.post(
    `/sandbox/payment_intents/:id/authenticate`,
    intent,
    onIntent(null, ({ tx, id, params }) =>
      authenticateIntent(tx, id, params.outcome === 'complete'),
    ),
  );

  routes.post(
    '/v1/payment_methods',
    any,
    execute(null, ({ tx, params }) => showMethod(createMethod(tx, params))),
  );
  routes.get(
    '/v1/payment_methods/:id',
    secret,
    execute(null, ({ tx, id }) => showMethod(findMethod(tx, id))),
  );
  customerRoutes(routes, deps);
  refundRoutes(routes, deps);
  disputeRoutes(routes, deps);
  balanceRoutes(routes, deps);
  connectRoutes(routes, deps);
  transferRoutes(routes, deps);
  controlRoutes(routes, deps);
  return routes;
}

function refundRoutes(routes: Router, { execute, guards, store, webhooks }: RouteDeps): void {
  const { secret } = guards;
  routes.post(
    '/v1/refunds',
    secret,
    execute('refund', ({ tx, params }) => expand(tx, createRefund(tx, params), params)),
  );
  routes.get(
    '/v1/refunds',
    secret,
    execute('list', ({ params }) =>
      listPage(store.refunds.values(), {
        url: '/v1/refunds',
        params,
        matches: (one) => belongs(one, params),
      }),
    ),
  );
  routes.get(
    '/v1/refunds/:id',
    secret,
    execute('retrieve', ({ tx, id, params }) => expand(tx, tx.refund(id), params)),
  );
  routes.get(
    '/v1/charges',
    secret,
    execute('list', ({ params }) =>
      listPage(store.charges.values(), {
        url: '/v1/charges',
        params,
        matches: (one) => belongs(one, params),
      }),
    ),
  );
  routes.get(
    '/v1/charges/:id',
    secret,
    execute('retrieve', ({ tx, id, params }) => expand(tx, tx.charge(id), params)),
  );
  routes.get(
    '/v1/webhook_endpoints',
    secret,
    execute('list', ({ params }) =>
      listPage(endpointsOf(webhooks), { url: '/v1/webhook_endpoints', params }),
    ),
  );
  routes.get(
    '/v1/events',
    secret,
    execute('list', ({ account, params }) =>
      listPage(store.events.values(), {
        url: '/v1/events',
        params,
        matches: (one) => one.account === account && isOfType(one, params),
      }),
    ),
  );
  routes.get(
    '/v1/events/:id',
    secret,
    execute('retrieve', ({ account, id }) => {
      const event = store.events.get(id);
      if (event?.account !== account || !event) throw missing('event', id, 'id');
      return event;
    }),
  );
}

function disputeRoutes(routes: Router, { execute, guards, store }: RouteDeps): void {
  const { secret } = guards;
  routes.get(
    '/v1/disputes',
    secret,
    execute('list', ({ params }) =>
      listPage(store.disputes.values(), {
        url: '/v1/disputes',
        params,
        matches: (one) => belongs(one, params),
      }),
    ),
  );
  routes.get(
    '/v1/disputes/:id',
    secret,
    execute('retrieve', ({ tx, id, params }) => expand(tx, tx.dispute(id), params)),
  );
  routes.post(
    '/v1/disputes/:id/close',
    secret,
    execute(null, ({ tx, id }) => acceptDispute(tx, id)),
  );
  routes.get(
    '/v1/radar/early_fraud_warnings',
    secret,
    execute('list', ({ params }) =>
      listPage(store.warnings.values(), {
        url: '/v1/radar/early_fraud_warnings',
        params,
        matches: (one) => belongs(one, params),
      }),
    ),
  );
  routes.get(
    '/v1/radar/early_fraud_warnings/:id',
    secret,
    execute('retrieve', ({ tx, id, params }) => expand(tx, tx.warning(id), params)),
  );
  routes.post(
    '/sandbox/fraud_warnings',
    secret,
    execute(null, ({ tx, params }) => issueWarning(tx, params)),
  );
  routes.post(
    '/sandbox/disputes',
    secret,
    execute(null, ({ tx, params }) => openDispute(tx, params)),
  );
  routes.post(
    '/sandbox/disputes/:id/answer',
    secret,
    execute(null, ({ tx, id }) => answerDispute(tx, id)),
  );
  routes.post(
    '/sandbox/disputes/:id/close',
    secret,
    execute(null, ({ tx, id, params }) => closeDispute(tx, id, params)),
  );
}

function controlRoutes(routes: Router, { faults, guards, store, webhooks }: RouteDeps): void {
  routes.get('/dashboard', dashboardPage);
  routes.get('/sandbox/ledger', guards.secret, (_req, res) => {
    res.json({
      paymentIntents: [...store.intents.values()],
      charges: [...store.charges.values()],
      refunds: [...store.refunds.values()],
      balanceTransactions: [...store.balanceTransactions.values()],
      customers: [...store.customers.values()],
      disputes: [...store.disputes.values()],
      warnings: [...store.warnings.values()],
      accounts: [...store.accounts.values()],
      transfers: [...store.transfers.values()],
      reversals: [...store.reversals.values()],
      payouts: [...store.payouts.values()],
      events: [...store.events.values()],
      deliveries: store.deliveries,
    });
  });
  routes.post('/sandbox/webhook_secrets', guards.secret, (req, res) => {
    const kind = req.body.connect ? 'connect' : 'account';
    webhooks.signWith(req.body.secrets.map(String), kind);
    res.json({});
  });
  routes.post('/sandbox/balance', guards.secret, (req, res) => {
    store.settings.refundsWait = String(req.body.refunds_wait) === 'true';
    res.json({ refunds_wait: store.settings.refundsWait });
  });
  routes
    .route('/sandbox/faults')
    .all(guards.secret)
    .get((_req, res) => void res.json({ faults: faults.list() }))
    .post((req, res) => void res.status(201).json(faults.add(req.body ?? {})))
    .delete((_req, res) => {
      faults.clear();
      res.sendStatus(204);
    });
}

/** Ignoring the header elsewhere would run the call on the platform's account. */
const rejectUnsupportedAccountHeader: RequestHandler = (req, _res, next) => {
  const isSupported =
    req.method === 'GET' &&
    /^\/v1\/(balance|balance_transactions|events|payouts)(\/|$)/.test(req.path);
  if (!req.get('stripe-account') || isSupported) next();
  else throw invalidRequest('The sandbox does not support Stripe-Account for this call.');
};

function isOfType({ type }: { type: string }, params: Params): boolean {
  const wanted = [params.type, ...Object.values(asParams(params.types))].filter(Boolean);
  return wanted.length === 0 || wanted.includes(type);
}

function belongs(one: { payment_intent: string; charge?: string }, params: Params): boolean {
  const intent = asText(params.payment_intent);
  const charge = asText(params.charge);
  return (!intent || one.payment_intent === intent) && (!charge || one.charge === charge);
}

function publicIntent(intent: PaymentIntent): object {
  const { amount_received, customer, metadata, latest_charge, transfer_group, ...shown } = intent;
  return shown;
}

function endpointsOf(webhooks: RouteDeps['webhooks']) {
  return (['account', 'connect'] as const)
    .map((kind) => ({ kind, url: webhooks.endpoint(kind) }))
    .filter(({ url }) => url !== undefined)
    .map(({ kind, url }) => ({
      id: kind === 'connect' ? 'we_sandbox_connect' : 'we_sandbox',
      object: 'webhook_endpoint',
      application: kind === 'connect' ? 'ca_sandbox' : null,
      created: 0,
      livemode: false,
      url,
      status: 'enabled',
      enabled_events: ['*'],
      api_version: null,
      metadata: {},
    }));
}
