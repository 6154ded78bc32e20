import { addToOutbox } from '@lendtools/event-bus';
import { databaseNow, inTransaction, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { completesAt, transit } from '../../domain/booking.ts';
import { findPaymentIds } from '../../store/allocation-repository.ts';
import { bookingCompleted } from '../../store/booking-events.ts';
import { lockBooking, saveStatus } from '../../store/booking-repository.ts';
import { hasOpenChange } from '../../store/change-repository.ts';
import { hasOpenProblem } from '../../store/problem-repository.ts';
import { schedule } from '../../store/schedule.ts';

type Settings = Pick<Deps['config'], 'COMPLETE_AFTER_HOURS'>;

/** Completes a booking whose rental has been over for COMPLETE_AFTER_HOURS. */
export const completeBooking = (
  { pool, config }: Pick<Deps, 'pool'> & { config: Settings },
  id: string,
  at?: Date,
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const now = at ?? (await databaseNow(tx));
    await completeIfDue(tx, id, { now, afterHours: config.COMPLETE_AFTER_HOURS });
  });

/**
 * Completes a due booking. Waits for open problems and changes: the end of each calls this function again. Idempotent.
 */
export const completeIfDue = async (
  tx: Transaction,
  bookingId: string,
  { now, afterHours }: { now: Date; afterHours: number },
): Promise<void> => {
  const booking = await lockBooking(tx, bookingId);
  if (booking?.status !== 'confirmed' && booking?.status !== 'returned') return;
  const dueAt = completesAt(booking, afterHours);
  if (now < dueAt) return schedule(tx, 'complete-booking', bookingId, dueAt);
  if (await hasOpenProblem(tx, bookingId)) return;
  if (await hasOpenChange(tx, bookingId)) return;
  const completed = await saveStatus(tx, booking, transit(booking.status, 'complete', 'system'));
  await addToOutbox(tx, bookingCompleted(completed, await findPaymentIds(tx, bookingId)));
};
