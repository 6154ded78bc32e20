import { routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { forbidden, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, saveLateReturn, saveStatus } from '../booking-repository.ts';
import { readBooking } from '../booking-view.ts';
import { endOpenChange } from '../change-repository.ts';
import type { Deps } from '../deps.ts';
import * as rules from '../domain/booking.ts';
import { lockAsParty } from '../lock-as-party.ts';
import { databaseNow } from '../purchase-repository.ts';

/**
 * `PUT …/update-booking/:id`: the owner or an admin confirms the return, which frees the remaining dates. For a
 * completed booking it only records the return. The documented body has every field of the booking, but only
 * `returned_status` is used.
 */
export const acceptReturn = ({ pool }: Deps) =>
  handle(routes.updateBooking, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (by === 'renter') throw forbidden();
      if (body.returned_status === 'Returned') await markReturned(tx, booking, by);
    });
    return { rental: await readBooking(pool, params.id, user) };
  });

const markReturned = async (
  tx: Transaction,
  booking: BookingRow,
  by: rules.Actor,
): Promise<void> => {
  if (booking.returnedAt) return;
  const status = rules.acceptReturn(booking, by, await databaseNow(tx));
  const returned =
    status === 'completed'
      ? await saveLateReturn(tx, booking)
      : await saveStatus(tx, booking, status);
  await endOpenChange(tx, booking.id);
  const data = { ...partiesOf(returned), quantity: returned.quantity };
  await addToOutbox(tx, newEvent('BookingReturned', returned, data));
};
