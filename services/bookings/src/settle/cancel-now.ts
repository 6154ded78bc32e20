import type { CancelCause } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { databaseNow, type Transaction } from '@lendtools/service-kit';
import type { Actor } from '../domain/actor.ts';
import { cancel, previewCancel, sumLeft, sumUnrefunded } from '../domain/booking.ts';
import { refundChanged } from '../domain/errors.ts';
import { findEarnings, findPaymentIds, lockAllocations } from '../store/allocation-repository.ts';
import { partiesOf } from '../store/booking-events.ts';
import { type BookingRow, lockBooking, saveStatus } from '../store/booking-repository.ts';
import { endOpenChange } from '../store/change-repository.ts';
import { deleteReview, hasReview } from '../store/review-repository.ts';
import { refundParts } from './refund-parts.ts';

/** Why the system cancels a booking. Both parties get this text in their notice and email. */
const causes: Record<CancelCause, string> = {
  'owner-disabled': 'The owner’s account is no longer active.',
  'dispute-lost': 'The payment was disputed, and the bank returned it to the cardholder.',
};

/** Cancels a booking that has not started, with a full refund. Idempotent. @returns `started` or `over` if too late */
export const cancelBySystem = async (
  tx: Transaction,
  bookingId: string,
  cause: CancelCause,
): Promise<'cancelled' | 'started' | 'over'> => {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.status !== 'confirmed') return 'over';
  if (booking.startsAt <= (await databaseNow(tx))) return 'started';
  await cancelNow(tx, booking, { by: 'system', reason: causes[cause] });
  await tx.query('UPDATE bookings SET cancel_cause = $2 WHERE id = $1', [bookingId, cause]);
  return 'cancelled';
};

/** Cancels a locked booking. @throws AppError REFUND_CHANGED if the client confirmed a different refund */
export const cancelNow = async (
  tx: Transaction,
  booking: BookingRow,
  { by, reason, shownCents }: { by: Actor; reason: string; shownCents?: number | undefined },
): Promise<void> => {
  const now = await databaseNow(tx);
  const isReviewed = await hasReview(tx, booking.id);
  const cancelled = await saveStatus(tx, booking, cancel(booking, by, { now, isReviewed }));
  if (isReviewed) await withdrawReview(tx, cancelled);
  await endOpenChange(tx, booking.id);
  // Store the system as `admin`: the app shows both as "LendTools", and `cancel_cause` says why the system cancelled.
  const cancelledBy = by === 'system' ? 'admin' : by;
  await tx.query('UPDATE bookings SET cancelled_by = $2, cancel_reason = $3 WHERE id = $1', [
    booking.id,
    cancelledBy,
    reason,
  ]);
  // Include money that a bank holds: no later step would refund it once the dispute is won.
  const allocations = await lockAllocations(tx, booking.id, { withHeld: true });
  const preview = previewCancel(booking, by, { now, leftCents: sumLeft(allocations) });
  const { refundCents, keptCents } = preview;
  if (shownCents !== undefined && shownCents !== refundCents) throw refundChanged(preview);
  const entitled = previewCancel(booking, by, { now, leftCents: sumUnrefunded(allocations) });
  const refunds = await refundParts(tx, booking, {
    allocations,
    refundCents: entitled.refundCents,
    grantId: null,
    reason: 'cancelled',
  });
  const earnings = await findEarnings(tx, cancelled);
  const event = newEvent('BookingCancelled', cancelled, {
    ...partiesOf(cancelled),
    paymentIds: await findPaymentIds(tx, booking.id),
    bookingCode: cancelled.code,
    quantity: cancelled.quantity,
    cancelledBy,
    reason,
    startsAt: cancelled.startsAt.toISOString(),
    endsAt: cancelled.endsAt.toISOString(),
    refunds,
    keptCents,
    ...(earnings && { earnings }),
    changes: cancelled.changeCount,
  });
  await addToOutbox(tx, event);
};

/** Deletes the cancelled booking's review, if there is one. Only an admin can cancel a reviewed booking. */
const withdrawReview = async (tx: Transaction, booking: BookingRow): Promise<void> => {
  const sums = await deleteReview(tx, booking.id);
  if (!sums) return;
  const data = { ...partiesOf(booking), toolRatingCount: sums.count, toolRatingSum: sums.sum };
  await addToOutbox(tx, newEvent('ReviewWithdrawn', { ...sums, id: booking.toolId }, data));
};
