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
 * `POST …/undo-return/:id`: takes back a return that was confirmed by mistake. The return itself is accepted at once, as
 * documented: a page that would wait a minute before it sends it loses it with the tab.
 */
export const undoReturn = ({ pool }: Deps) =>
  handle(routes.undoReturn, async ({ user, params }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (by === 'renter') throw forbidden();
      // It is out: a second press, or another tab's, asks for what is so already.
      if (booking.status !== 'confirmed') await takeBack(tx, booking, by);
    });
    return { rental: await readBooking(pool, params.id, user) };
  });

const takeBack = async (tx: Transaction, booking: BookingRow, by: rules.Actor): Promise<void> => {
  // Whether the renter relied on the return; one may review before it, too.
  const [now, isReviewed] = [
    await databaseNow(tx),
    await hasReview(tx, booking.id, booking.returnedAt),
  ];
  // Locked, since its units are taken again: otherwise this and a cart could wait for each other's units.
  const isRemoved = (await lockTools(tx, [booking.toolId])).get(booking.toolId)?.removed ?? false;
  rules.undoReturn(booking, by, { now, isReviewed, isRemoved });
  // Not by the calendar: the tool is out, whatever its terms say. Who booked so soon after it that the buffer is gone keeps
  // the dates, and is told if it comes back late; only the same dates are nobody else's.
  const reopened = await reopenBooking(tx, booking);
  const data = { ...partiesOf(reopened), quantity: reopened.quantity };
  await addToOutbox(tx, newEvent('BookingReturnUndone', reopened, data));
};
