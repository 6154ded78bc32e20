import type { Booking, Hold } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Group, Loader, Text, Title } from '@mantine/core';
import { IconReceiptOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import { errorMessage, errorStatus } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { EmptyState } from '../../ui/page-states.tsx';
import type { BookingResult, LineLeft } from './booking-result.ts';
import classes from './cart.module.css';
import { isSameLine, linesBooked, selectCart } from './cart-slice.ts';
import { useAddRentalBookingMutation } from './checkout-api.ts';
import type { Checkout, CheckoutPart } from './checkout-slice.ts';
import { cartKey, paidPartsBooked, selectCheckout, useCheckoutDispatch } from './checkout-steps.ts';

/** The pauses between retries, about half a minute in total, while the bookings service waits for the payment event. */
const pausesMs = [400, 800, 1500, 2500, 4000, 6000, 8000, 10_000];

/** Status 402 is not final: the payment event may not have reached the bookings service yet. */
function isFinal(status: unknown) {
  return (
    typeof status === 'number' && status >= 400 && status < 500 && status !== 402 && status !== 429
  );
}

/** The statuses that count as success; the owner may already have declined a request. */
const successStatuses = new Set<Booking['booking_status']>(['Requested', 'Booked']);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function inWords(error: unknown): string {
  return errorStatus(error) === 401 ? 'kindly login to make bookings' : errorMessage(error);
}

const notCharged = 'Your card was not charged.';
const isSafe =
  'Your payment is safe: either the booking appears in My Rental History within a few minutes, or the full amount goes back to your card.';

/** Books the lines of a paid hold. Can be repeated: a retry returns the existing bookings. */
function useBookLines() {
  const userId = useUser()?.id ?? '';
  const [addRentalBooking] = useAddRentalBookingMutation();

  const bookLine = async (line: Hold['lines'][number]): Promise<Booking> => {
    for (const wait of [...pausesMs, null]) {
      const { data, error } = await addRentalBooking({ userId, line });
      if (data) return data;
      if (wait === null || isFinal(errorStatus(error))) throw error;
      await pause(wait);
    }
    throw new Error('unreachable: the last try returns or throws');
  };
  return async (hold: Hold) => {
    const bookings: Booking[] = [];
    for (const line of hold.lines) bookings.push(await bookLine(line));
    return bookings;
  };
}

/** The lines that were not paid, because the payments stopped at the first of them. */
function unpaidLines({ parts, problem }: Checkout): LineLeft[] {
  const unpaid = parts.filter(({ isPaid }) => !isPaid);
  return unpaid.flatMap(({ hold, isOver }, index) =>
    hold.lines.map((line) => ({
      line,
      why: (index === 0 && problem) || 'Not paid yet.',
      canPay: true,
      ...(!isOver && { keptUntil: hold.expiresAt }),
    })),
  );
}

function Processing({ isRequest }: { isRequest: boolean }) {
  return (
    <div className={classes.wait} role="status">
      <title>Processing · LendTools</title>
      <Loader size="lg" />
      <Title order={1} fz="h2">
        ....processing
      </Title>
      <Text c="dimmed">
        {isRequest
          ? 'Your card is authorized. Asking the owner…'
          : 'Your payment went through. Confirming your booking…'}
      </Text>
    </div>
  );
}

function NotBooked(props: { text: string; isRequest: boolean; onRetry: () => void }) {
  const { text, isRequest, onRetry } = props;
  return (
    <EmptyState
      icon={IconReceiptOff}
      order={1}
      role="alert"
      title={text}
      action={
        <Group justify="center">
          <Button onClick={onRetry}>Try again</Button>
          <Button component={Link} to={paths.rentalHistory} variant="default">
            My Rental History
          </Button>
        </Group>
      }
    >
      {isRequest ? notCharged : isSafe}
    </EmptyState>
  );
}

/** The page after the payments: creates the bookings, removes them from the cart and continues to the success page. */
export default function BookingPage() {
  const current = useSelector(selectCheckout);
  const checkout = useRef(current).current;
  const paid = checkout?.parts.filter(({ isPaid }) => isPaid) ?? [];
  const isRequest = paid.every(({ hold }) => hold.onRequest);
  const [failure, setFailure] = useState('');
  const begun = useRef(false);
  const bookLines = useBookLines();
  const { cartItems } = useSelector(selectCart);
  const dispatch = useCheckoutDispatch();
  const navigate = useNavigate();

  const bookPart = async ({ hold }: CheckoutPart) => {
    try {
      return { bookings: await bookLines(hold), hold };
    } catch (error) {
      return { why: inWords(error), hold, bookings: [] };
    }
  };
  const book = async (paidCheckout: Checkout) => {
    setFailure('');
    const results: Awaited<ReturnType<typeof bookPart>>[] = [];
    for (const part of paid) results.push(await bookPart(part));
    const bookings = results.flatMap((result) => result.bookings);
    const failed = results.flatMap(({ why, hold }): LineLeft[] =>
      why
        ? hold.lines.map((line) => ({
            line,
            why: `${why} ${hold.onRequest ? notCharged : isSafe}`,
          }))
        : [],
    );
    if (bookings.length === 0) {
      setFailure(results.find(({ why }) => why)?.why ?? '');
      return;
    }
    const unpaid = unpaidLines(paidCheckout);
    const left = [...failed, ...unpaid];
    const state: BookingResult = { bookings, left };
    const other = bookings.find(({ booking_status }) => !successStatuses.has(booking_status));
    const isAlone = bookings.length === 1 && left.length === 0;
    const to = other && isAlone ? paths.ofId(paths.rental, other.id) : paths.bookingSuccess;
    await navigate(to, { replace: true, state });
    dispatch(linesBooked(paid.flatMap(({ hold }) => hold.lines)));
    const kept = cartItems.filter((item) => unpaid.some(({ line }) => isSameLine(item, line)));
    dispatch(paidPartsBooked(cartKey(kept)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts once, on mount.
  useEffect(() => {
    if (begun.current || !checkout || paid.length === 0) return;
    begun.current = true;
    void book(checkout);
  }, []);

  if (!checkout || paid.length === 0) {
    return (
      <EmptyState
        icon={IconReceiptOff}
        order={1}
        title="Nothing to confirm"
        action={
          <Button component={Link} to={paths.rentalHistory}>
            My Rental History
          </Button>
        }
      >
        Everything that you have booked is in My Rental History.
      </EmptyState>
    );
  }
  return failure ? (
    <NotBooked text={failure} isRequest={isRequest} onRetry={() => void book(checkout)} />
  ) : (
    <Processing isRequest={isRequest} />
  );
}
