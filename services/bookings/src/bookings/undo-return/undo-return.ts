import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  databaseNow,
  forbidden,
  handle,
  inTransaction,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import type { Actor } from '../../domain/actor.ts';
import * as rules from '../../domain/booking.ts';
import { partiesOf } from '../../store/booking-events.ts';
import { type BookingRow, lockAsParty, reopenBooking } from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import { hasReview } from '../../store/review-repository.ts';
import { lockTools } from '../../store/tool-repository.ts';

/**
 * `POST …/undo-return/:id`: undoes a return. If the page instead waited a minute before it sent a return, closing the
 * tab would lose the return.
 */
export const undoReturn = ({ pool }: Deps) =>
  handle(routes.undoReturn, async ({ user, params }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (by === 'renter') throw forbidden();
      // No-op if the return is already undone, by a second click or in another tab.
      if (booking.status !== 'confirmed') await reopen(tx, booking, by);
    });
    return { rental: await readBooking(pool, params.id, user) };
  });

const reopen = async (tx: Transaction, booking: BookingRow, by: Actor): Promise<void> => {
  // Only a review written since the return prevents the undo. Renters may also review before the return.
  const [now, isReviewed] = [
    await databaseNow(tx),
    await hasReview(tx, booking.id, booking.returnedAt),
  ];
  // Lock the tool before its units, or this transaction and a cart could deadlock.
  const isRemoved = (await lockTools(tx, [booking.toolId])).get(booking.toolId)?.removed ?? false;
  rules.undoReturn(booking, by, { now, isReviewed, isRemoved });
  // Don't check the owner's terms: the renter has the tool already. Fail only if another booking has the dates by now.
  const reopened = await reopenBooking(tx, booking);
  const data = { ...partiesOf(reopened), quantity: reopened.quantity };
  await addToOutbox(tx, newEvent('BookingReturnUndone', reopened, data));
};
