import { type Account, type BankAccount, type Metadata, newId, nowInSeconds } from './objects.ts';
import { asParams, asText, type Params } from './payment-methods.ts';
import {
  dueBy,
  failedVerification,
  initialRequirements,
  noRequirements,
  pastDue,
  pendingVerification,
  withRequirements,
} from './requirements.ts';
import { invalidRequest } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

/** The only configuration that the sandbox supports, which Stripe calls Express. */
const CONTROLLER = {
  fees: { payer: 'application' },
  is_controller: true,
  losses: { payments: 'application' },
  requirement_collection: 'stripe',
  stripe_dashboard: { type: 'express' },
  type: 'application',
};

export function createAccount(tx: Transaction, params: Params): Account {
  checkController(asParams(params.controller));
  const country = asText(params.country) ?? 'US';
  if (country !== 'US')
    throw invalidRequest('The sandbox supports only accounts in the US.', { param: 'country' });
  const id = newId('acct');
  const account: Account = {
    id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      name: null,
      product_description: null,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
      ...asParams(params.business_profile),
    },
    business_type: asText(params.business_type),
    capabilities: requestedCapabilities(params),
    charges_enabled: false,
    controller: CONTROLLER,
    country,
    created: nowInSeconds(),
    default_currency: 'usd',
    details_submitted: false,
    email: asText(params.email),
    external_accounts: listAt(`/v1/accounts/${id}/external_accounts`),
    future_requirements: noRequirements(),
    login_links: listAt(`/v1/accounts/${id}/login_links`),
    metadata: asParams(params.metadata) as Metadata,
    payouts_enabled: false,
    requirements: noRequirements(),
    settings: {
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: 'daily' },
        statement_descriptor: null,
      },
    },
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'none',
  };
  return tx.put(withRequirements(account, initialRequirements(params)));
}

export function updateAccount(tx: Transaction, id: string, params: Params): Account {
  const account = tx.account(id);
  const requested = { ...requestedCapabilities(params), ...account.capabilities };
  const updated = {
    ...account,
    capabilities: requested,
    email: asText(params.email) ?? account.email,
    metadata: { ...account.metadata, ...(asParams(params.metadata) as Metadata) },
  };
  return changed(tx, withRequirements(updated, account.requirements));
}

export type OnboardingOutcome = 'complete' | 'pending' | 'fail' | 'leave';

/**
 * Submits the account's details with the account number of a bank, and verifies them as the outcome says. `leave` submits nothing.
 */
export function onboard(
  tx: Transaction,
  id: string,
  { outcome, bank }: { outcome: OnboardingOutcome; bank: string },
): Account {
  const account = tx.account(id);
  if (outcome === 'leave') return account;
  const banks = {
    ...account.external_accounts,
    data: [buildBankAccount(id, bank)],
    total_count: 1,
  };
  const submitted = { ...account, details_submitted: true, external_accounts: banks };
  const requirements = {
    complete: noRequirements,
    pending: pendingVerification,
    fail: failedVerification,
  }[outcome]();
  return changed(tx, withRequirements(submitted, requirements));
}

/** Makes a document due by `current_deadline`, or past due without a deadline, which disables the account. */
export function restrictAccount(tx: Transaction, id: string, params: Params): Account {
  const account = findSubmitted(tx, id);
  const fields = ['individual.verification.document'];
  const deadline = Number(params.current_deadline ?? 0);
  const requirements = deadline > nowInSeconds() ? dueBy(fields, deadline) : pastDue(fields);
  return changed(tx, withRequirements(account, requirements));
}

export function clearAccount(tx: Transaction, id: string): Account {
  return changed(tx, withRequirements(findSubmitted(tx, id), noRequirements()));
}

function findSubmitted(tx: Transaction, id: string): Account {
  const account = tx.account(id);
  if (!account.details_submitted)
    throw invalidRequest(`Account ${id} has not completed onboarding.`);
  return account;
}

function changed(tx: Transaction, account: Account): Account {
  tx.emit('account.updated', tx.put(account), account.id);
  return account;
}

function requestedCapabilities(params: Params): Account['capabilities'] {
  const requested = Object.entries(asParams(params.capabilities))
    .filter(([, capability]) => String(asParams(capability).requested) === 'true')
    .map(([name]) => [name, 'inactive'] as const);
  return Object.fromEntries(requested);
}

function checkController(params: Params): void {
  const wanted = {
    'fees.payer': asParams(params.fees).payer,
    'losses.payments': asParams(params.losses).payments,
    requirement_collection: params.requirement_collection ?? 'stripe',
    'stripe_dashboard.type': asParams(params.stripe_dashboard).type,
  };
  const supported = ['application', 'application', 'stripe', 'express'];
  if (Object.values(wanted).every((value, index) => value === supported[index])) return;
  const names = Object.keys(wanted).map((name, index) => `${name}=${supported[index]}`);
  throw invalidRequest(`The sandbox supports only the controller ${names.join(', ')}.`, {
    param: 'controller',
  });
}

function buildBankAccount(account: string, number: string): BankAccount {
  const last4 = number.slice(-4);
  return {
    id: newId('ba'),
    object: 'bank_account',
    account,
    account_holder_name: null,
    account_holder_type: null,
    account_type: null,
    available_payout_methods: ['standard'],
    bank_name: 'STRIPE TEST BANK',
    country: 'US',
    currency: 'usd',
    default_for_currency: true,
    fingerprint: `sandbox_bank_${last4}`,
    last4,
    metadata: {},
    routing_number: '110000000',
    status: 'new',
  };
}

function listAt(url: string) {
  return { object: 'list', data: [], has_more: false, total_count: 0, url };
}
