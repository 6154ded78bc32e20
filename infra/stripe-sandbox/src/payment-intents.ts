import { recordCapture } from './balance-transactions.ts';
import { openDispute } from './disputes.ts';
import { issueWarning } from './fraud-warnings.ts';
import {
  type Charge,
  type IntentStatus,
  type Metadata,
  newId,
  nowInSeconds,
  type PaymentIntent,
  type PaymentMethod,
} from './objects.ts';
import {
  asParams,
  asText,
  createMethod,
  findMethod,
  type Params,
  showMethod,
} from './payment-methods.ts';
import { invalidRequest, requiredParam, StripeError } from './stripe-error.ts';
import { declineOf, type Outcome } from './test-cards.ts';
import type { Transaction } from './transaction.ts';

const CONFIRMABLE: IntentStatus[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];
const CANCELABLE: IntentStatus[] = [...CONFIRMABLE, 'requires_capture'];

export function createIntent(tx: Transaction, params: Params): PaymentIntent {
  const amount = checkAmount(params.amount);
  const currency = asText(params.currency)?.toLowerCase();
  if (!currency) throw requiredParam('currency');
  const id = newId('pi');
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: checkCaptureMethod(params.capture_method),
    client_secret: `${id}_secret_${newId('').slice(1)}`,
    confirmation_method: 'automatic',
    created: nowInSeconds(),
    currency,
    customer: asText(params.customer),
    description: asText(params.description),
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: asParams(params.metadata) as Metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    processing: null,
    receipt_email: asText(params.receipt_email),
    setup_future_usage: asText(params.setup_future_usage),
    shipping: null,
    statement_descriptor: null,
    status: 'requires_payment_method',
    transfer_group: asText(params.transfer_group),
  };
  tx.put(intent);
  tx.emit('payment_intent.created', intent);
  if (String(params.confirm) === 'true') return confirmed(tx, intent, params);
  const method = chooseMethod(tx, intent, params);
  if (!method) return intent;
  return tx.put({ ...intent, payment_method: method.id, status: 'requires_confirmation' });
}

export function confirmIntent(tx: Transaction, id: string, params: Params): PaymentIntent {
  return confirmed(tx, tx.intent(id), params);
}

export function updateIntent(tx: Transaction, id: string, params: Params): PaymentIntent {
  const intent = tx.intent(id);
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(
      intent,
      `This PaymentIntent could not be updated because it has a status of ${intent.status}.`,
    );
  }
  if (params.customer !== undefined && intent.customer)
    throw unexpectedState(
      intent,
      'You cannot modify `customer` on a PaymentIntent once it already has been set. To fulfill a payment with a different Customer, cancel this PaymentIntent and create a new one.',
    );
  const customer = asText(params.customer);
  if (customer) tx.customer(customer);
  return tx.put({
    ...intent,
    customer: customer ?? intent.customer,
    setup_future_usage:
      params.setup_future_usage === undefined
        ? intent.setup_future_usage
        : asText(params.setup_future_usage),
    amount: params.amount === undefined ? intent.amount : checkAmount(params.amount),
    description: asText(params.description) ?? intent.description,
    metadata: { ...intent.metadata, ...(asParams(params.metadata) as Metadata) },
  });
}

