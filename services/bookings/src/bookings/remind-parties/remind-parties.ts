import { addToOutbox } from '@lendtools/event-bus';
import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { remindersAt } from '../../domain/reminders.ts';
import { reminderDue } from '../../store/booking-events.ts';
import { lockBookingToRemind, saveNextReminder } from '../../store/reminder-repository.ts';
import { schedule } from '../../store/schedule.ts';

/** Publishes a booking's due reminders once and schedules the next. After a downtime, skips outdated reminders. */
export const remindParties = ({ pool }: Pick<Deps, 'pool'>, id: string, at?: Date): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const now = at ?? (await databaseNow(tx));
    const booking = await lockBookingToRemind(tx, id);
    if (!booking) return;
    if (now < booking.remindAt) return schedule(tx, 'remind-parties', id, booking.remindAt);
    const { due, nextAt } = remindersAt(booking, now);
    await addToOutbox(tx, ...due.map((one) => reminderDue(booking, one)));
    await saveNextReminder(tx, id, nextAt);
  });
