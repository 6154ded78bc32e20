import { newId, nowInSeconds, type PaymentMethod } from './objects.ts';
import { invalidRequest, missing, requiredParam } from './stripe-error.ts';
import { cardByName, cardByNumber, cardError, type KnownCard, passesLuhn } from './test-cards.ts';
import type { Transaction } from './transaction.ts';

export type Params = Record<string, unknown>;

export function asParams(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {};
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** @param id an id, or a test name such as pm_card_visa */
export function findMethod(tx: Transaction, id: string): PaymentMethod {
  const made = tx.findMethod(id);
  if (made) return made;
  const known = id.startsWith('pm_card_') ? cardByName(id) : undefined;
  if (!known) throw missing('PaymentMethod', id, 'payment_method');
  return tx.put(buildMethod(known, { month: 12, year: new Date().getUTCFullYear() + 3 }, {}));
}

export function createMethod(tx: Transaction, params: Params): PaymentMethod {
  if (!params.type) throw requiredParam('type');
  if (params.type !== 'card')
    throw invalidRequest('The sandbox supports only cards.', { param: 'type' });
  const card = asParams(params.card);
  return tx.put(buildMethod(...checkCard(card), params));
}

export function showMethod(method: PaymentMethod): object {
  const {
    sandbox_outcome: _outcome,
    sandbox_aftermath: _aftermath,
    sandbox_refund: _refund,
    sandbox_rejects_capture: _rejectsCapture,
    sandbox_bypasses_pending: _bypassesPending,
    sandbox_delays_balance_transaction: _delaysBalanceTransaction,
    sandbox_used_by: _usedBy,
    sandbox_detached: _detached,
    ...shown
  } = method;
  return shown;
}

interface Expiry {
  month: number;
  year: number;
}

function checkCard(card: Params): [KnownCard, Expiry] {
  const number = String(card.number ?? '').replace(/[\s-]/g, '');
  if (!number) throw requiredParam('card[number]');
  if (!passesLuhn(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  const month = Number(card.exp_month);
  const year = Number(card.exp_year) + (Number(card.exp_year) < 100 ? 2000 : 0);
  if (!Number.isInteger(month) || month < 1 || month > 12) {
    throw cardError(
      'invalid_expiry_month',
      "Your card's expiration month is invalid.",
      'exp_month',
    );
  }
  // A card is valid to the end of its month in every time zone, hence the extra day.
  if (!Number.isInteger(year) || Date.UTC(year, month, 2) < Date.now()) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  if (card.cvc !== undefined && !/^\d{3,4}$/.test(String(card.cvc))) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  return [cardByNumber(number), { month, year }];
}

function buildMethod(card: KnownCard, expiry: Expiry, params: Params): PaymentMethod {
  const billing = asParams(params.billing_details);
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: asText(params.allow_redisplay) ?? 'unspecified',
    billing_details: {
      address: {
        city: null,
        country: null,
        line1: null,
        line2: null,
        postal_code: null,
        state: null,
        ...asParams(billing.address),
      },
      email: asText(billing.email),
      name: asText(billing.name),
      phone: asText(billing.phone),
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: expiry.month,
      exp_year: expiry.year,
      fingerprint: `sandbox_${card.brand}_${card.last4}`,
      funding: 'credit',
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowInSeconds(),
    customer: null,
    livemode: false,
    metadata: {},
    type: 'card',
    sandbox_outcome: card.outcome,
    sandbox_aftermath: card.aftermath,
    sandbox_refund: card.refund,
    sandbox_rejects_capture: card.rejectsCapture,
    sandbox_bypasses_pending: card.bypassesPending,
    sandbox_delays_balance_transaction: card.delaysBalanceTransaction,
  } as PaymentMethod;
}
