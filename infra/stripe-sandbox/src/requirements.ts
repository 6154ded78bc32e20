import type { Account, CapabilityStatus, Requirements } from './objects.ts';
import { asParams, type Params } from './payment-methods.ts';

const NO_REQUIREMENTS: Requirements = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
};

const BUSINESS = ['business_profile.mcc', 'business_profile.url'];
const TERMS = ['external_account', 'tos_acceptance.date', 'tos_acceptance.ip'];
const UNKNOWN_BUSINESS = ['business_type', 'representative.first_name', 'representative.last_name'];
const INDIVIDUAL = [
  'individual.address.city',
  'individual.address.line1',
  'individual.address.postal_code',
  'individual.address.state',
  'individual.dob.day',
  'individual.dob.month',
  'individual.dob.year',
  'individual.email',
  'individual.first_name',
  'individual.last_name',
  'individual.phone',
  'individual.ssn_last_4',
];

export function noRequirements(): Requirements {
  return structuredClone(NO_REQUIREMENTS);
}

/** What a new account must submit. Fields that the platform has prefilled are not required. */
export function initialRequirements(params: Params): Requirements {
  const person = params.business_type === 'individual' ? INDIVIDUAL : UNKNOWN_BUSINESS;
  const due = [...BUSINESS, ...person, ...TERMS].filter((field) => !isPrefilled(params, field));
  return pastDue(due.sort());
}

function isPrefilled(params: Params, field: string): boolean {
  const value = field.split('.').reduce<unknown>((at, name) => asParams(at)[name], params);
  return value !== undefined && value !== '';
}

export function pastDue(fields: string[]): Requirements {
  return {
    ...noRequirements(),
    currently_due: fields,
    disabled_reason: 'requirements.past_due',
    eventually_due: [...fields],
    past_due: [...fields],
  };
}

/** Fields that must be submitted by the deadline. Until then the account works. */
export function dueBy(fields: string[], deadline: number): Requirements {
  return {
    ...noRequirements(),
    current_deadline: deadline,
    currently_due: fields,
    eventually_due: [...fields],
  };
}

export function failedVerification(): Requirements {
  const requirement = 'individual.verification.document';
  return {
    ...pastDue([requirement]),
    errors: [
      {
        code: 'verification_failed_keyed_identity',
        reason:
          "The person's keyed-in identity information could not be verified. Correct any errors or upload a document that matches the identity fields (e.g., name and date of birth) entered.",
        requirement,
      },
    ],
  };
}

export function pendingVerification(): Requirements {
  return {
    ...noRequirements(),
    disabled_reason: 'requirements.pending_verification',
    pending_verification: ['individual.verification.document'],
  };
}

/** Sets the requirements, and what follows from them: the capabilities, and whether payouts are enabled. */
export function withRequirements(account: Account, requirements: Requirements): Account {
  const status = statusOf(requirements);
  const capabilities = Object.fromEntries(
    Object.keys(account.capabilities).map((name) => [name, status]),
  );
  return {
    ...account,
    capabilities,
    charges_enabled: capabilities.card_payments === 'active',
    payouts_enabled: status === 'active' && account.external_accounts.data.length > 0,
    requirements,
  };
}

function statusOf({ disabled_reason }: Requirements): CapabilityStatus {
  if (disabled_reason === null) return 'active';
  return disabled_reason === 'requirements.pending_verification' ? 'pending' : 'inactive';
}
