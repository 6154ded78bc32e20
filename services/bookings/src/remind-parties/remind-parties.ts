import { addToOutbox } from '@lendtools/event-bus';
import { inTransaction, type Pool } from '@lendtools/service-kit';
import { reminderDue } from '../booking-events.ts';
import { lockBookingsToRemind, saveNextReminders } from '../booking-repository.ts';
import { remindersAt } from '../domain/reminders.ts';
import { databaseNow } from '../purchase-repository.ts';

/**
 * Publishes the reminders that are due, each once, also on several replicas: a booking is locked while its next one is
 * worked out. Of those that a downtime has delayed, only what is still of use; of a booking that is over, none.
 */
export const remindParties = async (pool: Pool, at?: Date): Promise<void> => {
  let looked: number;
  do {
    looked = await inTransaction(pool, async (tx) => {
      const now = at ?? (await databaseNow(tx));
      const bookings = await lockBookingsToRemind(tx, now);
      const found = bookings.map((booking) => ({ booking, ...remindersAt(booking, now) }));
      await addToOutbox(
        tx,
        ...found.flatMap(({ booking, due }) => due.map((one) => reminderDue(booking, one))),
      );
      await saveNextReminders(
        tx,
        found.map(({ booking: { id }, nextAt }) => ({ id, nextAt })),
      );
      return bookings.length;
    });
  } while (looked > 0);
};
