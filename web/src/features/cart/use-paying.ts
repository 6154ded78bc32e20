import type { Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js';
import { useCallback, useRef, useState } from 'react';
import { errorCode, errorMessage, errorStatus } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { dismissToasts, toastError } from '../../ui/toast.ts';

export interface CheckoutProblem {
  text: string;
  /** The index of the cart line with the problem; undefined for a problem with the payment. */
  line?: number;
  /** The price or the policy changed; pressing PAY again accepts it. */
  needsConfirmation?: boolean;
  /** This marketplace requires a verified email, and the user's is not verified. */
  needsVerification?: boolean;
  /** The alert's title; set if no card can pay now, after too many declines. */
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

/** Runs one payment attempt at a time, with its current step and last problem. */
export function usePaying() {
  const [step, setStep] = useState<Step>('');
  const [problem, setProblem] = useState<CheckoutProblem | null>(null);
  const running = useRef(false);
  const clearProblem = useCallback(() => setProblem(null), []);

  const payOnce = async (attempt: () => Promise<CheckoutProblem | null>) => {
    // A ref, because state updates on the next render and two quick presses could both get past this check.
    if (running.current) return;
    running.current = true;
    setProblem(null);
    void dismissToasts();
    const found = await attempt().catch((): CheckoutProblem => ({ text: errorMessage(undefined) }));
    running.current = false;
    setStep('');
    setProblem(found);
    // Problems with one of these flags are shown in an alert above the card instead.
    if (found && !found.needsConfirmation && !found.needsVerification && !found.title)
      toastError(found.text);
  };

  return { step, setStep, problem, clearProblem, payOnce };
}

/** The problem if too many cards were declined, for this payment or for this user or network in the last day; else null. */
export function endedByDeclines(error: unknown): CheckoutProblem | null {
  const text = errorMessage(error);
  if (errorCode(error) === 'PAYMENT_DECLINED') return { text, title: 'Payment ended' };
  return errorStatus(error) === 429 ? { text, title: 'Payment not possible now' } : null;
}

const cardRefused = 'Your card was not accepted.';

/** Creates the payment method that `confirmCard` charges, or returns the problem. */
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

/** Charges the card. Returns the bank's reason if it declined; null if it is paid, also if it was paid before. */
export async function confirmCard(
  { stripe }: Card,
  clientSecret: string,
  methodId: string,
): Promise<CheckoutProblem | null> {
  const { error } = await stripe.confirmCardPayment(clientSecret, { payment_method: methodId });
  return error && !hasPaidAlready(error) ? { text: error.message ?? cardRefused } : null;
}
