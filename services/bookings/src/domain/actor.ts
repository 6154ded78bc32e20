import { forbidden } from '@lendtools/service-kit';

/** The role in which a user, or the system itself, changes a booking. */
export type Actor = 'renter' | 'owner' | 'admin' | 'system';

/** The user's role in a booking; undefined for other users. An admin who is a party acts as that party only. */
export const actorOf = (
  booking: { userId: string; ownerId: string },
  user: { userId: string; role: 'User' | 'Admin' },
): Exclude<Actor, 'system'> | undefined => {
  if (booking.ownerId === user.userId) return 'owner';
  if (booking.userId === user.userId) return 'renter';
  return user.role === 'Admin' ? 'admin' : undefined;
};

/** @throws AppError FORBIDDEN for an admin who is a party, because admins must not decide about their own bookings */
export const rejectParty = (
  booking: { userId: string; ownerId: string },
  adminId: string,
): void => {
  if (booking.userId === adminId || booking.ownerId === adminId) throw forbidden();
};
