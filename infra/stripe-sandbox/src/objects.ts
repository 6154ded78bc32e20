import { randomBytes } from 'node:crypto';

export const API_VERSION = '2026-10-28.endive';

export type Metadata = Record<string, string>;

export interface StripeErrorBody {
  type: string;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: object;
  payment_method?: object;
}

export interface PaymentMethod {
  id: string;
  object: 'payment_method';
  created: number;
  livemode: false;
  type: 'card';
  customer: string | null;
  allow_redisplay: string;
  metadata: Metadata;
  billing_details: { address: object | null; email: string | null; name: string | null };
  card: {
    brand: string;
    last4: string;
    exp_month: number;
    exp_year: number;
    [key: string]: unknown;
  };
  /** How the test card behaves when it is charged and refunded. Replies omit these fields. */
  sandbox_outcome?: string;
  sandbox_aftermath?: string | undefined;
  sandbox_refund?: [first: RefundStatus, later: RefundStatus] | undefined;
  sandbox_rejects_capture?: boolean | undefined;
  sandbox_bypasses_pending?: boolean | undefined;
  sandbox_delays_balance_transaction?: boolean | undefined;
  /** The only intent that may use it again, unless it is attached to a customer. */
  sandbox_used_by?: string;
  /** Whether it was detached from a customer, after which no payment can use it. */
  sandbox_detached?: boolean;
}

export interface Customer {
  id: string;
  object: 'customer';
  created: number;
  email: string | null;
  livemode: false;
  metadata: Metadata;
  name: string | null;
  /** Replies to a deleted customer are 404. */
  sandbox_deleted?: boolean;
}

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_capturable: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: 'automatic' | 'manual';
  client_secret: string;
  created: number;
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: StripeErrorBody | null;
  latest_charge: string | null;
  livemode: false;
  metadata: Metadata;
  next_action: object | null;
  payment_method: string | null;
  receipt_email: string | null;
  setup_future_usage: string | null;
  status: IntentStatus;
  transfer_group: string | null;
  [key: string]: unknown;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  /** Null until the charge is captured, and with one test card for a while longer. Charges of old ledgers have none. */
  balance_transaction: string | null;
  created: number;
  currency: string;
  description: string | null;
  metadata: Metadata;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  refunded: boolean;
  status: 'succeeded' | 'failed';
  transfer_group: string | null;
  [key: string]: unknown;
}

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  balance_transaction: string | null;
  charge: string;
  created: number;
  currency: string;
  failure_balance_transaction?: string;
  metadata: Metadata;
  payment_intent: string;
  /** Only of refunds that wait for the balance. */
  pending_reason?: 'insufficient_funds';
  reason: string | null;
  status: RefundStatus;
  [key: string]: unknown;
}

/** A movement of a balance. Replies compute `status`, because it changes once `available_on` is reached. */
export interface BalanceTransaction {
  id: string;
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  balance_type: 'payments';
  created: number;
  currency: string;
  description: string | null;
  exchange_rate: null;
  fee: number;
  fee_details: {
    amount: number;
    application: null;
    currency: string;
    description: string;
    type: 'stripe_fee';
  }[];
  net: number;
  reporting_category: string;
  source: string;
  status: 'available' | 'pending';
  type:
    | 'adjustment'
    | 'charge'
    | 'payment'
    | 'payment_refund'
    | 'payout'
    | 'payout_failure'
    | 'refund'
    | 'refund_failure'
    | 'transfer'
    | 'transfer_refund';
  /** The connected account whose balance moved; missing if it was the platform's. Replies omit it. */
  sandbox_account?: string;
  /** The payout that paid it out. Replies omit it. */
  sandbox_payout?: string;
}

