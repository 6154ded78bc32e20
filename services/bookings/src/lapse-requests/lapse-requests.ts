import { forEachRow, type RowRange, type Transaction } from '@lendtools/service-kit';
import { bookingsOfHold } from '../booking-repository.ts';
import type { BookingChange } from '../change-repository.ts';
import { findUnansweredChanges } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import { hasLapsed } from '../domain/booking.ts';
import { lapse } from '../domain/purchase.ts';
import { asRequest, endChangeRequest, lockUnanswered } from '../lock-change-request.ts';
import { databaseNow, findUnansweredHolds, lockFreeHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';
import { hasLostTool } from '../tool-repository.ts';

/**
 * Ends requests, of bookings and of changes, whose deadline has passed or whose tool was removed. Safe to run on several
 * replicas at once.
 */
export const lapseRequests = async (deps: Pick<Deps, 'pool' | 'logger'>): Promise<void> => {
  const { pool } = deps;
  const findHolds = (range: RowRange) => findUnansweredHolds(pool, range);
  await forEachRow(deps, 'lapse-requests', findHolds, lapseRequest);
  const findChanges = (range: RowRange) => findUnansweredChanges(pool, range);
  await forEachRow(deps, 'lapse-requests', findChanges, lapseChange);
};

const lapseRequest = async (tx: Transaction, holdId: string): Promise<void> => {
  const hold = await lockFreeHold(tx, holdId);
  if (!hold) return;
  // Read again under the lock: the owner may have accepted meanwhile.
  const requests = await bookingsOfHold(tx, hold.id);
  const now = await databaseNow(tx);
  const isOver = requests.every((request) => hasLapsed(request, now));
  const isAccepted = requests.some(({ acceptedAt }) => acceptedAt);
  if (isAccepted || !(isOver || (await hasLostTool(tx, hold)))) return;
  await advanceHold(tx, hold, { type: 'RequestEnded', ...lapse });
};

const lapseChange = async (
  tx: Transaction,
  found: Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>,
): Promise<void> => {
  const request = await lockUnanswered(tx, found);
  if (!request) return;
  const { booking, change } = request;
  const isOver = hasLapsed(asRequest(change), await databaseNow(tx));
  const lost = isOver || (await hasLostTool(tx, { id: change.id, changesBookingId: booking.id }));
  if (lost) await endChangeRequest(tx, request, lapse);
};
