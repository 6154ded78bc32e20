import { forEachRow, type RowRange } from '@lendtools/service-kit';
import { lockBooking } from '../booking-repository.ts';
import { endOpenChange, findBookingsOfStrayChanges, hasStrayChange } from '../change-repository.ts';
import type { Deps } from '../deps.ts';
import { findHoldsOfEndedChanges, lockFreeHold } from '../purchase-repository.ts';
import { publishAvailabilityOf } from '../settle-change.ts';
import { giveUpChange } from '../settle-purchase.ts';

/**
 * Gives up the holds of changes that have ended, so that their cards are no longer charged. Also ends changes whose hold
 * an older replica has ended. Safe on several replicas at once.
 */
export const endChanges = async (deps: Pick<Deps, 'pool' | 'logger'>): Promise<void> => {
  const { pool } = deps;
  const findHolds = (range: RowRange) => findHoldsOfEndedChanges(pool, range);
  await forEachRow(deps, 'end-changes', findHolds, async (tx, id) => {
    const hold = await lockFreeHold(tx, id);
    if (hold?.status === 'live' || hold?.status === 'requested') await giveUpChange(tx, hold);
  });
  const findBookings = (range: RowRange) => findBookingsOfStrayChanges(pool, range);
  await forEachRow(deps, 'end-changes', findBookings, async (tx, bookingId) => {
    const booking = await lockBooking(tx, bookingId);
    if (!booking || !(await hasStrayChange(tx, bookingId))) return;
    await endOpenChange(tx, bookingId);
    await publishAvailabilityOf(tx, booking);
  });
};
