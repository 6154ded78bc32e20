import type { Transaction } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';
import { type Actor, actorOfRequest } from './domain/booking.ts';
import { bookingNotActive } from './errors.ts';
import { lockAsParty } from './lock-as-party.ts';
import { type HoldRow, lockHold } from './purchase-repository.ts';

/**
 * Locks the hold of a request, then the request (README, Lock order), and returns them with the caller's role.
 * @throws AppError BOOKING_NOT_FOUND for a caller who is neither a party nor an admin, BOOKING_NOT_ACTIVE if the booking
 * was not on request
 */
export const lockRequest = async (
  tx: Transaction,
  id: string,
  user: { userId: string; role: 'User' | 'Admin' },
): Promise<{ request: BookingRow; hold: HoldRow; by: Exclude<Actor, 'system'> }> => {
  const { rows } = await tx.query<{ holdId: string | null }>(
    'SELECT hold_id AS "holdId" FROM bookings WHERE id = $1',
    [id],
  );
  const holdId = rows[0]?.holdId;
  const hold = holdId ? await lockHold(tx, holdId) : undefined;
  const { booking, by } = await lockAsParty(tx, id, user, actorOfRequest);
  if (!hold || !booking.answerBy) throw bookingNotActive('This booking was made at once.');
  return { request: booking, hold, by };
};
