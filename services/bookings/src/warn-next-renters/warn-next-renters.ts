import { addToOutbox } from '@lendtools/event-bus';
import { inTransaction, type Pool } from '@lendtools/service-kit';
import { reminderDue } from '../booking-events.ts';
import { lockBookingsHeldUp, saveToldLate } from '../booking-repository.ts';
import { isHeldUp } from '../domain/reminders.ts';
import { databaseNow } from '../purchase-repository.ts';

/**
 * Publishes, once for each booking, that a unit of it is not back from the renter before. Safe on several replicas at once.
 */
export const warnNextRenters = (pool: Pool, at?: Date): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const now = at ?? (await databaseNow(tx));
    const found = await lockBookingsHeldUp(tx, now);
    const heldUp = found.filter(({ before, ...booking }) => isHeldUp(booking, before, now));
    // Several units of a booking may be late.
    const bookings = new Map(heldUp.map((booking) => [booking.id, booking]));
    await addToOutbox(
      tx,
      ...[...bookings.values()].map((booking) =>
        reminderDue(booking, { kind: 'tool-late', usefulUntil: booking.startsAt }),
      ),
    );
    await saveToldLate(tx, [...bookings.keys()]);
  });
