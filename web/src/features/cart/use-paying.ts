import type { Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js';
import { useCallback, useRef, useState } from 'react';
import { errorCode, errorMessage, errorStatus } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { dismissToasts, toastError } from '../../ui/toast.ts';

export interface CheckoutProblem {
  text: string;
  /** The index of the cart line with the problem; undefined for a problem with the payment. */
  line?: number;
  /** The price or the policy changed; pressing PAY again accepts the change. */
  needsConfirmation?: boolean;
  /** This marketplace requires a verified email, and the user's is not verified. */
  needsVerification?: boolean;
  /** The dates can't be kept: the payment has ended. */
  endsHolds?: boolean;
  /** The alert's title. Set if no card can pay now because too many were declined. */
  title?: string;
}

/** The card that pays: one that is entered, which may be kept for next time, or the id of a saved one. */
export type Card = { stripe: Stripe } & (
  | { element: StripeCardElement; isSaved: boolean }
  | { savedId: string }
);

/** What the server has to know of the card. */
export function choiceOf(card: Card): { cardId?: string; saveCard?: boolean } {
  if ('savedId' in card) return { cardId: card.savedId };
  return card.isSaved ? { saveCard: true } : {};
}

export function usePaying() {
  const [step, setStep] = useState('');
  const [problem, setProblem] = useState<CheckoutProblem | null>(null);
  const running = useRef(false);
  const clearProblem = useCallback(() => setProblem(null), []);

  const payOnce = async (attempt: () => Promise<CheckoutProblem | null>) => {
    // A ref, because state updates only on the next render, and two quick presses would both get past this check.
    if (running.current) return;
    running.current = true;
    setProblem(null);
    void dismissToasts();
    const found = await attempt().catch((): CheckoutProblem => ({ text: errorMessage(undefined) }));
    running.current = false;
    setStep('');
    setProblem(found);
    // Show a toast only for a problem without these properties; an alert above the card field shows the others.
    if (found && !found.needsConfirmation && !found.needsVerification && !found.title)
      toastError(found.text);
  };

  return { step, setStep, problem, clearProblem, payOnce };
}

/** The problem to show if too many cards were declined: for this payment, or in a day for this user or network. */
export function endedByDeclines(error: unknown): CheckoutProblem | null {
  const text = errorMessage(error);
  if (errorCode(error) === 'PAYMENT_DECLINED') return { text, title: 'Payment ended' };
  return errorStatus(error) === 429 ? { text, title: 'Payment not possible now' } : null;
}

const cardRejected = 'Your card was not accepted.';

/** Returns the payment method that `confirmCard` charges, or the problem. */
export async function checkCard(
  card: Card,
  { first_name, last_name, email }: SessionUser,
): Promise<{ methodId: string } | { problem: CheckoutProblem }> {
  if ('savedId' in card) return { methodId: card.savedId };
  const { paymentMethod, error } = await card.stripe.createPaymentMethod({
    type: 'card',
    card: card.element,
    ...(card.isSaved && { allow_redisplay: 'always' }),
    billing_details: { name: `${first_name} ${last_name}`, email },
  });
  if (!paymentMethod) return { problem: { text: error.message ?? cardRejected } };
  return { methodId: paymentMethod.id };
}

const paidStatuses = ['succeeded', 'requires_capture'];

function hasPaidAlready(error: StripeError) {
  return paidStatuses.includes(error.payment_intent?.status ?? '');
}

/** Charges the card. Returns the bank's reason if the card was declined; null if the payment is done. */
export async function confirmCard(
  { stripe }: Card,
  clientSecret: string,
  methodId: string,
): Promise<CheckoutProblem | null> {
  const { error } = await stripe.confirmCardPayment(clientSecret, { payment_method: methodId });
  return error && !hasPaidAlready(error) ? { text: error.message ?? cardRejected } : null;
}
