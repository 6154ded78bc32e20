import { addToOutbox } from '@lendtools/event-bus';
import { forEachRow, type RowRange } from '@lendtools/service-kit';
import { reminderDue } from '../booking-events.ts';
import {
  findBookingsToRemind,
  lockBookingToRemind,
  saveNextReminder,
} from '../booking-repository.ts';
import type { Deps } from '../deps.ts';
import { remindersAt } from '../domain/reminders.ts';
import { databaseNow } from '../purchase-repository.ts';

/**
 * Publishes the reminders that are due, each once, also on several replicas: a booking is locked while its next one is
 * worked out. After a downtime, only those that are still useful; none for a booking that is over.
 */
export const remindParties = async (
  deps: Pick<Deps, 'pool' | 'logger'>,
  at?: Date,
): Promise<void> => {
  const { pool } = deps;
  const now = at ?? (await databaseNow(pool));
  const find = (range: RowRange) => findBookingsToRemind(pool, now, range);
  await forEachRow(deps, 'remind-parties', find, async (tx, id) => {
    const booking = await lockBookingToRemind(tx, id, now);
    if (!booking) return;
    const { due, nextAt } = remindersAt(booking, now);
    await addToOutbox(tx, ...due.map((one) => reminderDue(booking, one)));
    await saveNextReminder(tx, id, nextAt);
  });
};
