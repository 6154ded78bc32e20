import { routes, toDollars } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, lockBooking, saveStatus } from '../booking-repository.ts';
import { findBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import { actorOf, cancel, type Draw, refundFor, spreadRefund } from '../domain/booking.ts';
import { bookingNotFound } from '../errors.ts';
import { databaseNow } from '../purchase-repository.ts';
import { orderRefunds } from '../refund-repository.ts';

type Canceller = 'renter' | 'owner' | 'admin';

/** `POST …/cancel-booking/:id`: the dates are free at once, the money goes back to the card it came from. */
export const cancelBooking = ({ pool }: Deps) =>
  handle(routes.cancelBooking, async ({ user, params, body }) => {
    const refund = await inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, params.id);
      const by = booking && actorOf(booking, user);
      if (!booking || !by || booking.status === 'held' || booking.status === 'expired')
        throw bookingNotFound();
      if (booking.status === 'cancelled') return refundedCents(tx, booking.id);
      return cancelNow(tx, booking, { by, reason: body.reason ?? '' });
    });
    const rental = await findBooking(pool, params.id);
    if (!rental) throw bookingNotFound();
    return {
      message: `This booking is cancelled, and $${toDollars(refund).toFixed(2)} goes back to the card.`,
      rental,
      refund,
    };
  });

const cancelNow = async (
  tx: Transaction,
  booking: BookingRow,
  { by, reason }: { by: Canceller; reason: string },
): Promise<number> => {
  const now = await databaseNow(tx);
  const isReviewed = await hasReview(tx, booking.id);
  const cancelled = await saveStatus(tx, booking, cancel(booking, by, { now, isReviewed }));
  if (isReviewed) await withdrawReview(tx, cancelled);
  await tx.query('UPDATE bookings SET cancelled_by = $2, cancel_reason = $3 WHERE id = $1', [
    booking.id,
    by,
    reason,
  ]);
  const refundCents = refundFor(booking, by, now);
  const refunds = spreadRefund(await drawsOf(tx, booking.id), refundCents);
  for (const refund of refunds) {
    await tx.query(
      'UPDATE draws SET refunded_cents = $3 WHERE booking_id = $1 AND payment_id = $2',
      [booking.id, refund.paymentId, refund.refundCents],
    );
  }
  await orderRefunds(tx, {
    bookingId: booking.id,
    reason: 'cancelled',
    toolNames: [booking.name],
    refunds,
  });
  const event = newEvent('BookingCancelled', cancelled, {
    ...partiesOf(cancelled),
    bookingCode: cancelled.code,
    quantity: cancelled.quantity,
    cancelledBy: by,
    reason,
    refunds,
  });
  await addToOutbox(tx, event);
  return refundCents;
};

const hasReview = async (tx: Transaction, bookingId: string): Promise<boolean> => {
  const { rowCount } = await tx.query('SELECT FROM reviews WHERE booking_id = $1', [bookingId]);
  return rowCount !== 0;
};

/** What was paid back in full rates nothing. */
const withdrawReview = async (tx: Transaction, booking: BookingRow): Promise<void> => {
  const { rows } = await tx.query<{ version: number; count: number; sum: number }>(
    `WITH gone AS (DELETE FROM reviews WHERE booking_id = $1 RETURNING tool_id, rating)
     UPDATE tool_ratings t SET version = t.version + 1, rating_count = t.rating_count - 1,
       rating_sum = t.rating_sum - gone.rating
     FROM gone WHERE t.tool_id = gone.tool_id
     RETURNING t.version, t.rating_count AS count, t.rating_sum AS sum`,
    [booking.id],
  );
  for (const { version, count, sum } of rows) {
    const data = { ...partiesOf(booking), toolRatingCount: count, toolRatingSum: sum };
    await addToOutbox(tx, newEvent('ReviewWithdrawn', { id: booking.toolId, version }, data));
  }
};

const drawsOf = async (tx: Transaction, bookingId: string): Promise<Draw[]> => {
  const { rows } = await tx.query<Draw>(
    `SELECT payment_id AS "paymentId", amount_cents AS "amountCents" FROM draws
     WHERE booking_id = $1 ORDER BY payment_id`,
    [bookingId],
  );
  return rows;
};

const refundedCents = async (tx: Transaction, bookingId: string): Promise<number> => {
  const { rows } = await tx.query<{ sum: number }>(
    'SELECT coalesce(sum(refunded_cents), 0)::int AS sum FROM draws WHERE booking_id = $1',
    [bookingId],
  );
  return rows[0]?.sum ?? 0;
};
