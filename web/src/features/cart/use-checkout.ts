import type { Hold, PriceChanged } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { useCallback, useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { errorCode, errorMessage, problemOf } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { randomId } from '../../lib/random-id.ts';
import { formatMoney } from '../../rental/format.ts';
import {
  type CartItem,
  computeTotals,
  hasOtherPolicy,
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
import {
  type Checkout,
  cartHeld,
  cartKey,
  checkoutEnded,
  checkoutStarted,
  paymentStarted,
  selectCheckout,
} from './checkout-slice.ts';
import { keepCartWhile } from './follow-cart.ts';
import { useItemsToPay } from './items-to-pay.ts';
import {
  type Card,
  type CheckoutProblem,
  checkCard,
  confirmCard,
  endedByDeclines,
  usePaying,
} from './use-paying.ts';

export function holdExpired({ onRequest }: Pick<Hold, 'onRequest'>) {
  return `Your hold expired. Press ${onRequest ? 'REQUEST TO BOOK' : 'PAY'} to try again.`;
}

export const holdIsGone = new Set(['HOLD_EXPIRED', 'HOLD_NOT_FOUND']);

function hasEnded(hold: Hold) {
  return Date.parse(hold.expiresAt) <= Date.now();
}

function toCents(dollars: number) {
  return Math.round(dollars * 100);
}

/** The index of the cart line with the error: 1 for the path `lines[1].start_date`. */
function readLine(error: unknown): number | undefined {
  const match = /^lines[[.](\d+)/.exec(problemOf(error).errors?.[0]?.path ?? '');
  return match ? Number(match[1]) : undefined;
}

/** Returns a function that checks whether the payment succeeded; false if the request fails. */
function useCheckPaid(userId: string | undefined) {
  const [confirmPayment] = useConfirmPaymentMutation();
  return useCallback(
    async ({ hold, payment }: Pick<Checkout, 'hold' | 'payment'>): Promise<boolean> => {
      if (!userId || !hold || !payment) return false;
      const { data } = await confirmPayment({
        paymentId: payment.id,
        paymentIntentId: payment.intentId,
        amount: hold.amountCents,
        userId,
      });
      return data !== undefined;
    },
    [userId, confirmPayment],
  );
}

/** Opens the booking page if an interrupted checkout was paid. If not, and the cart has changed, releases the checkout's hold. */
export function useUnfinishedCheckout(user: SessionUser | null): void {
  const checkout = useSelector(selectCheckout);
  const key = cartKey(useItemsToPay());
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [releaseHold] = useReleaseHoldMutation();
  const checkPaid = useCheckPaid(user?.id);
  const atArrival = useRef(checkout);
  const userId = user?.id;

  useEffect(() => {
    const left = atArrival.current;
    if (!left?.payment) return;
    const continueIfPaid = async () => {
      if (await checkPaid(left)) await navigate(paths.booking);
    };
    void continueIfPaid();
  }, [checkPaid, navigate]);

  useEffect(() => {
    if (!checkout || !userId || checkout.cartKey === key) return;
    const cancelCheckout = async () => {
      if (await checkPaid(checkout)) return navigate(paths.booking);
      dispatch(checkoutEnded());
      if (checkout.hold) await releaseHold({ userId, holdId: checkout.hold.id });
    };
    void cancelCheckout();
  }, [checkout, key, userId, checkPaid, navigate, dispatch, releaseHold]);
}

export function useCurrentHold(): Hold | null {
  const items = useItemsToPay();
  const checkout = useSelector(selectCheckout);
  const hold = checkout?.cartKey === cartKey(items) ? checkout.hold : null;
  return hold && !hasEnded(hold) ? hold : null;
}

function useHold(user: SessionUser) {
  const items = useItemsToPay();
  const checkout = useSelector(selectCheckout);
  const dispatch = useDispatch();
  const [holdCart] = useHoldCartMutation();

  return async (): Promise<{ hold: Hold } | { problem: CheckoutProblem }> => {
    const key = cartKey(items);
    const going = checkout?.cartKey === key && !(checkout.hold && hasEnded(checkout.hold));
    if (going && checkout.hold) return { hold: checkout.hold };
    const idempotencyKey = going ? checkout.idempotencyKey : randomId();
    if (!going) dispatch(checkoutStarted({ cartKey: key, idempotencyKey }));
    const { data: hold, error } = await holdCart({
      userId: user.id,
      items,
      idempotencyKey,
    });
    if (!hold) {
      const needsVerification = errorCode(error) === 'EMAIL_NOT_VERIFIED';
      const onRequestItem = errorCode(error) === 'TOOL_ON_REQUEST' && items[readLine(error) ?? 0];
      if (onRequestItem)
        dispatch(
          itemChanged({ key: lineKey(onRequestItem), item: { ...onRequestItem, onRequest: true } }),
        );
      return { problem: { text: errorMessage(error), line: readLine(error), needsVerification } };
    }
    dispatch(cartHeld(hold));
    return { hold };
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

/** Releases a hold whose payment can't continue. The next press of PAY creates a new one. */
function useCancelHold(user: SessionUser) {
  const dispatch = useDispatch();
  const [releaseHold] = useReleaseHoldMutation();
  return async (hold: Hold) => {
    dispatch(checkoutEnded());
    await releaseHold({ userId: user.id, holdId: hold.id });
  };
}

type StartedPayment = NonNullable<Checkout['payment']> & { clientSecret: string };

function useStartPayment(user: SessionUser) {
  const dispatch = useDispatch();
  const [createPaymentIntent] = useCreatePaymentIntentMutation();
  const cancelHold = useCancelHold(user);

  return async (
    hold: Hold,
  ): Promise<{ payment: StartedPayment } | { problem: CheckoutProblem }> => {
    const request = { amount: hold.amountCents, userId: user.id, holdId: hold.id };
    const { data, error } = await createPaymentIntent(request);
    if (!data) {
      const ended = endedByDeclines(error);
      if (ended) await cancelHold(hold);
      if (ended) return { problem: ended };
      const code = errorCode(error) ?? '';
      if (holdIsGone.has(code)) dispatch(checkoutEnded());
      if (holdIsGone.has(code)) return { problem: { text: holdExpired(hold) } };
      const { amount } = problemOf<PriceChanged>(error);
      if (amount) dispatch(cartHeld({ ...hold, amountCents: amount }));
      return {
        problem: amount ? priceChanged(amount, hold.amountCents) : { text: errorMessage(error) },
      };
    }
    const { clientSecret, paymentId: id } = data;
    const intentId = clientSecret.split('_secret_')[0] ?? '';
    dispatch(paymentStarted({ id, intentId }));
    return { payment: { id, intentId, clientSecret } };
  };
}

/** Returns a function that reports a declined card; it returns a problem if too many declines ended the payment. */
function useReportDecline(user: SessionUser) {
  const [confirmPayment] = useConfirmPaymentMutation();
  const cancelHold = useCancelHold(user);
  return async (hold: Hold, { id, intentId }: StartedPayment) => {
    const amount = hold.amountCents;
    const sent = { paymentId: id, paymentIntentId: intentId, amount, userId: user.id };
    const { error } = await confirmPayment(sent);
    const ended = errorCode(error) === 'PAYMENT_DECLINED' ? endedByDeclines(error) : null;
    if (ended) await cancelHold(hold);
    return ended;
  };
}

interface Shown {
  items: CartItem[];
  /** The cents on the PAY button. */
  payable: number;
  isRequest: boolean;
}

/** Returns a function that compares a hold with what was shown, and shows the difference for the user to confirm. */
function useCompareWithShown({ items, payable, isRequest }: Shown) {
  const dispatch = useDispatch();
  return (hold: Hold): CheckoutProblem | null => {
    if (hold.amountCents !== payable) {
      dispatch(linesPriced(hold.lines));
      return priceChanged(hold.amountCents, payable);
    }
    if (hasOtherPolicy(items, hold.lines)) {
      dispatch(linesPriced(hold.lines));
      return policyChanged;
    }
    if (hold.onRequest === isRequest) return null;
    for (const item of items)
      dispatch(itemChanged({ key: lineKey(item), item: { ...item, onRequest: !isRequest } }));
    return { text: isRequest ? noLongerOnRequest : nowOnRequest, needsConfirmation: true };
  };
}

/** Finds a cart line without times: visitors can't choose times, but members must before paying. */
function findUntimed(items: CartItem[]): CheckoutProblem | null {
  const line = items.findIndex((item) => !(item.start_time && item.end_time));
  if (line < 0) return null;
  const missing = items[line]?.start_time ? 'returning' : 'start';
  return { text: `Please select your ${missing} time`, line };
}

/** Runs the steps of a checkout: hold, payment, card, confirmation. Each step can be retried safely. */
export function useCheckout(user: SessionUser) {
  const items = useItemsToPay();
  const { totalAmount } = computeTotals(items);
  const isRequest = items.some(({ onRequest }) => onRequest);
  const currentHold = useCurrentHold();
  const payable = currentHold?.amountCents ?? toCents(totalAmount);
  const { step, setStep, problem, clearProblem, payOnce } = usePaying();
  const key = cartKey(items);
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const getHold = useHold(user);
  const startPayment = useStartPayment(user);
  const checkPaid = useCheckPaid(user.id);
  const compareWithShown = useCompareWithShown({ items, payable, isRequest });
  const reportDecline = useReportDecline(user);

  // Clear the error about a cart line: it is obsolete once the cart has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the cart changes.
  useEffect(clearProblem, [key]);

  const attempt = async (card: Card): Promise<CheckoutProblem | null> => {
    const untimed = findUntimed(items);
    if (untimed) return untimed;

    // Check the card before creating the hold, because a hold takes the dates away from other renters.
    setStep('Checking your card…');
    const checked = await checkCard(card, user);
    if ('problem' in checked) return checked.problem;

    setStep('Keeping your dates…');
    const held = await getHold();
    if ('problem' in held) return held.problem;
    const { hold } = held;
    const changed = compareWithShown(hold);
    if (changed) return changed;
    const started = await startPayment(hold);
    if ('problem' in started) return started.problem;
    const { payment } = started;

    setStep('Asking your bank…');
    const rejected = await confirmCard(card, payment.clientSecret, checked.methodId);
    if (rejected) return (await reportDecline(hold, payment)) ?? rejected;

    setStep(isRequest ? 'Asking the owner…' : 'Booking…');
    // Ignore a failure of this request, because Stripe's webhook also completes the payment.
    await checkPaid({ hold, payment });
    await navigate(paths.booking);
    return null;
  };

  const pay = (card: Card) => payOnce(() => keepCartWhile(dispatch, () => attempt(card)));

  // `line` is an index into the paid items, but the screen needs one into the whole cart.
  const { cartItems } = useSelector(selectCart);
  const item = problem?.line === undefined ? undefined : items[problem.line];
  const shown = problem && item ? { ...problem, line: cartItems.indexOf(item) } : problem;
  return {
    pay,
    payable,
    isRequest,
    step,
    problem: shown,
    clearProblem,
  };
}
