import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { baseApi } from '../../api/base-api.ts';
import { errorCode, errorMessage } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { useNow } from '../../lib/use-now.ts';
import { formatDayAndTime, formatMoney } from '../../rental/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import classes from './cart.module.css';
import {
  useConfirmPaymentMutation,
  useCreatePaymentIntentMutation,
  useReleaseChangeMutation,
} from './checkout-api.ts';
import { HoldCountdown } from './hold-countdown.tsx';
import { CardArea, chargedIfAccepted } from './pay-form.tsx';
import { holdIsGone } from './use-checkout.ts';
import {
  type Card,
  type CheckoutProblem,
  checkCard,
  choiceOf,
  confirmCard,
  endedByDeclines,
  usePaying,
} from './use-paying.ts';

export type UnpaidChange = NonNullable<Booking['unpaidChange']> & { holdId: string };

const tooLate =
  'This change can’t be paid any more, and the booking stays as it was. Please choose again.';

/** Whether the error only means that the change was already paid in another tab. */
function isPaidAlready(error: unknown) {
  return errorCode(error) === 'HOLD_PAID';
}

/** Opens the booking in place of this form, so that Back does not show the form again. */
function useShowBooking({ id }: Booking) {
  const navigate = useNavigate();
  const dispatch = useDispatch();
  return async () => {
    await navigate(paths.ofId(paths.rental, id), { replace: true });
    dispatch(baseApi.util.invalidateTags([{ type: 'Booking', id }]));
  };
}

/** Runs the steps of a payment: intent, card, confirmation. Each step can be retried without paying twice. */
function usePayChange(user: SessionUser, booking: Booking, change: UnpaidChange) {
  const { holdId, dueCents } = change;
  const isRequest = change.onRequest;
  const owner = booking.toolOwner.first_name;
  const { step, setStep, problem, clearProblem, payOnce } = usePaying();
  // True once the server reports that the change has ended: this device's clock, which may be wrong, is not enough.
  const [isGone, setGone] = useState(false);
  const showBooking = useShowBooking(booking);
  const dispatch = useDispatch();
  const [createPaymentIntent] = useCreatePaymentIntentMutation();
  const [confirmPayment] = useConfirmPaymentMutation();

  /** Shows the message as a toast, because the refetched booking replaces this form. */
  const end = (text: string): CheckoutProblem => {
    setGone(true);
    dispatch(baseApi.util.invalidateTags([{ type: 'Booking', id: booking.id }]));
    return { text };
  };

  const attempt = async (card: Card): Promise<CheckoutProblem | null> => {
    setStep('Checking your card…');
    const checked = await checkCard(card, user);
    if ('problem' in checked) return checked.problem;

    const about = { amount: dueCents, userId: user.id, holdId };
    const started = await createPaymentIntent({ ...about, ...choiceOf(card) });
    if (isPaidAlready(started.error)) {
      await showBooking();
      return null;
    }
    if (!started.data) {
      const code = errorCode(started.error) ?? '';
      if (code === 'PAYMENT_DECLINED') return end(errorMessage(started.error));
      return holdIsGone.has(code)
        ? end(tooLate)
        : (endedByDeclines(started.error) ?? { text: errorMessage(started.error) });
    }
    const { clientSecret, paymentId } = started.data;

    setStep('Asking your bank…');
    const rejected = await confirmCard(card, clientSecret, checked.methodId);
    const paymentIntentId = clientSecret.split('_secret_')[0] ?? '';
    const sent = { paymentId, paymentIntentId, amount: dueCents, userId: user.id };
    if (rejected) {
      // Report the decline: the server ends the payment after too many declines.
      const { error } = await confirmPayment(sent);
      return errorCode(error) === 'PAYMENT_DECLINED' ? end(errorMessage(error)) : rejected;
    }

    setStep(isRequest ? 'Asking the owner…' : 'Booking…');
    // Ignore a failure of this request, because Stripe's webhook also completes the payment.
    await confirmPayment(sent);
    toastSuccess(
      isRequest
        ? `${owner} is asked. Your card is charged only if ${owner} accepts.`
        : `${formatMoney(dueCents / 100)} paid. Your booking is being changed.`,
    );
    await showBooking();
    return null;
  };

  const pay = (card: Card) => payOnce(() => attempt(card));

  const note = isRequest ? chargedIfAccepted : '';
  return { pay, payable: dueCents, note, step, problem, isGone, clearProblem };
}

interface PayChangeProps {
  booking: Booking;
  change: UnpaidChange;
  user: SessionUser;
}

export function PayChange({ booking, change, user }: PayChangeProps) {
  const checkout = usePayChange(user, booking, change);
  const hasEnded = useNow(1000) >= Date.parse(change.expiresAt);
  // Keep the form while the bank is processing the card, even if the change expires meanwhile.
  const isOver = (checkout.isGone || hasEnded) && checkout.step === '';
  const showBooking = useShowBooking(booking);
  const [releaseChange, { isLoading }] = useReleaseChangeMutation();
  const then = change.onRequest ? `${booking.toolOwner.first_name} accepts` : 'you have paid';
  const keep = async () => {
    const { holdId } = change;
    const { error } = await releaseChange({ userId: user.id, holdId, bookingId: booking.id });
    if (isPaidAlready(error)) await showBooking();
    else if (error) toastError(errorMessage(error));
  };
  return (
    <div className={classes.columns}>
      <Stack component="section" aria-label="The change">
        <Text fw={700} fz="lg">
          {booking.name}
        </Text>
        <Facts>
          <Fact name="Pickup Date">{formatDayAndTime(change.start_date, change.start_time)}</Fact>
          <Fact name="Returning Date">{formatDayAndTime(change.end_date, change.end_time)}</Fact>
          {change.quantity > 1 && <Fact name="Quantity">{change.quantity}</Fact>}
          <Fact name="Paid already">{formatMoney(booking.paid)}</Fact>
        </Facts>
        <Text c="dimmed">{isOver ? tooLate : `Until ${then}, your booking stays as it is.`}</Text>
        <Button
          variant={isOver ? 'filled' : 'default'}
          loading={isLoading}
          disabled={checkout.step !== ''}
          onClick={() => void keep()}
        >
          {isOver ? 'Choose again' : 'Keep the booking as it is'}
        </Button>
      </Stack>
      {!isOver && (
        <section className={classes.pay} aria-label="Payment">
          <Stack gap="md">
            <div className={classes.total}>
              <span>{change.onRequest ? 'To pay if accepted' : 'To pay now'}</span>
              <span className="tabular">{formatMoney(change.dueCents / 100)}</span>
            </div>
            <HoldCountdown hold={change} over="Your time to pay is over." />
            <CardArea checkout={checkout} />
          </Stack>
        </section>
      )}
    </div>
  );
}
