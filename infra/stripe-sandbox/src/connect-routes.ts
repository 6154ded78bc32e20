import type { Router } from 'express';
import { createAccountLink, createLoginLink, isExpired } from './account-links.ts';
import {
  clearAccount,
  createAccount,
  type OnboardingOutcome,
  onboard,
  restrictAccount,
  updateAccount,
} from './accounts.ts';
import { expressPage, findLink, onboardingPage } from './connect-pages.ts';
import { expand } from './expand.ts';
import { listPage } from './list.ts';
import type { Payout } from './objects.ts';
import { asText, type Params } from './payment-methods.ts';
import { GOOD_BANK, showPayout } from './payouts.ts';
import type { RouteDeps } from './routes.ts';
import { invalidRequest } from './stripe-error.ts';

export function connectRoutes(routes: Router, { execute, guards, store }: RouteDeps): void {
  const { secret } = guards;
  const at = '/v1/accounts';
  routes.post(
    at,
    secret,
    execute('account', ({ tx, params }) => createAccount(tx, params)),
  );
  routes.get(
    at,
    secret,
    execute('list', ({ params }) => listPage(store.accounts.values(), { url: at, params })),
  );
  routes.get(
    `${at}/:id`,
    secret,
    execute('retrieve', ({ tx, id }) => tx.account(id)),
  );
  routes.post(
    `${at}/:id`,
    secret,
    execute('account', ({ tx, id, params }) => updateAccount(tx, id, params)),
  );
  routes.get(
    '/v1/account',
    secret,
    execute('retrieve', () => platform),
  );
  routes.post(
    '/v1/account_links',
    secret,
    execute('account_link', ({ tx, params, origin }) => createAccountLink(tx, params, origin)),
  );
  routes.post(
    `${at}/:id/login_links`,
    secret,
    execute('login_link', ({ tx, id, origin }) => createLoginLink(tx, id, origin)),
  );
  routes.post(
    '/sandbox/accounts/:id/restrict',
    secret,
    execute(null, ({ tx, id, params }) => restrictAccount(tx, id, params)),
  );
  routes.post(
    '/sandbox/accounts/:id/clear',
    secret,
    execute(null, ({ tx, id }) => clearAccount(tx, id)),
  );
  payoutRoutes(routes, { execute, guards, store });
  pageRoutes(routes, { execute, store });
}

/** The account that the secret key belongs to. It has no payouts, like one that pays out by hand. */
const platform = {
  id: 'acct_sandbox',
  object: 'account',
  settings: { payouts: { schedule: { interval: 'manual' } } },
};

/** Only connected accounts have payouts, so the lists are empty without the header `Stripe-Account`. */
function payoutRoutes(
  routes: Router,
  { execute, guards, store }: Pick<RouteDeps, 'execute' | 'guards' | 'store'>,
): void {
  const at = '/v1/payouts';
  routes.get(
    at,
    guards.secret,
    execute('list', ({ tx, account, params }) => {
      const payouts = [...store.payouts.values()].filter((one) => one.sandbox_account === account);
      const matching = payouts.filter((one) => matchesPayout(one, params)).map(showPayout);
      return expand(tx, listPage(matching, { url: at, params }), params, account);
    }),
  );
  routes.get(
    `${at}/:id`,
    guards.secret,
    execute('retrieve', ({ tx, id, account, params }) =>
      expand(tx, showPayout(tx.payout(id, account)), params, account),
    ),
  );
}

function matchesPayout(one: Payout, params: Params): boolean {
  const filters = ['destination', 'status'] as const;
  return filters.every((name) => params[name] === undefined || params[name] === one[name]);
}

const OUTCOMES: OnboardingOutcome[] = ['complete', 'pending', 'fail', 'leave'];

/** The pages need no key: only their owner knows the token in their URL. */
function pageRoutes(routes: Router, { execute, store }: Pick<RouteDeps, 'execute' | 'store'>) {
  routes.get('/setup/e/:account/:token', onboardingPage(store));
  routes.get('/express/:account/:token', expressPage(store));
  routes.post('/setup/e/:account/:id', (req, res) =>
    execute(null, ({ tx, id, params }) => {
      const link = findLink(store, id, 'account_link');
      if (!link || (isExpired(link) && !link.sandbox_visited))
        throw invalidRequest('This account link has expired.');
      const outcome = OUTCOMES.find((known) => known === params.outcome);
      if (!outcome) throw invalidRequest(`outcome must be one of ${OUTCOMES.join(', ')}`);
      onboard(tx, link.sandbox_account, { outcome, bank: asText(params.bank) ?? GOOD_BANK });
      return { url: link.sandbox_return_url };
    })(req, res),
  );
}
