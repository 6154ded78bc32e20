import type { Hold, PriceChanged } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { useCallback, useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { errorCode, errorMessage, problemOf } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { formatMoney } from '../../lib/format.ts';
import { randomId } from '../../lib/random-id.ts';
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

export const holdExpired = ({ onRequest }: Pick<Hold, 'onRequest'>) =>
  `Your hold expired. Press ${onRequest ? 'REQUEST TO BOOK' : 'PAY'} to try again.`;
export const holdIsGone = new Set(['HOLD_EXPIRED', 'HOLD_NOT_FOUND']);

const hasEnded = (hold: Hold) => Date.parse(hold.expiresAt) <= Date.now();
const toCents = (dollars: number) => Math.round(dollars * 100);

/** The cart line of an error: a path such as `lines[1].start_date` is about the second one. */
function readLine(error: unknown): number | undefined {
  const match = /^lines[[.](\d+)/.exec(problemOf(error).errors?.[0]?.path ?? '');
  return match ? Number(match[1]) : undefined;
}

/** Returns whether the payment succeeded; a failed request counts as no. */
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

/**
 * Handles a checkout that an earlier visit left behind. If it was paid meanwhile, it continues to the booking; if it
 * belongs to another cart and is unpaid, its hold is released.
 */
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
    const giveUp = async () => {
      if (await checkPaid(checkout)) return navigate(paths.booking);
      dispatch(checkoutEnded());
      if (checkout.hold) await releaseHold({ userId, holdId: checkout.hold.id });
    };
    void giveUp();
  }, [checkout, key, userId, checkPaid, navigate, dispatch, releaseHold]);
}

/** The unexpired hold of the current cart, or null. */
export function useCurrentHold(): Hold | null {
  const items = useItemsToPay();
  const checkout = useSelector(selectCheckout);
  const hold = checkout?.cartKey === cartKey(items) ? checkout.hold : null;
  return hold && !hasEnded(hold) ? hold : null;
}

/** Returns the existing hold of the cart or creates one; otherwise the problem. */
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
      const asked = errorCode(error) === 'TOOL_ON_REQUEST' && items[readLine(error) ?? 0];
      if (asked)
        dispatch(itemChanged({ key: lineKey(asked), item: { ...asked, onRequest: true } }));
      return { problem: { text: errorMessage(error), line: readLine(error), needsVerification } };
    }
    dispatch(cartHeld(hold));
    return { hold };
  };
}

const priceChanged = (cents: number, shown: number): CheckoutProblem => ({
  text: `The price has changed: it is ${formatMoney(cents / 100)} now, not ${formatMoney(shown / 100)}. Press the button again to accept it.`,
  needsConfirmation: true,
});

const policyChanged: CheckoutProblem = {
  text: 'What a cancellation refunds has changed. Please read it below, and press the button again to accept it.',
  needsConfirmation: true,
};
const nowOnRequest =
  'The owner now has to accept first, and your card is charged only if they accept. Press the button again to go on.';
const noLongerOnRequest =
  'The owner is no longer asked first: your card is charged at once. Press the button again to accept it.';

/** Releases a hold whose payment can't continue. The next press of PAY creates a new one. */
function useGiveUpHold(user: SessionUser) {
  const dispatch = useDispatch();
  const [releaseHold] = useReleaseHoldMutation();
  return async (hold: Hold) => {
    dispatch(checkoutEnded());
    await releaseHold({ userId: user.id, holdId: hold.id });
  };
}

type StartedPayment = NonNullable<Checkout['payment']> & { clientSecret: string };

/** Creates the payment of a hold, or returns the problem. */
function useStartPayment(user: SessionUser) {
  const dispatch = useDispatch();
  const [createPaymentIntent] = useCreatePaymentIntentMutation();
  const giveUpHold = useGiveUpHold(user);

  return async (
    hold: Hold,
  ): Promise<{ payment: StartedPayment } | { problem: CheckoutProblem }> => {
    const request = { amount: hold.amountCents, userId: user.id, holdId: hold.id };
    const { data, error } = await createPaymentIntent(request);
    if (!data) {
      const ended = endedByDeclines(error);
      if (ended) await giveUpHold(hold);
      if (ended) return { problem: ended };
      const code = errorCode(error) ?? '';
      // The next press of PAY starts over with a new hold.
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

/** Finds a cart line without times. A visitor could not choose them, but a member must before paying. */
function findUntimed(items: CartItem[]): CheckoutProblem | null {
  const line = items.findIndex((item) => !(item.start_time && item.end_time));
  if (line < 0) return null;
  const missing = items[line]?.start_time ? 'returning' : 'start';
  return { text: `Please select your ${missing} time`, line };
}

/** Runs the steps of a checkout: hold, payment, card, confirmation. Each can be retried without doing anything twice. */
export function useCheckout(user: SessionUser) {
  const items = useItemsToPay();
  const { totalAmount } = computeTotals(items);
  const isRequest = items.some(({ onRequest }) => onRequest);
  const currentHold = useCurrentHold();
  /** The cents on the PAY button. A different amount has to be confirmed first. */
  const payable = currentHold?.amountCents ?? toCents(totalAmount);
  const { step, setStep, problem, clearProblem, payOnce } = usePaying();
  const key = cartKey(items);
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const getHold = useHold(user);
  const startPayment = useStartPayment(user);
  const checkPaid = useCheckPaid(user.id);
  const giveUpHold = useGiveUpHold(user);
  const [confirmPayment] = useConfirmPaymentMutation();

  /** Reports a decline: the server counts them. Returns the problem if that ended the payment. */
  const reportDecline = async (hold: Hold, { id, intentId }: StartedPayment) => {
    const amount = hold.amountCents;
    const sent = { paymentId: id, paymentIntentId: intentId, amount, userId: user.id };
    const { error } = await confirmPayment(sent);
    const ended = errorCode(error) === 'PAYMENT_DECLINED' ? endedByDeclines(error) : null;
    if (ended) await giveUpHold(hold);
    return ended;
  };

  // A problem with a line is no longer true once the cart has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the cart changes.
  useEffect(clearProblem, [key]);

  const attempt = async (card: Card): Promise<CheckoutProblem | null> => {
    const untimed = findUntimed(items);
    if (untimed) return untimed;

    // Check the card before the hold, which takes the dates away from other renters.
    setStep('Checking your card…');
    const checked = await checkCard(card, user);
    if ('problem' in checked) return checked.problem;

    setStep('Keeping your dates…');
    const held = await getHold();
    if ('problem' in held) return held.problem;
    const { hold } = held;
    if (hold.amountCents !== payable) {
      dispatch(linesPriced(hold.lines));
      return priceChanged(hold.amountCents, payable);
    }
    if (hasOtherPolicy(items, hold.lines)) {
      dispatch(linesPriced(hold.lines));
      return policyChanged;
    }
    if (Boolean(hold.onRequest) !== isRequest) {
      for (const item of items)
        dispatch(itemChanged({ key: lineKey(item), item: { ...item, onRequest: !isRequest } }));
      return { text: isRequest ? noLongerOnRequest : nowOnRequest, needsConfirmation: true };
    }
    const started = await startPayment(hold);
    if ('problem' in started) return started.problem;
    const { payment } = started;

    setStep('Asking your bank…');
    const refused = await confirmCard(card, payment.clientSecret, checked.methodId);
    if (refused) return (await reportDecline(hold, payment)) ?? refused;

    setStep(isRequest ? 'Asking the owner…' : 'Booking…');
    // If this request fails, Stripe's webhook completes the payment.
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
