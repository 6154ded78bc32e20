import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { forbidden, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, lockBooking, reopenBooking } from '../booking-repository.ts';
import { findBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import * as rules from '../domain/booking.ts';
import { bookingNotFound } from '../errors.ts';
import { databaseNow } from '../purchase-repository.ts';
import { findTools } from '../tool-repository.ts';

/**
 * `POST …/undo-return/:id`: takes back a return that was confirmed by mistake. The return itself is accepted at once, as
 * documented: a page that would wait a minute before it sends it loses it with the tab.
 */
export const undoReturn = ({ pool }: Deps) =>
  handle(routes.undoReturn, async ({ user, params }) => {
    await inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, params.id);
      const actor = booking && rules.actorOf(booking, user);
      if (!booking || !actor || booking.status === 'held' || booking.status === 'expired')
        throw bookingNotFound();
      if (actor === 'renter') throw forbidden();
      // It is out: a second press, or another tab's, asks for what is so already.
      if (booking.status !== 'confirmed') await takeBack(tx, booking, actor);
    });
    const rental = await findBooking(pool, params.id, user);
    if (!rental) throw bookingNotFound();
    return { rental };
  });

const takeBack = async (tx: Transaction, booking: BookingRow, by: rules.Actor): Promise<void> => {
  const [now, isReviewed] = [await databaseNow(tx), await hasReview(tx, booking)];
  const isRemoved = (await findTools(tx, [booking.toolId])).get(booking.toolId)?.removed ?? false;
  rules.undoReturn(booking, by, { now, isReviewed, isRemoved });
  const reopened = await reopenBooking(tx, booking);
  const data = { ...partiesOf(reopened), quantity: reopened.quantity };
  await addToOutbox(tx, newEvent('BookingReturnUndone', reopened, data));
};

/** Whether the renter relied on the return; one may review before it, too. */
const hasReview = async (tx: Transaction, { id, returnedAt }: BookingRow): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'SELECT FROM reviews WHERE booking_id = $1 AND created_at >= $2',
    [id, returnedAt],
  );
  return rowCount !== 0;
};
