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
import {
  type BookingRow,
  lockAsParty,
  saveLateReturn,
  saveStatus,
} from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import { endOpenChange } from '../../store/change-repository.ts';

/** `PUT …/update-booking/:id`: confirms the return. Uses only the field `returned_status` of the documented body. */
export const acceptReturn = ({ pool }: Deps) =>
  handle(routes.updateBooking, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (by === 'renter') throw forbidden();
      if (body.returned_status === 'Returned') await markReturned(tx, booking, by);
    });
    return { rental: await readBooking(pool, params.id, user) };
  });

const markReturned = async (tx: Transaction, booking: BookingRow, by: Actor): Promise<void> => {
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