export function cancelIntent(tx: Transaction, id: string, params: Params): PaymentIntent {
  const intent = tx.intent(id);
  if (!CANCELABLE.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_reauthorization, requires_confirmation, requires_action, processing.`,
    );
  }
  return canceled(tx, intent, asText(params.cancellation_reason));
}

/** Captures an amount and releases what remains of the authorization, so no second capture is possible. */
export function captureIntent(tx: Transaction, id: string, params: Params): PaymentIntent {
  const intent = tx.intent(id);
  if (intent.status !== 'requires_capture' || !intent.latest_charge) {
    throw unexpectedState(
      intent,
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
    );
  }
  const { amount_to_capture: requested } = params;
  const amount =
    requested === undefined
      ? intent.amount_capturable
      : checkInteger(requested, 'amount_to_capture');
  if (amount < 1 || amount > intent.amount_capturable) {
    throw invalidRequest(
      'The amount_to_capture must be at least 1 and at most the amount_capturable of the PaymentIntent.',
      { code: 'amount_too_large', param: 'amount_to_capture' },
    );
  }
  const charge = tx.charge(intent.latest_charge);
  if (findMethod(tx, charge.payment_method).sandbox_rejects_capture)
    throw new StripeError(402, { ...declineOf('card_declined'), charge: charge.id });
  const captured = recordCapture(tx, { ...charge, captured: true, amount_captured: amount });
  tx.emit('charge.captured', tx.put(captured));
  return paid(tx, intent, amount);
}

/** Expires an authorization, as Stripe does after a week. */
export function expireIntent(tx: Transaction, id: string): PaymentIntent {
  const intent = tx.intent(id);
  if (intent.status !== 'requires_capture' || !intent.latest_charge) {
    throw unexpectedState(intent, 'This PaymentIntent holds no authorization.');
  }
  tx.emit('charge.expired', tx.charge(intent.latest_charge));
  return canceled(tx, intent, 'expired');
}

function canceled(tx: Transaction, intent: PaymentIntent, reason: string | null): PaymentIntent {
  const ended = tx.put<PaymentIntent>({
    ...intent,
    amount_capturable: 0,
    canceled_at: nowInSeconds(),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  });
  tx.emit('payment_intent.canceled', ended);
  return ended;
}

export function authenticateIntent(tx: Transaction, id: string, passed: boolean): PaymentIntent {
  const intent = tx.intent(id);
  if (intent.status !== 'requires_action' || !intent.payment_method) {
    throw unexpectedState(intent, 'This PaymentIntent does not wait for an authentication.');
  }
  const method = findMethod(tx, intent.payment_method);
  if (passed) return charged(tx, { ...intent, next_action: null }, method);
  const error = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: showMethod(method),
  };
  return failed(tx, { ...intent, next_action: null }, error);
}

function unexpectedState(intent: PaymentIntent, message: string): StripeError {
  return invalidRequest(message, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  });
}

function confirmed(tx: Transaction, intent: PaymentIntent, params: Params): PaymentIntent {
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    );
  }
  if (!CONFIRMABLE.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
    );
  }
  const method = chooseMethod(tx, intent, params);
  if (!method) {
    throw unexpectedState(
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  }
  const started: PaymentIntent = {
    ...intent,
    last_payment_error: null,
    next_action: null,
    payment_method: method.id,
    setup_future_usage: asText(params.setup_future_usage) ?? intent.setup_future_usage,
  };
  if (method.sandbox_outcome !== 'authenticate') return charged(tx, started, method);
  const waiting = tx.put<PaymentIntent>({
    ...started,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_sandbox', source: newId('payatt') },
    },
    status: 'requires_action',
  });
  tx.emit('payment_intent.requires_action', waiting);
  return waiting;
}

function chooseMethod(
  tx: Transaction,
  intent: PaymentIntent,
  params: Params,
): PaymentMethod | null {
  if (params.payment_method_data) return createMethod(tx, asParams(params.payment_method_data));
  const id = asText(params.payment_method) ?? intent.payment_method;
  const method = id ? findMethod(tx, id) : null;
  if (method?.customer && method.customer !== intent.customer)
    throw invalidRequest(
      intent.customer
        ? `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`
        : 'The provided PaymentMethod cannot be used because it is attached to a Customer. Please include the Customer in the `customer` parameter on the PaymentIntent.',
      { param: 'payment_method' },
    );
  const isUsed = method?.sandbox_used_by && method.sandbox_used_by !== intent.id;
  if (!method?.customer && (isUsed || method?.sandbox_detached))
    throw invalidRequest(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
      {},
    );
  return method;
}

function charged(tx: Transaction, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const outcome = method.sandbox_outcome as Outcome;
  const good = outcome === 'succeed' || outcome === 'authenticate';
  const decline = good ? null : declineOf(outcome);
  const built = buildCharge(intent, method, decline);
  const charge = tx.put(built.captured ? recordCapture(tx, built) : built);
  tx.emit(good ? 'charge.succeeded' : 'charge.failed', charge);
  const tried = { ...intent, latest_charge: charge.id };
  if (decline) {
    const error = { ...decline, charge: charge.id, payment_method: showMethod(method) };
    const intentNow = failed(tx, tried, error);
    throw new StripeError(402, { ...error, payment_intent: intentNow }, true);
  }
  const used = tx.put({ ...method, sandbox_used_by: intent.id });
  if (intent.customer && intent.setup_future_usage && !method.customer)
    tx.emit('payment_method.attached', tx.put({ ...used, customer: intent.customer }));
  if (intent.capture_method === 'automatic') return paid(tx, tried, intent.amount);
  const authorized = tx.put<PaymentIntent>({
    ...tried,
    amount_capturable: intent.amount,
    status: 'requires_capture',
  });
  tx.emit('payment_intent.amount_capturable_updated', authorized);
  return authorized;
}

function paid(tx: Transaction, intent: PaymentIntent, amount: number): PaymentIntent {
  const succeeded = tx.put<PaymentIntent>({
    ...intent,
    amount_capturable: 0,
    amount_received: amount,
    status: 'succeeded',
  });
  tx.emit('payment_intent.succeeded', succeeded);
  followUp(tx, succeeded);
  return succeeded;
}

/** Opens the dispute or fraud warning that the test card stands for. */
function followUp(tx: Transaction, { id, latest_charge }: PaymentIntent): void {
  const charge = tx.charge(String(latest_charge));
  const aftermath = findMethod(tx, charge.payment_method).sandbox_aftermath;
  if (!aftermath) return;
  const params = { payment_intent: id };
  if (aftermath === 'early_fraud_warning') issueWarning(tx, params);
  else if (aftermath === 'inquiry') openDispute(tx, { ...params, inquiry: true });
  else openDispute(tx, { ...params, reason: aftermath });
}

function failed(
  tx: Transaction,
  intent: PaymentIntent,
  error: NonNullable<PaymentIntent['last_payment_error']>,
): PaymentIntent {
  const declined = tx.put<PaymentIntent>({
    ...intent,
    last_payment_error: error,
    payment_method: null,
    status: 'requires_payment_method',
  });
  tx.emit('payment_intent.payment_failed', declined);
  return declined;
}

function buildCharge(
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: ReturnType<typeof declineOf> | null,
): Charge {
  const isCaptured = !decline && intent.capture_method === 'automatic';
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: method.billing_details,
    captured: isCaptured,
    created: nowInSeconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    outcome: {
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline?.decline_code ?? null,
      risk_level: 'normal',
      seller_message: decline?.message ?? 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: isCaptured || decline ? method.card : { ...method.card, capture_before: inAWeek() },
      type: 'card',
    },
    receipt_email: intent.receipt_email,
    receipt_url: null,
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
    transfer_group: intent.transfer_group,
  };
}

function checkAmount(value: unknown): number {
  if (value === undefined || value === '') throw requiredParam('amount');
  const amount = checkInteger(value, 'amount');
  if (amount < 50) {
    const message = 'Amount must be at least $0.50 usd';
    throw invalidRequest(message, { code: 'amount_too_small', param: 'amount' });
  }
  if (amount > 99_999_999) {
    const message = 'Amount must be no more than $999,999.99';
    throw invalidRequest(message, { code: 'amount_too_large', param: 'amount' });
  }
  return amount;
}

function checkInteger(value: unknown, param: string): number {
  const number = Number(value);
  if (Number.isInteger(number)) return number;
  throw invalidRequest(`Invalid integer: ${String(value)}`, {
    code: 'parameter_invalid_integer',
    param,
  });
}

function checkCaptureMethod(value: unknown): PaymentIntent['capture_method'] {
  if (value === undefined || value === 'automatic' || value === 'manual')
    return value ?? 'automatic';
  throw invalidRequest('Invalid capture_method: the sandbox supports automatic and manual.', {
    param: 'capture_method',
  });
}

function inAWeek(): number {
  return nowInSeconds() + 7 * 86_400;
}
