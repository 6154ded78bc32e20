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
 * Publishes the reminders that are due, once each: it locks a booking while it computes the next one, so it may run on several
 * replicas. After a downtime it publishes only the reminders that are still useful.
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
