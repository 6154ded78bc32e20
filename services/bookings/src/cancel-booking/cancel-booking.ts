import { routes, toCents } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { faultPoint, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { lockAllocations } from '../allocation-repository.ts';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, saveStatus } from '../booking-repository.ts';
import { readBooking } from '../booking-view.ts';
import { endOpenChange } from '../change-repository.ts';
import type { Deps } from '../deps.ts';
import { cancel, previewCancel, sumLeft } from '../domain/booking.ts';
import { bookingNotFound, refundChanged } from '../errors.ts';
import { giveBack } from '../give-back.ts';
import { lockAsParty } from '../lock-as-party.ts';
import { databaseNow } from '../purchase-repository.ts';
import { deleteReview, hasReview } from '../review-repository.ts';

type Canceller = 'renter' | 'owner' | 'admin';

/** `POST …/cancel-booking/:id`: the dates are free at once, and what the policy says is refunded to its card. */
export const cancelBooking = ({ pool }: Deps) =>
  handle(routes.cancelBooking, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (booking.status === 'cancelled') return;
      await cancelNow(tx, booking, { by, reason: body.reason ?? '', shownCents: body.refundCents });
      await faultPoint('cancel.beforeCommit');
    });
    await faultPoint('cancel.beforeReply');
    const rental = await readBooking(pool, params.id, user);
    if (!rental.cancellation) throw bookingNotFound();
    const { refund } = rental.cancellation;
    return { message: messageOf(refund), rental, refundCents: toCents(refund) };
  });

const messageOf = (refund: number): string =>
  refund > 0
    ? `This booking is cancelled, and $${refund.toFixed(2)} goes back to the card.`
    : 'This booking is cancelled. Nothing goes back to the card.';

const cancelNow = async (
  tx: Transaction,
  booking: BookingRow,
  { by, reason, shownCents }: { by: Canceller; reason: string; shownCents: number | undefined },
): Promise<void> => {
  const now = await databaseNow(tx);
  const isReviewed = await hasReview(tx, booking.id);
  const cancelled = await saveStatus(tx, booking, cancel(booking, by, { now, isReviewed }));
  if (isReviewed) await withdrawReview(tx, cancelled);
  await endOpenChange(tx, booking.id);
  await tx.query('UPDATE bookings SET cancelled_by = $2, cancel_reason = $3 WHERE id = $1', [
    booking.id,
    by,
    reason,
  ]);
  // The renter is owed what a bank holds, too: nobody would come back to it when the dispute is won.
  const allocations = await lockAllocations(tx, booking.id, { withHeld: true });
  const preview = previewCancel(booking, by, { now, leftCents: sumLeft(allocations) });
  const { refundCents, keptCents } = preview;
  if (shownCents !== undefined && shownCents !== refundCents) throw refundChanged(preview);
  const order = { allocations, refundCents, grantId: null, reason: 'cancelled' } as const;
  const refunds = await giveBack(tx, booking, order);
  const event = newEvent('BookingCancelled', cancelled, {
    ...partiesOf(cancelled),
    bookingCode: cancelled.code,
    quantity: cancelled.quantity,
    cancelledBy: by,
    reason,
    startsAt: cancelled.startsAt.toISOString(),
    endsAt: cancelled.endsAt.toISOString(),
    refunds,
    keptCents,
    changes: cancelled.changeCount,
  });
  await addToOutbox(tx, event);
};

/** What was paid back in full rates nothing. */
const withdrawReview = async (tx: Transaction, booking: BookingRow): Promise<void> => {
  const sums = await deleteReview(tx, booking.id);
  if (!sums) return;
  const data = { ...partiesOf(booking), toolRatingCount: sums.count, toolRatingSum: sums.sum };
  await addToOutbox(tx, newEvent('ReviewWithdrawn', { ...sums, id: booking.toolId }, data));
};
