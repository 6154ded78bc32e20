import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { isExpired } from './account-links.ts';
import type { AccountLink } from './objects.ts';
import type { Store } from './store.ts';

const onboarding = read('onboarding.html');
const express = read('express-dashboard.html');

function read(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

/** Like Stripe, shows the page at the first visit only. Later visits lead to the `refresh_url`. */
export function onboardingPage(store: Store): RequestHandler {
  return async (req, res) => {
    const link = findLink(store, String(req.params.token), 'account_link');
    if (!link) {
      res.status(404).type('text').send('No such account link.');
      return;
    }
    if (link.sandbox_visited || isExpired(link)) {
      res.redirect(String(link.sandbox_refresh_url));
      return;
    }
    await store.commit({ put: [{ ...link, sandbox_visited: true }] });
    res.type('html').send(onboarding);
  };
}

/** Stands in for the Express Dashboard. */
export function expressPage(store: Store): RequestHandler {
  return async (req, res) => {
    const link = findLink(store, String(req.params.token), 'login_link');
    if (!link || link.sandbox_visited) {
      res.status(404).type('text').send('This login link was used already. Request another one.');
      return;
    }
    await store.commit({ put: [{ ...link, sandbox_visited: true }] });
    const account = store.accounts.get(link.sandbox_account);
    const json = JSON.stringify(account).replaceAll('<', '\\u003c');
    res.type('html').send(express.replace('>null<', () => `>${json}<`));
  };
}

export function findLink(
  store: Store,
  token: string,
  object: AccountLink['object'],
): AccountLink | undefined {
  const link = store.accountLinks.get(token);
  return link?.object === object ? link : undefined;
}
