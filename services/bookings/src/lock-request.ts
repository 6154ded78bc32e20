import type { Transaction } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';
import { type Actor, actorOfRequest } from './domain/booking.ts';
import { bookingNotActive } from './errors.ts';
import { lockAsParty } from './lock-as-party.ts';
import { type HoldRow, lockHold } from './purchase-repository.ts';

/**
 * A booking on request, its hold and the caller's role in it, locked until the transaction ends. The hold first, as
 * payments' news lock them.
 * @throws AppError BOOKING_NOT_FOUND for whoever is neither its party nor an admin, BOOKING_NOT_ACTIVE where nobody was asked
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
