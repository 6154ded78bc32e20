import { routes, toDollars } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, once, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { rejectParty } from '../../domain/actor.ts';
import { isShown, sumLeft } from '../../domain/booking.ts';
import { bookingNotFound, refundTooLarge } from '../../domain/errors.ts';
import { refundParts } from '../../settle/refund-parts.ts';
import { lockAllocations } from '../../store/allocation-repository.ts';
import { partiesOf } from '../../store/booking-events.ts';
import { lockBooking, renewVersion } from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';

interface Grant {
  bookingId: string;
  adminId: string;
  amountCents: number;
  reason: string;
}

/** `POST …/refund-booking/:id`: an admin refunds unrefunded money of a booking, before or after the return. */
export const refundBooking = ({ pool }: Deps) =>
  handle(routes.refundBooking, async ({ user, params, body, idempotencyKey }) => {
    const { amountCents, reason } = body;
    const grant = { bookingId: params.id, adminId: user.userId, amountCents, reason };
    await once(
      pool,
      { key: idempotencyKey, scope: user.userId, route: 'refundBooking', content: grant },
      (tx) => grantRefund(tx, grant),
    );
    const rental = await readBooking(pool, params.id, user);
    return { message: `$${toDollars(amountCents).toFixed(2)} goes back to the card.`, rental };
  });

const grantRefund = async (tx: Transaction, grant: Grant): Promise<{ id: string }> => {
  const { bookingId, adminId, amountCents, reason } = grant;
  const booking = await lockBooking(tx, bookingId);
  if (!booking || !isShown(booking)) throw bookingNotFound();
  rejectParty(booking, adminId);
  // An admin's refund is sent at once, so it excludes money that a bank holds in an open dispute.
  const allocations = await lockAllocations(tx, bookingId, { withHeld: false });
  const left = sumLeft(allocations);
  if (amountCents > left) throw refundTooLarge(toDollars(left));
  const { rows } = await tx.query<{ id: string }>(
    `INSERT INTO refund_grants (booking_id, admin_id, amount_cents, reason) VALUES ($1, $2, $3, $4)
     RETURNING id`,
    [bookingId, adminId, amountCents, reason],
  );
  const { id } = rows[0] as { id: string };
  const order = { allocations, refundCents: amountCents, grantId: id, reason: 'admin' } as const;
  const refunds = await refundParts(tx, booking, order);
  const changed = await renewVersion(tx, booking);
  const event = newEvent('BookingRefundGranted', changed, {
    ...partiesOf(changed),
    bookingCode: changed.code,
    grantId: id,
    adminId,
    reason,
    refunds,
  });
  await addToOutbox(tx, event);
  return { id };
};
