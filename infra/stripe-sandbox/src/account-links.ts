import { type AccountLink, newId, nowInSeconds } from './objects.ts';
import { asText, type Params } from './payment-methods.ts';
import { invalidRequest, requiredParam } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

const LIFETIME_SECONDS = 300;

export function createAccountLink(tx: Transaction, params: Params, origin: string): object {
  const id = asText(params.account);
  if (!id) throw requiredParam('account');
  const account = tx.account(id);
  if (!params.type) throw requiredParam('type');
  if (params.type !== 'account_onboarding') {
    throw invalidRequest(
      `You cannot create \`${String(params.type)}\` type Account Links for this account. Valid types for this account are ["account_onboarding"].`,
    );
  }
  const created = nowInSeconds();
  const link = buildLink(account.id, 'account_link', `${origin}/setup/e`);
  return show(
    tx.put<AccountLink>({
      ...link,
      expires_at: created + LIFETIME_SECONDS,
      sandbox_refresh_url: checkUrl(params, 'refresh_url'),
      sandbox_return_url: checkUrl(params, 'return_url'),
    }),
  );
}

export function createLoginLink(tx: Transaction, id: string, origin: string): object {
  const account = tx.account(id);
  if (!account.details_submitted) {
    throw invalidRequest(
      'Cannot create a login link for an account that has not completed onboarding.',
    );
  }
  return show(tx.put(buildLink(id, 'login_link', `${origin}/express`)));
}

export function isExpired(link: AccountLink): boolean {
  return link.expires_at !== undefined && link.expires_at < nowInSeconds();
}

function buildLink(account: string, object: AccountLink['object'], at: string): AccountLink {
  const id = newId('').slice(1);
  return {
    id,
    object,
    created: nowInSeconds(),
    url: `${at}/${account}/${id}`,
    sandbox_account: account,
    sandbox_visited: false,
  };
}

function show({ object, created, expires_at, url }: AccountLink): object {
  return { object, created, ...(expires_at && { expires_at }), url };
}

function checkUrl(params: Params, param: string): string {
  const url = asText(params[param]);
  if (!url) throw requiredParam(param);
  if (!URL.canParse(url)) throw invalidRequest('Not a valid URL', { code: 'url_invalid', param });
  return url;
}
