import { randomBytes } from 'node:crypto';

/** The Stripe API version whose object shapes the sandbox returns. */
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
  customer: null;
  metadata: Metadata;
  billing_details: { address: object | null; email: string | null; name: string | null };
  card: {
    brand: string;
    last4: string;
    exp_month: number;
    exp_year: number;
    [key: string]: unknown;
  };
  /** The test card's behavior when it is charged and refunded. Internal: replies omit these fields. */
  sandbox_outcome?: string;
  sandbox_aftermath?: string | undefined;
  sandbox_refund?: [first: RefundStatus, later: RefundStatus] | undefined;
  sandbox_refuses_capture?: boolean | undefined;
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
  status: IntentStatus;
  [key: string]: unknown;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  created: number;
  currency: string;
  metadata: Metadata;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  refunded: boolean;
  status: 'succeeded' | 'failed';
  [key: string]: unknown;
}

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  metadata: Metadata;
  payment_intent: string;
  reason: string | null;
  status: RefundStatus;
  [key: string]: unknown;
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  balance_transactions: object[];
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
  /** True while the charge is not disputed and not fully refunded. */
  actionable: boolean;
  charge: string;
  created: number;
  fraud_type: string;
  livemode: false;
  payment_intent: string;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object };
  livemode: false;
  pending_webhooks: number;
  /** The id is null if no request caused the event. */
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

export type StripeObject =
  | PaymentMethod
  | PaymentIntent
  | Charge
  | Refund
  | Dispute
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
