import { hourMs } from '@lendtools/contracts/rental-period';
import { addToOutbox } from '@lendtools/event-bus';
import { forEachRow, type RowRange, type Transaction } from '@lendtools/service-kit';
import { bookingCompleted } from '../booking-events.ts';
import { findBookingsToComplete, lockBooking, saveStatus } from '../booking-repository.ts';
import { hasOpenChange } from '../change-repository.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { isOverFor, transit } from '../domain/booking.ts';
import { hasOpenProblem } from '../problem-repository.ts';
import { databaseNow } from '../purchase-repository.ts';

interface JobDeps extends Pick<Deps, 'pool' | 'logger'> {
  config: Pick<Config, 'COMPLETE_AFTER_HOURS'>;
}

/** Completes the bookings whose rental has been over for COMPLETE_AFTER_HOURS. Safe on several replicas at once. */
export const completeBookings = async (deps: JobDeps, at?: Date): Promise<void> => {
  const { pool, config } = deps;
  const now = at ?? (await databaseNow(pool));
  const due = { now, afterHours: config.COMPLETE_AFTER_HOURS };
  const overBy = new Date(now.getTime() - due.afterHours * hourMs);
  const find = (range: RowRange) => findBookingsToComplete(pool, overBy, range);
  await forEachRow(deps, 'complete-bookings', find, (tx, id) => completeIfDue(tx, id, due));
};

/** Completes a booking if it is due and has no open problem or change. Idempotent. */
export const completeIfDue = async (
  tx: Transaction,
  bookingId: string,
  { now, afterHours }: { now: Date; afterHours: number },
): Promise<void> => {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.status !== 'confirmed' && booking?.status !== 'returned') return;
  if (!isOverFor(afterHours, booking, now)) return;
  // Check again under the lock: a party may have just reported a problem or started a change.
  if (await hasOpenProblem(tx, bookingId)) return;
  if (await hasOpenChange(tx, bookingId)) return;
  const completed = await saveStatus(tx, booking, transit(booking.status, 'complete', 'system'));
  await addToOutbox(tx, bookingCompleted(completed));
};
