import { addToOutbox } from '@lendtools/event-bus';
import { databaseNow, inTransaction, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { overdueFrom, warnAt, warnableFrom } from '../../domain/reminders.ts';
import { reminderDue } from '../../store/booking-events.ts';
import { type BookingRow, lockBooking } from '../../store/booking-repository.ts';
import { findLateBefore, findNextAfter, saveLateWarning } from '../../store/reminder-repository.ts';
import { schedule } from '../../store/schedule.ts';

/**
 * Warns a booking's parties once if the previous renter still has one of its units. Runs a day before the booking starts.
 * Runs again when the booking itself is overdue, to schedule this task for the bookings that wait for its units.
 */
export const warnNextRenter = (
  { pool }: Pick<Deps, 'pool'>,
  id: string,
  at?: Date,
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const now = at ?? (await databaseNow(tx));
    const booking = await lockBooking(tx, id);
    if (booking?.status !== 'confirmed') return;
    const overdueAt = overdueFrom(booking);
    if (now >= overdueAt) {
      for (const nextId of await findNextAfter(tx, id, now))
        await schedule(tx, 'warn-next-renter', nextId);
      return;
    }
    await schedule(tx, 'warn-next-renter', id, (await warnIfDue(tx, booking, now)) ?? overdueAt);
  });

/** @returns when to check again before the booking starts; null once its parties are warned, or if no unit is late */
const warnIfDue = async (tx: Transaction, booking: BookingRow, now: Date): Promise<Date | null> => {
  if (now < warnableFrom(booking)) return warnableFrom(booking);
  const times = (await findLateBefore(tx, booking.id, now)).flatMap(
    (before) => warnAt(booking, before, now)?.getTime() ?? [],
  );
  if (times.length === 0) return null;
  const nextAt = new Date(Math.min(...times));
  if (now < nextAt) return nextAt;
  const warning = { kind: 'tool-late', usefulUntil: booking.startsAt } as const;
  await addToOutbox(tx, reminderDue(booking, warning));
  await saveLateWarning(tx, booking.id);
  return null;
};
