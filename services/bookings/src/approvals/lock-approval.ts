import type { Transaction } from '@lendtools/service-kit';
import type { Actor } from '../domain/actor.ts';
import type { ApprovalEnd } from '../domain/approval.ts';
import { bookingNotFound } from '../domain/errors.ts';
import { closeApproval, type LockedApproval } from '../settle/settle-approval.ts';
import { advanceHold } from '../settle/settle-hold.ts';
import { findApproval, lockApprovalRow } from '../store/approval-repository.ts';
import { lockAsParty, lockBooking } from '../store/booking-repository.ts';
import { lockChange } from '../store/change-repository.ts';
import { type HoldRow, lockHold } from '../store/hold-repository.ts';

/** A locked approval with its locked booking and, if it has them, its locked hold and change. */
export interface HeldApproval extends LockedApproval {
  hold: HoldRow | undefined;
}

/** Locks an approval's hold, booking and change, then the approval, for a party or an admin. @throws BOOKING_NOT_FOUND */
export const lockApprovalAsParty = async (
  tx: Transaction,
  id: string,
  user: { userId: string; role: 'User' | 'Admin' },
): Promise<HeldApproval & { by: Exclude<Actor, 'system'> }> => {
  const found = await findApproval(tx, id);
  if (!found) throw bookingNotFound();
  const hold = found.holdId ? await lockHold(tx, found.holdId) : undefined;
  const { booking, by } = await lockAsParty(tx, found.bookingId, user);
  const change = found.changeId ? await lockChange(tx, found.changeId) : undefined;
  const approval = await lockApprovalRow(tx, id);
  if (!approval) throw bookingNotFound();
  return { hold, booking, change, approval, by };
};

/** Locks an approval for a task. Returns undefined if the approval was purged. */
export const lockApproval = async (
  tx: Transaction,
  id: string,
): Promise<HeldApproval | undefined> => {
  const found = await findApproval(tx, id);
  if (!found) return undefined;
  const hold = found.holdId ? await lockHold(tx, found.holdId) : undefined;
  const booking = await lockBooking(tx, found.bookingId);
  const change = found.changeId ? await lockChange(tx, found.changeId) : undefined;
  const approval = await lockApprovalRow(tx, id);
  return booking && approval && { hold, booking, change, approval };
};

/** Ends an approval. If the card is authorized, also ends the hold, so that the card is released. */
export const endLockedApproval = async (
  tx: Transaction,
  { hold, ...locked }: HeldApproval,
  how: ApprovalEnd,
): Promise<void> => {
  if (hold?.status === 'requested') await advanceHold(tx, hold, { type: 'ApprovalEnded', ...how });
  else await closeApproval(tx, locked, how);
};
