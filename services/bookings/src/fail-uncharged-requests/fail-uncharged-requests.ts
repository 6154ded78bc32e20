import { forEachRow, type RowRange, type Transaction } from '@lendtools/service-kit';
import { bookingsOfHold } from '../booking-repository.ts';
import type { BookingChange } from '../change-repository.ts';
import { findUnchargedChanges } from '../change-request-repository.ts';
import type { Deps } from '../deps.ts';
import { isChargeLost } from '../domain/booking.ts';
import { isTooLate } from '../domain/change.ts';
import { fail } from '../domain/purchase.ts';
import { endChangeRequest, lockOpenRequest } from '../lock-change-request.ts';
import { databaseNow, findUnchargedHolds, lockFreeHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

/**
 * Fails accepted requests and changes that were never charged, once the card's authorization must have expired or, for a change, it
 * is too late to make it. A charge that succeeds afterwards is refunded. Safe to run on several replicas at once.
 */
export const failUnchargedRequests = async (deps: Pick<Deps, 'pool' | 'logger'>): Promise<void> => {
  const { pool } = deps;
  const findHolds = (range: RowRange) => findUnchargedHolds(pool, range);
  await forEachRow(deps, 'fail-uncharged-requests', findHolds, failRequest);
  const findChanges = (range: RowRange) => findUnchargedChanges(pool, range);
  await forEachRow(deps, 'fail-uncharged-requests', findChanges, failChange);
};

const failRequest = async (tx: Transaction, holdId: string): Promise<void> => {
  const hold = await lockFreeHold(tx, holdId);
  if (!hold) return;
  const now = await databaseNow(tx);
  const requests = await bookingsOfHold(tx, hold.id);
  if (requests.every((request) => isChargeLost(request, now)))
    await advanceHold(tx, hold, { type: 'RequestEnded', ...fail });
};

const failChange = async (
  tx: Transaction,
  found: Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>,
): Promise<void> => {
  const request = await lockOpenRequest(tx, found);
  if (!request?.change.acceptedAt) return;
  const { booking, change } = request;
  const now = await databaseNow(tx);
  if (isChargeLost(change, now) || isTooLate(booking, change, now))
    await endChangeRequest(tx, request, fail);
};
