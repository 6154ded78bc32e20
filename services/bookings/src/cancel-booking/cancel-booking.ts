import { routes, toCents } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, saveStatus } from '../booking-repository.ts';
import { readBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import { cancel, refundFor } from '../domain/booking.ts';
import { giveBack, lockDraws, sumLeft } from '../draw-repository.ts';
import { bookingNotFound } from '../errors.ts';
import { lockAsParty } from '../lock-as-party.ts';
import { databaseNow } from '../purchase-repository.ts';
import { orderRefunds } from '../refund-repository.ts';

type Canceller = 'renter' | 'owner' | 'admin';

/** `POST …/cancel-booking/:id`: the dates are free at once, the money goes back to the card it came from. */
export const cancelBooking = ({ pool }: Deps) =>
  handle(routes.cancelBooking, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (booking.status === 'cancelled') return;
      await cancelNow(tx, booking, { by, reason: body.reason ?? '' });
    });
    const rental = await readBooking(pool, params.id, user);
    if (!rental.cancellation) throw bookingNotFound();
    const { refund } = rental.cancellation;
    return { message: messageOf(refund), rental, refund: toCents(refund) };
  });

const messageOf = (refund: number): string =>
  refund > 0
    ? `This booking is cancelled, and $${refund.toFixed(2)} goes back to the card.`
    : 'This booking is cancelled. Nothing is left that could go back to the card.';

const cancelNow = async (
  tx: Transaction,
  booking: BookingRow,
  { by, reason }: { by: Canceller; reason: string },
): Promise<void> => {
  const now = await databaseNow(tx);
  const isReviewed = await hasReview(tx, booking.id);
  const cancelled = await saveStatus(tx, booking, cancel(booking, by, { now, isReviewed }));
  if (isReviewed) await withdrawReview(tx, cancelled);
  await tx.query('UPDATE bookings SET cancelled_by = $2, cancel_reason = $3 WHERE id = $1', [
    booking.id,
    by,
    reason,
  ]);
  // The renter is owed what a bank holds, too: nobody would come back to it when the dispute is won.
  const draws = await lockDraws(tx, booking.id, { withHeld: true });
  const refundCents = Math.min(refundFor(booking, by, now), sumLeft(draws));
  const refunds = await giveBack(tx, booking.id, { draws, refundCents });
  await orderRefunds(tx, {
    bookingId: booking.id,
    grantId: null,
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
