/** The role in which a user, or the system itself, changes a booking. */
export type Actor = 'renter' | 'owner' | 'admin' | 'system';

/** The user's role in a booking; undefined for other users. An admin who owns the tool acts as the owner. */
export const actorOf = (
  booking: { userId: string; ownerId: string },
  user: { userId: string; role: 'User' | 'Admin' },
): Exclude<Actor, 'system'> | undefined => {
  if (booking.ownerId === user.userId) return 'owner';
  if (user.role === 'Admin') return 'admin';
  return booking.userId === user.userId ? 'renter' : undefined;
};

/** Like `actorOf`, but an admin who rents acts as the renter, and so can withdraw their request but not accept it. */
export const actorInApproval: typeof actorOf = (booking, user) =>
  booking.userId === user.userId ? 'renter' : actorOf(booking, user);
