import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { forbidden, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, reopenBooking } from '../booking-repository.ts';
import { readBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import * as rules from '../domain/booking.ts';
import { lockAsParty } from '../lock-as-party.ts';
import { databaseNow } from '../purchase-repository.ts';
import { hasReview } from '../review-repository.ts';
import { lockTools } from '../tool-repository.ts';

/**
 * `POST …/undo-return/:id`: undoes a return that was confirmed by mistake. A page could instead wait a minute before it sends the
 * return, but then closing the tab would lose it.
 */
export const undoReturn = ({ pool }: Deps) =>
  handle(routes.undoReturn, async ({ user, params }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (by === 'renter') throw forbidden();
      // No-op if already undone, by a second click or in another tab.
      if (booking.status !== 'confirmed') await reopen(tx, booking, by);
    });
    return { rental: await readBooking(pool, params.id, user) };
  });

const reopen = async (tx: Transaction, booking: BookingRow, by: rules.Actor): Promise<void> => {
  // Only a review since the return forbids the undo; renters may also review before it.
  const [now, isReviewed] = [
    await databaseNow(tx),
    await hasReview(tx, booking.id, booking.returnedAt),
  ];
  // Lock the tool before taking its units again: otherwise this and a cart could deadlock on them.
  const isRemoved = (await lockTools(tx, [booking.toolId])).get(booking.toolId)?.removed ?? false;
  rules.undoReturn(booking, by, { now, isReviewed, isRemoved });
  // Don't check the calendar: the tool is out, whatever its terms say. A booking made meanwhile within the buffer stays, and its
  // renter is warned if the tool comes back late. Only taken dates, or a booking code in use, prevent the undo.
  const reopened = await reopenBooking(tx, booking);
  const data = { ...partiesOf(reopened), quantity: reopened.quantity };
  await addToOutbox(tx, newEvent('BookingReturnUndone', reopened, data));
};
