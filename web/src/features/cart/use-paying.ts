import type { Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js';
import { useCallback, useRef, useState } from 'react';
import { errorCode, errorMessage, errorStatus } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { dismissToasts, toastError } from '../../ui/toast.ts';

export interface CheckoutProblem {
  text: string;
  /** The cart's line that it is about; a problem of the payment has none. */
  line?: number;
  /** The price or the policy has changed: it is a question rather than a failure. */
  asksAgain?: boolean;
  /** The operator asks for a verified email, and this person's isn't. */
  asksToVerify?: boolean;
  /** Heads an alert: no card can pay now. */
  title?: string;
}

export interface Card {
  stripe: Stripe;
  element: StripeCardElement;
}

export type Step =
  | ''
  | 'Asking the owner…'
  | 'Checking your card…'
  | 'Keeping your dates…'
  | 'Asking your bank…'
  | 'Booking…';

/** Runs one attempt to pay at a time, and keeps how far it is and what was in its way. */
export function usePaying() {
  const [step, setStep] = useState<Step>('');
  const [problem, setProblem] = useState<CheckoutProblem | null>(null);
  const running = useRef(false);
  const forgetProblem = useCallback(() => setProblem(null), []);

  const payOnce = async (attempt: () => Promise<CheckoutProblem | null>) => {
    // State is a render late; two quick presses must not both get past here.
    if (running.current) return;
    running.current = true;
    setProblem(null);
    void dismissToasts();
    const found = await attempt().catch((): CheckoutProblem => ({ text: errorMessage(undefined) }));
    running.current = false;
    setStep('');
    setProblem(found);
    // These stand in an alert of their own, right above the card.
    if (found && !found.asksAgain && !found.asksToVerify && !found.title) toastError(found.text);
  };

  return { step, setStep, problem, forgetProblem, payOnce };
}

/** Too many cards were declined: for this payment, or by this person or network in the last day. Otherwise null. */
export function endedByDeclines(error: unknown): CheckoutProblem | null {
  const text = errorMessage(error);
  if (errorCode(error) === 'PAYMENT_DECLINED') return { text, title: 'Payment ended' };
  return errorStatus(error) === 429 ? { text, title: 'Payment not possible now' } : null;
}

const cardRefused = 'Your card was not accepted.';

/** What `confirmCard` charges, or why the card can't be. */
export async function checkCard(
  { stripe, element }: Card,
  { first_name, last_name, email }: SessionUser,
): Promise<{ methodId: string } | { problem: CheckoutProblem }> {
  const { paymentMethod, error } = await stripe.createPaymentMethod({
    type: 'card',
    card: element,
    billing_details: { name: `${first_name} ${last_name}`, email },
  });
  if (!paymentMethod) return { problem: { text: error.message ?? cardRefused } };
  return { methodId: paymentMethod.id };
}

const paidStatuses = ['succeeded', 'requires_capture'];
const hasPaidAlready = (error: StripeError) =>
  paidStatuses.includes(error.payment_intent?.status ?? '');

/** Why the bank refused; null once it is paid, or was before. */
export async function confirmCard(
  { stripe }: Card,
  clientSecret: string,
  methodId: string,
): Promise<CheckoutProblem | null> {
  const { error } = await stripe.confirmCardPayment(clientSecret, { payment_method: methodId });
  return error && !hasPaidAlready(error) ? { text: error.message ?? cardRefused } : null;
}
