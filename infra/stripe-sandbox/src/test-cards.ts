import type { RefundStatus, StripeErrorBody } from './objects.ts';
import { StripeError } from './stripe-error.ts';

/** The outcome `authenticate` requires 3-D Secure first. */
export type Outcome = 'succeed' | 'authenticate' | keyof typeof DECLINES;

/** Codes and messages from Stripe's page on testing. */
const DECLINES = {
  card_declined: ['card_declined', 'generic_decline', 'Your card was declined.'],
  insufficient_funds: ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  lost_card: ['card_declined', 'lost_card', 'Your card was declined.'],
  stolen_card: ['card_declined', 'stolen_card', 'Your card was declined.'],
  fraudulent: ['card_declined', 'fraudulent', 'Your card was declined.'],
  expired_card: ['expired_card', undefined, 'Your card has expired.'],
  incorrect_cvc: ['incorrect_cvc', undefined, "Your card's security code is incorrect."],
  processing_error: [
    'processing_error',
    undefined,
    'An error occurred while processing your card. Try again in a little bit.',
  ],
  live_card: [
    'card_declined',
    'test_mode_live_card',
    'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  ],
} as const satisfies Record<string, readonly [string, string | undefined, string]>;

export type RefundPlan = [first: RefundStatus, later: RefundStatus];

export type Aftermath = 'fraudulent' | 'product_not_received' | 'inquiry' | 'early_fraud_warning';

interface TestCard {
  brand: string;
  outcome: Outcome;
  aftermath?: Aftermath;
  refund?: RefundPlan;
  /** The bank authorizes the charge but declines its capture. */
  rejectsCapture?: boolean;
  /** The money of the charge is available at once. */
  bypassesPending?: boolean;
  /** The charge gets its balance transaction some time after its capture. */
  delaysBalanceTransaction?: boolean;
  names?: string[];
}

/** Only the last four digits of a number are stored. */
const CARDS: Record<string, TestCard> = {
  '4242424242424242': { brand: 'visa', outcome: 'succeed', names: ['visa', 'us'] },
  '4000056655665556': { brand: 'visa', outcome: 'succeed', names: ['visa_debit'] },
  '5555555555554444': { brand: 'mastercard', outcome: 'succeed', names: ['mastercard'] },
  '2223003122003222': { brand: 'mastercard', outcome: 'succeed' },
  '378282246310005': { brand: 'amex', outcome: 'succeed', names: ['amex'] },
  '6011111111111117': { brand: 'discover', outcome: 'succeed', names: ['discover'] },
  '3056930009020004': { brand: 'diners', outcome: 'succeed', names: ['diners'] },
  '3566002020360505': { brand: 'jcb', outcome: 'succeed', names: ['jcb'] },
  '6200000000000005': { brand: 'unionpay', outcome: 'succeed', names: ['unionpay'] },
  '4000000000000077': {
    brand: 'visa',
    outcome: 'succeed',
    bypassesPending: true,
    names: ['bypassPending', 'bypassPendingInternational'],
  },
  '4000000000007726': {
    brand: 'visa',
    outcome: 'succeed',
    refund: ['pending', 'succeeded'],
    names: ['pendingRefund'],
  },
  '4000000000005126': {
    brand: 'visa',
    outcome: 'succeed',
    refund: ['succeeded', 'failed'],
    names: ['refundFail'],
  },
  // Stripe has no such card. Its refund is pending, then fails, as most failing refunds do in production.
  '4000000000007734': {
    brand: 'visa',
    outcome: 'succeed',
    refund: ['pending', 'failed'],
    names: ['pendingRefundFail'],
  },
  // Stripe has no such card. The bank declines the capture of its authorization.
  '4000000000007742': {
    brand: 'visa',
    outcome: 'succeed',
    rejectsCapture: true,
    names: ['captureDeclined'],
  },
  // Stripe has no such card. Its charges are captured asynchronously, as every charge may be in production.
  '4000000000007759': {
    brand: 'visa',
    outcome: 'succeed',
    delaysBalanceTransaction: true,
    names: ['lateBalanceTransaction'],
  },
  '4000000000000259': {
    brand: 'visa',
    outcome: 'succeed',
    aftermath: 'fraudulent',
    names: ['createDispute'],
  },
  '4000000000002685': {
    brand: 'visa',
    outcome: 'succeed',
    aftermath: 'product_not_received',
    names: ['createDisputeProductNotReceived'],
  },
  '4000000000001976': {
    brand: 'visa',
    outcome: 'succeed',
    aftermath: 'inquiry',
    names: ['createDisputeInquiry'],
  },
  '4000000000005423': {
    brand: 'visa',
    outcome: 'succeed',
    aftermath: 'early_fraud_warning',
    names: ['createIssuerFraudRecord'],
  },
  '4000000000000002': {
    brand: 'visa',
    outcome: 'card_declined',
    names: ['chargeDeclined', 'visa_chargeDeclined'],
  },
  '4000000000009995': {
    brand: 'visa',
    outcome: 'insufficient_funds',
    names: ['chargeDeclinedInsufficientFunds', 'visa_chargeDeclinedInsufficientFunds'],
  },
  '4000000000009987': {
    brand: 'visa',
    outcome: 'lost_card',
    names: ['visa_chargeDeclinedLostCard'],
  },
  '4000000000009979': {
    brand: 'visa',
    outcome: 'stolen_card',
    names: ['visa_chargeDeclinedStolenCard'],
  },
  '4000000000000069': {
    brand: 'visa',
    outcome: 'expired_card',
    names: ['chargeDeclinedExpiredCard'],
  },
  '4000000000000127': {
    brand: 'visa',
    outcome: 'incorrect_cvc',
    names: ['chargeDeclinedIncorrectCvc'],
  },
  '4000000000000119': {
    brand: 'visa',
    outcome: 'processing_error',
    names: ['chargeDeclinedProcessingError'],
  },
  '4000000000000341': { brand: 'visa', outcome: 'card_declined', names: ['chargeCustomerFail'] },
  '4100000000000019': {
    brand: 'visa',
    outcome: 'fraudulent',
    names: ['chargeDeclinedFraudulent', 'radarBlock'],
  },
  '4000002500003155': {
    brand: 'visa',
    outcome: 'authenticate',
    names: ['authenticationRequiredOnSetup'],
  },
  '4000002760003184': { brand: 'visa', outcome: 'authenticate', names: ['authenticationRequired'] },
  '4000000000003220': {
    brand: 'visa',
    outcome: 'authenticate',
    names: ['threeDSecure2Required', 'threeDSecureRequired'],
  },
};

export interface KnownCard {
  brand: string;
  last4: string;
  outcome: Outcome;
  aftermath?: Aftermath | undefined;
  refund?: RefundPlan | undefined;
  rejectsCapture?: boolean | undefined;
  bypassesPending?: boolean | undefined;
  delaysBalanceTransaction?: boolean | undefined;
}

export function cardByName(id: string): KnownCard | undefined {
  const name = id.replace('pm_card_', '');
  const found = Object.entries(CARDS).find(([, card]) => card.names?.includes(name));
  return found && cardByNumber(found[0]);
}

/** An unknown number counts as a live card, which the sandbox declines. */
export function cardByNumber(number: string): KnownCard {
  const card = CARDS[number];
  const last4 = number.slice(-4);
  return card ? { ...card, last4 } : { brand: 'unknown', last4, outcome: 'live_card' };
}

export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return /^\d{12,19}$/.test(number) && sum % 10 === 0;
}

export function declineOf(outcome: Exclude<Outcome, 'succeed' | 'authenticate'>): StripeErrorBody {
  const [code, declineCode, message] = DECLINES[outcome];
  return {
    type: 'card_error',
    code,
    ...(declineCode && { decline_code: declineCode }),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    message,
  };
}

export function cardError(code: string, message: string, param: string): StripeError {
  return new StripeError(402, { type: 'card_error', code, message, param });
}
