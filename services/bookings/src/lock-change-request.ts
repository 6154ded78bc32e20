import type { Transaction } from '@lendtools/service-kit';
import { type BookingRow, lockBooking } from './booking-repository.ts';
import type { BookingChange } from './change-repository.ts';
import { findHoldOfChange, lockChange } from './change-request-repository.ts';
import { type Actor, type ApprovalRequest, actorOfRequest } from './domain/booking.ts';
import type { RequestEnd } from './domain/purchase.ts';
import { bookingNotActive } from './errors.ts';
import { lockAsParty } from './lock-as-party.ts';
import { type HoldRow, lockHold } from './purchase-repository.ts';
import { closeChangeRequest } from './settle-change.ts';
import { advanceHold } from './settle-purchase.ts';

/** A change request with its booking and, if it costs more, its hold. All are locked, the hold first. */
interface ChangeRequest {
  hold: HoldRow | undefined;
  booking: BookingRow;
  change: BookingChange;
}

export const asRequest = ({
  status,
  outcome,
  answerBy,
  acceptedAt,
}: BookingChange): ApprovalRequest => {
  if (status === 'open') return { status: 'requested', answerBy, acceptedAt };
  if (outcome) return { status: outcome, answerBy, acceptedAt };
  throw bookingNotActive('This change is not waiting for an answer any more.');
};

/**
 * Locks a change request for a caller: its hold, booking and change, in this order (README, Lock order).
 * @throws AppError BOOKING_NOT_FOUND for a caller who is neither a party nor an admin, BOOKING_NOT_ACTIVE if the change
 * does not need the owner's acceptance
 */
export const lockChangeRequest = async (
  tx: Transaction,
  { id: bookingId, changeId: id }: { id: string; changeId: string },
  user: { userId: string; role: 'User' | 'Admin' },
): Promise<ChangeRequest & { by: Exclude<Actor, 'system'> }> => {
  const holdId = await findHoldOfChange(tx, { id, bookingId });
  const hold = holdId ? await lockHold(tx, holdId) : undefined;
  const { booking, by } = await lockAsParty(tx, bookingId, user, actorOfRequest);
  const change = await lockChange(tx, { id, bookingId });
  if (!change?.answerBy) throw bookingNotActive('The owner is not asked about this change.');
  return { hold, booking, change, by };
};

/** Locks an open change request, accepted or not. Undefined if it has ended meanwhile. */
export const lockOpenRequest = async (
  tx: Transaction,
  { id, bookingId, holdId }: Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>,
): Promise<ChangeRequest | undefined> => {
  const hold = holdId ? await lockHold(tx, holdId) : undefined;
  const booking = await lockBooking(tx, bookingId);
  const change = await lockChange(tx, { id, bookingId });
  const isOpen = change?.status === 'open' && change.answerBy;
  return booking && isOpen ? { hold, booking, change } : undefined;
};

/** Locks an unanswered change request. Undefined once it is accepted or has ended. */
export const lockUnanswered = async (
  tx: Transaction,
  found: Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>,
): Promise<ChangeRequest | undefined> => {
  const request = await lockOpenRequest(tx, found);
  return request?.change.acceptedAt ? undefined : request;
};

/** Ends a change request: releases an authorized card, frees the change's units and keeps the booking as it is. */
export const endChangeRequest = async (
  tx: Transaction,
  { hold, booking, change }: ChangeRequest,
  how: RequestEnd,
): Promise<void> => {
  if (hold?.status === 'requested') await advanceHold(tx, hold, { type: 'RequestEnded', ...how });
  else await closeChangeRequest(tx, { booking, change }, how);
};