export interface Payout {
  id: string;
  object: 'payout';
  amount: number;
  application_fee: null;
  application_fee_amount: null;
  arrival_date: number;
  automatic: true;
  balance_transaction: string;
  created: number;
  currency: string;
  description: string;
  destination: string;
  failure_balance_transaction: string | null;
  failure_code: string | null;
  failure_message: string | null;
  livemode: false;
  metadata: Metadata;
  method: 'standard';
  original_payout: null;
  payout_method: null;
  reconciliation_status: 'completed';
  reversed_by: null;
  source_type: 'card';
  statement_descriptor: null;
  status: 'pending' | 'paid' | 'failed';
  trace_id: null;
  type: 'bank_account';
  /** The connected account that is paid out. Replies omit it. */
  sandbox_account: string;
}

export interface Transfer {
  id: string;
  object: 'transfer';
  amount: number;
  amount_reversed: number;
  balance_transaction: string;
  created: number;
  currency: string;
  description: string | null;
  destination: string;
  destination_payment: string;
  livemode: false;
  metadata: Metadata;
  reversals: {
    object: 'list';
    data: TransferReversal[];
    has_more: boolean;
    total_count: number;
    url: string;
  };
  reversed: boolean;
  source_transaction: string | null;
  source_type: 'card';
  transfer_group: string | null;
}

export interface TransferReversal {
  id: string;
  object: 'transfer_reversal';
  amount: number;
  balance_transaction: string;
  created: number;
  currency: string;
  destination_payment_refund: string;
  metadata: Metadata;
  source_refund: null;
  transfer: string;
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string;
  created: number;
  currency: string;
  evidence_details: {
    due_by: number;
    enhanced_eligibility: object;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
    submission_method: 'manual' | 'not_submitted';
  };
  payment_intent: string;
  reason: string;
  status:
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost';
  [key: string]: unknown;
}

export interface EarlyFraudWarning {
  id: string;
  object: 'radar.early_fraud_warning';
  actionable: boolean;
  charge: string;
  created: number;
  fraud_type: string;
  livemode: false;
  payment_intent: string;
}

export type CapabilityStatus = 'active' | 'inactive' | 'pending';

export interface Requirements {
  alternatives: [];
  current_deadline: number | null;
  currently_due: string[];
  disabled_reason: 'requirements.past_due' | 'requirements.pending_verification' | null;
  errors: { code: string; reason: string; requirement: string }[];
  eventually_due: string[];
  past_due: string[];
  pending_verification: string[];
}

export interface BankAccount {
  id: string;
  object: 'bank_account';
  account: string;
  last4: string;
  status: 'new' | 'errored';
  [key: string]: unknown;
}

export interface Account {
  id: string;
  object: 'account';
  capabilities: Record<string, CapabilityStatus>;
  charges_enabled: boolean;
  created: number;
  default_currency: string;
  details_submitted: boolean;
  email: string | null;
  external_accounts: { data: BankAccount[]; total_count: number; [key: string]: unknown };
  metadata: Metadata;
  payouts_enabled: boolean;
  requirements: Requirements;
  [key: string]: unknown;
}

/** Replies omit its `id`, which is the secret part of its URL, and the fields below `url`. */
export interface AccountLink {
  id: string;
  object: 'account_link' | 'login_link';
  created: number;
  expires_at?: number;
  url: string;
  sandbox_account: string;
  sandbox_refresh_url?: string;
  sandbox_return_url?: string;
  sandbox_visited: boolean;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  /** The connected account that the event is about; missing if it is about the platform. */
  account?: string;
  api_version: string;
  created: number;
  data: { object: object };
  livemode: false;
  pending_webhooks: number;
  /** Null if no request caused the event. */
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

export type StripeObject =
  | Customer
  | PaymentMethod
  | PaymentIntent
  | Charge
  | Refund
  | BalanceTransaction
  | Dispute
  | Transfer
  | TransferReversal
  | Payout
  | Account
  | AccountLink
  | EarlyFraudWarning
  | StripeEvent;

export function newId(prefix: string): string {
  const text = randomBytes(32)
    .toString('base64')
    .replace(/[^a-zA-Z0-9]/g, '');
  return `${prefix}_${text.slice(0, 24)}`;
}

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
