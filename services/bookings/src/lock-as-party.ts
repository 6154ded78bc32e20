import type { Transaction } from '@lendtools/service-kit';
import { type BookingRow, lockBooking } from './booking-repository.ts';
import { type Actor, actorOf, isShown } from './domain/booking.ts';
import { bookingNotFound } from './errors.ts';

/**
 * Locks a booking or request, and returns it with the caller's role in it.
 * @throws AppError BOOKING_NOT_FOUND for a draft, and for a caller who is neither a party nor an admin
 */
export const lockAsParty = async (
  tx: Transaction,
  id: string,
  user: { userId: string; role: 'User' | 'Admin' },
  roleOf: typeof actorOf = actorOf,
): Promise<{ booking: BookingRow; by: Exclude<Actor, 'system'> }> => {
  const booking = await lockBooking(tx, id);
  const by = booking && isShown(booking) && roleOf(booking, user);
  if (!by) throw bookingNotFound();
  return { booking, by };
};
