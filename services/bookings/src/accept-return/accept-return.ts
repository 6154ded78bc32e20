import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { forbidden, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, lockBooking, saveStatus } from '../booking-repository.ts';
import { findBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import * as rules from '../domain/booking.ts';
import { bookingNotFound } from '../errors.ts';
import { databaseNow } from '../purchase-repository.ts';

/**
 * `PUT …/update-booking/:id`: the owner, or an admin, confirms that the tool came back, which frees the rest of its dates. The
 * documented body carries every field of the booking; `returned_status` alone is heeded.
 */
export const acceptReturn = ({ pool }: Deps) =>
  handle(routes.updateBooking, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, params.id);
      const actor = booking && rules.actorOf(booking, user);
      if (!booking || !actor || booking.status === 'held' || booking.status === 'expired')
        throw bookingNotFound();
      if (actor === 'renter') throw forbidden();
      if (body.returned_status === 'Returned') await markReturned(tx, booking, actor);
    });
    const rental = await findBooking(pool, params.id, user);
    if (!rental) throw bookingNotFound();
    return { rental };
  });

const markReturned = async (
  tx: Transaction,
  booking: BookingRow,
  by: rules.Actor,
): Promise<void> => {
  if (booking.status === 'returned') return;
  const returned = await saveStatus(
    tx,
    booking,
    rules.acceptReturn(booking, by, await databaseNow(tx)),
  );
  const data = { ...partiesOf(returned), quantity: returned.quantity };
  await addToOutbox(tx, newEvent('BookingReturned', returned, data));
};
