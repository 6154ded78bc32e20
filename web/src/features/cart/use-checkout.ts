import type { Hold, PriceChanged } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { useCallback, useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { errorCode, errorMessage, problemOf } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { randomId } from '../../lib/random-id.ts';
import { formatMoney } from '../../rental/format.ts';
import {
  type CartItem,
  hasOtherPolicy,
  isSameLine,
  itemChanged,
  lineKey,
  linesPriced,
  selectCart,
} from './cart-slice.ts';
import {
  useConfirmPaymentMutation,
  useCreatePaymentIntentMutation,
  useHoldCartMutation,
  useReleaseHoldMutation,
} from './checkout-api.ts';
import type { CheckoutPart } from './checkout-slice.ts';
import {
  cartHeld,
  cartKey,
  checkoutEnded,
  checkoutInterrupted,
  checkoutStarted,
  partChanged,
  selectCheckout,
  useCheckoutDispatch,
} from './checkout-steps.ts';
import { keepCartWhile } from './follow-cart.ts';
import {
  type Card,
  type CheckoutProblem,
  checkCard,
  choiceOf,
  confirmCard,
  endedByDeclines,
  usePaying,
} from './use-paying.ts';

export const holdExpired = 'Your hold expired. Press PAY to try again.';

export const holdIsGone = new Set(['HOLD_EXPIRED', 'HOLD_NOT_FOUND']);

function hasEnded(hold: Hold) {
  return Date.parse(hold.expiresAt) <= Date.now();
}

function toCents(dollars: number) {
  return Math.round(dollars * 100);
}

function sumOf(holds: Pick<Hold, 'amountCents'>[]) {
  return holds.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** The index of the cart line with the error: 1 for the path `lines[1].start_date`. */
function readLine(error: unknown): number | undefined {
  const match = /^lines[[.](\d+)/.exec(problemOf(error).errors?.[0]?.path ?? '');
  return match ? Number(match[1]) : undefined;
}

/** Returns a function that checks whether a part's card was charged or authorized, and records it; false if the request fails. */
function useCheckPaid(userId: string | undefined) {
  const dispatch = useCheckoutDispatch();
  const [confirmPayment] = useConfirmPaymentMutation();
  return useCallback(
    async ({ hold, payment }: Pick<CheckoutPart, 'hold' | 'payment'>): Promise<boolean> => {
      if (!userId || !payment) return false;
      const { data } = await confirmPayment({
        paymentId: payment.id,
        paymentIntentId: payment.intentId,
        amount: hold.amountCents,
        userId,
      });
      if (data) dispatch(partChanged(hold.id, { isPaid: true }));
      return data !== undefined;
    },
    [userId, confirmPayment, dispatch],
  );
}

/**
 * Opens the booking page if a part of an interrupted checkout was paid. If none was, and the cart has changed, releases the
 * checkout's holds.
 */
export function useUnfinishedCheckout(user: SessionUser | null): void {
  const checkout = useSelector(selectCheckout);
  const key = cartKey(useSelector(selectCart).cartItems);
  const dispatch = useCheckoutDispatch();
  const navigate = useNavigate();
  const [releaseHold] = useReleaseHoldMutation();
  const checkPaid = useCheckPaid(user?.id);
  const atArrival = useRef(checkout);
  const userId = user?.id;

  const isAnyPaid = useCallback(
    async (parts: CheckoutPart[]) => {
      const checks = parts.map((part) => part.isPaid || checkPaid(part));
      return (await Promise.all(checks)).includes(true);
    },
    [checkPaid],
  );

  useEffect(() => {
    const { parts = [] } = atArrival.current ?? {};
    const continueIfPaid = async () => {
      if (await isAnyPaid(parts)) await navigate(paths.booking);
    };
    void continueIfPaid();
  }, [isAnyPaid, navigate]);

  useEffect(() => {
    if (!checkout || !userId || checkout.cartKey === key) return;
    const cancelCheckout = async () => {
      if (await isAnyPaid(checkout.parts)) return navigate(paths.booking);
      dispatch(checkoutEnded());
      for (const { hold } of checkout.parts) await releaseHold({ userId, holdId: hold.id });
    };
    void cancelCheckout();
  }, [checkout, key, userId, isAnyPaid, navigate, dispatch, releaseHold]);
}

/** The cart's unpaid holds; none if it is not held, or one of them has expired. */
export function useCurrentHolds(): Hold[] {
  const { cartItems } = useSelector(selectCart);
  const checkout = useSelector(selectCheckout);
  if (checkout?.cartKey !== cartKey(cartItems)) return [];
  const unpaid = checkout.parts.filter(({ isPaid, isOver }) => !isPaid && !isOver);
  const holds = unpaid.map(({ hold }) => hold);
  return holds.some(hasEnded) ? [] : holds;
}

function useHolds(user: SessionUser) {
  const { cartItems: items } = useSelector(selectCart);
  const checkout = useSelector(selectCheckout);
  const holds = useCurrentHolds();
  const dispatch = useCheckoutDispatch();
  const [holdCart] = useHoldCartMutation();

  return async (): Promise<{ holds: Hold[] } | { problem: CheckoutProblem }> => {
    if (holds.length > 0) return { holds };
    const key = cartKey(items);
    // Without parts, the reply to the last request was lost. Otherwise the holds have expired.
    const isRetry = checkout?.cartKey === key && checkout.parts.length === 0;
    const idempotencyKey = isRetry ? checkout.idempotencyKey : randomId();
    if (!isRetry) dispatch(checkoutStarted({ cartKey: key, idempotencyKey }));
    const { data, error } = await holdCart({ userId: user.id, items, idempotencyKey });
    if (!data) {
      const needsVerification = errorCode(error) === 'EMAIL_NOT_VERIFIED';
      return { problem: { text: errorMessage(error), line: readLine(error), needsVerification } };
    }
    dispatch(cartHeld(data));
    return { holds: data };
  };
}

function priceChanged(cents: number, shown: number): CheckoutProblem {
  return {
    text: `The price has changed: it is ${formatMoney(cents / 100)} now, not ${formatMoney(shown / 100)}. Press the button again to accept it.`,
    needsConfirmation: true,
  };
}

const policyChanged: CheckoutProblem = {
  text: 'What a cancellation refunds has changed. Please read it below, and press the button again to accept it.',
  needsConfirmation: true,
};
const nowOnRequest =
  'The owner now has to accept first, and your card is charged only if they accept. Press the button again to go on.';
const noLongerOnRequest =
  'The owner is no longer asked first: your card is charged at once. Press the button again to accept it.';

/** Releases holds whose payments can't continue. The next press of PAY creates new ones. */
function useCancelHolds(user: SessionUser) {
  const dispatch = useCheckoutDispatch();
  const [releaseHold] = useReleaseHoldMutation();
  return async (holds: Hold[]) => {
    for (const { id: holdId } of holds) {
      dispatch(partChanged(holdId, { isOver: true }));
      await releaseHold({ userId: user.id, holdId });
    }
  };
}

type StartedPayment = NonNullable<CheckoutPart['payment']> & { clientSecret: string };

function useStartPayment(user: SessionUser) {
  const dispatch = useCheckoutDispatch();
  const [createPaymentIntent] = useCreatePaymentIntentMutation();

  return async (
    hold: Hold,
    card: Card,
  ): Promise<{ payment: StartedPayment } | { problem: CheckoutProblem } | 'paid'> => {
    const about = { amount: hold.amountCents, userId: user.id, holdId: hold.id };
    const request = { ...about, ...choiceOf(card) };
    const { data, error } = await createPaymentIntent(request);
    if (!data) {
      const ended = endedByDeclines(error);
      if (ended) return { problem: { ...ended, endsHolds: true } };
      const code = errorCode(error) ?? '';
      // Another tab has paid it.
      if (code === 'HOLD_PAID') return 'paid';
      if (holdIsGone.has(code)) return { problem: { text: holdExpired, endsHolds: true } };
      const { amount } = problemOf<PriceChanged>(error);
      if (amount) dispatch(partChanged(hold.id, { hold: { ...hold, amountCents: amount } }));
      return {
        problem: amount ? priceChanged(amount, hold.amountCents) : { text: errorMessage(error) },
      };
    }
    const { clientSecret, paymentId: id } = data;
    const intentId = clientSecret.split('_secret_')[0] ?? '';
    dispatch(partChanged(hold.id, { payment: { id, intentId } }));
    return { payment: { id, intentId, clientSecret } };
  };
}

/** Returns a function that reports a declined card; it returns a problem if too many declines ended the payment. */
function useReportDecline(user: SessionUser) {
  const [confirmPayment] = useConfirmPaymentMutation();
  return async (hold: Hold, { id, intentId }: StartedPayment): Promise<CheckoutProblem | null> => {
    const amount = hold.amountCents;
    const sent = { paymentId: id, paymentIntentId: intentId, amount, userId: user.id };
    const { error } = await confirmPayment(sent);
    const ended = errorCode(error) === 'PAYMENT_DECLINED' ? endedByDeclines(error) : null;
    return ended && { ...ended, endsHolds: true };
  };
}

/** Pays a hold with the card. Returns the problem; null if the card is charged or authorized. */
function usePayHold(user: SessionUser) {
  const dispatch = useCheckoutDispatch();
  const startPayment = useStartPayment(user);
  const checkPaid = useCheckPaid(user.id);
  const reportDecline = useReportDecline(user);
  /** @param methodId a payment method that was not used yet: Stripe accepts each for one payment only */
  return async (card: Card, hold: Hold, methodId: string): Promise<CheckoutProblem | null> => {
    const started = await startPayment(hold, card);
    if (started !== 'paid') {
      if ('problem' in started) return started.problem;
      const { payment } = started;
      const rejected = await confirmCard(card, payment.clientSecret, methodId);
      if (rejected) return (await reportDecline(hold, payment)) ?? rejected;
      // Ignore a failure of this request, because Stripe's webhook also completes the payment.
      await checkPaid({ hold, payment });
    }
    dispatch(partChanged(hold.id, { isPaid: true }));
    return null;
  };
}

/** Returns a function that compares the holds with what was shown, and shows the difference for the user to confirm. */
function useCompareWithShown({ items, payable }: { items: CartItem[]; payable: number }) {
  const dispatch = useCheckoutDispatch();
  return (holds: Hold[]): CheckoutProblem | null => {
    const lines = holds.flatMap((hold) => hold.lines);
    if (sumOf(holds) !== payable) {
      dispatch(linesPriced(lines));
      return priceChanged(sumOf(holds), payable);
    }
    if (hasOtherPolicy(items, lines)) {
      dispatch(linesPriced(lines));
      return policyChanged;
    }
    const requests = holds.filter(({ onRequest }) => onRequest).flatMap((hold) => hold.lines);
    const isRequest = (item: CartItem) => requests.some((line) => isSameLine(item, line));
    const changed = items.filter((item) => item.onRequest !== isRequest(item));
    if (changed.length === 0) return null;
    for (const item of changed)
      dispatch(itemChanged({ key: lineKey(item), item: { ...item, onRequest: isRequest(item) } }));
    const text = changed.some(isRequest) ? nowOnRequest : noLongerOnRequest;
    return { text, needsConfirmation: true };
  };
}

/** Finds a cart line without times: visitors can't choose times, but members must before paying. */
function findUntimed(items: CartItem[]): CheckoutProblem | null {
  const line = items.findIndex((item) => !(item.start_time && item.end_time));
  if (line < 0) return null;
  const missing = items[line]?.start_time ? 'returning' : 'start';
  return { text: `Please select your ${missing} time`, line };
}

/** The cents that are charged at once, and those that are charged for each request once its owner accepts. */
export interface Due {
  now: number;
  ifAccepted: number;
  payments: number;
}

function dueOf(parts: { onRequest: boolean; amountCents: number }[]): Due {
  const requests = parts.filter(({ onRequest }) => onRequest);
  const instant = parts.filter(({ onRequest }) => !onRequest);
  return {
    now: sumOf(instant),
    ifAccepted: sumOf(requests),
    payments: requests.length + Math.min(1, instant.length),
  };
}

function useDue(): Due {
  const { cartItems } = useSelector(selectCart);
  const holds = useCurrentHolds();
  if (holds.length > 0) return dueOf(holds);
  return dueOf(
    cartItems.map(({ onRequest, totalPrice }) => ({ onRequest, amountCents: toCents(totalPrice) })),
  );
}

/**
 * Runs the steps of a checkout: hold the cart, then pay each part with the card that was entered once. Each step can be
 * retried safely. It stops at the first part that can't be paid; the parts paid so far are booked.
 */
export function useCheckout(user: SessionUser) {
  const { cartItems: items } = useSelector(selectCart);
  const due = useDue();
  const payable = due.now + due.ifAccepted;
  const { step, setStep, problem, clearProblem, payOnce } = usePaying();
  const key = cartKey(items);
  const dispatch = useCheckoutDispatch();
  const navigate = useNavigate();
  const getHolds = useHolds(user);
  const payHold = usePayHold(user);
  const cancelHolds = useCancelHolds(user);
  const compareWithShown = useCompareWithShown({ items, payable });

  // Clear the error about a cart line: it is obsolete once the cart has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the cart changes.
  useEffect(clearProblem, [key]);

  const payHolds = async (card: Card, holds: Hold[], methodId: string) => {
    for (const [index, hold] of holds.entries()) {
      setStep(
        holds.length > 1
          ? `Asking your bank… ${index + 1} of ${holds.length}`
          : 'Asking your bank…',
      );
      // The first payment keeps the card.
      const paying = index > 0 && 'element' in card ? { ...card, isSaved: false } : card;
      const checked = index === 0 ? { methodId } : await checkCard(paying, user);
      const found =
        'problem' in checked ? checked.problem : await payHold(paying, hold, checked.methodId);
      if (!found) continue;
      if (found.endsHolds) await cancelHolds(holds.slice(index));
      if (index === 0) {
        if (found.endsHolds) dispatch(checkoutEnded());
        return found;
      }
      dispatch(checkoutInterrupted(found.text));
      return null;
    }
    return null;
  };

  const attempt = async (card: Card): Promise<CheckoutProblem | null> => {
    const untimed = findUntimed(items);
    if (untimed) return untimed;

    // Check the card before creating the holds, because they take the dates away from other renters.
    setStep('Checking your card…');
    const checked = await checkCard(card, user);
    if ('problem' in checked) return checked.problem;

    setStep('Keeping your dates…');
    const held = await getHolds();
    if ('problem' in held) return held.problem;
    const { holds } = held;
    const changed = compareWithShown(holds);
    if (changed) return changed;

    const unpaid = await payHolds(card, holds, checked.methodId);
    if (unpaid) return unpaid;
    setStep('Booking…');
    await navigate(paths.booking);
    return null;
  };

  const pay = (card: Card) => payOnce(() => keepCartWhile(dispatch, () => attempt(card)));
  return { pay, payable, due, step, problem, clearProblem };
}
