import { addToOutbox } from '@lendtools/event-bus';
import { forEachRow, type RowRange } from '@lendtools/service-kit';
import { reminderDue } from '../booking-events.ts';
import {
  type BookingHeldUp,
  findBookingsHeldUp,
  lockBookingHeldUp,
  saveLateWarning,
} from '../booking-repository.ts';
import type { Deps } from '../deps.ts';
import { isHeldUp } from '../domain/reminders.ts';
import { databaseNow } from '../purchase-repository.ts';

/**
 * Warns the parties of a booking, once, if the previous renter has not returned one of its units. Safe to run on several replicas at
 * once.
 */
export const warnNextRenters = async (
  deps: Pick<Deps, 'pool' | 'logger'>,
  at?: Date,
): Promise<void> => {
  const { pool } = deps;
  const now = at ?? (await databaseNow(pool));
  const isLate = ({ before, ...booking }: BookingHeldUp) => isHeldUp(booking, before, now);
  const find = (range: RowRange) => findBookingsHeldUp(pool, now, range);
  await forEachRow(deps, 'warn-next-renters', find, async (tx, { id }) => {
    const booking = (await lockBookingHeldUp(tx, id, now)).find(isLate);
    if (!booking) return;
    const warning = { kind: 'tool-late', usefulUntil: booking.startsAt } as const;
    await addToOutbox(tx, reminderDue(booking, warning));
    await saveLateWarning(tx, id);
  });
};
