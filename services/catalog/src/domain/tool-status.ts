export type ToolStatus = 'Available' | 'Unavailable';

/** The known facts of a booking. Its events arrive in any order, so any fact may be missing. */
export interface ToolBooking {
  quantity: number;
  bookedAt: Date | null;
  returnedAt: Date | null;
  cancelledAt: Date | null;
}

/** A tool as last listed by its owner. */
export interface Listing {
  units: number;
  listedAt: Date;
  /** When its owner paused it. */
  pausedAt: Date | null;
  /** Stays Available when booked; its calendar shows when it is free. */
  staysListed: boolean;
}

/**
 * Computes a tool's status: Unavailable once its last unit is booked or its owner pauses it, until the owner lists it
 * again. A tool that stays listed is Unavailable only while paused. A return alone does not make it Available; a
 * cancelled booking is ignored.
 *
 * The status depends only on the facts, not on their order: each event records its fact and recomputes the status, so
 * repeated and late events are harmless.
 */
export const statusAfterBookings = (
  { units, listedAt, pausedAt, staysListed }: Listing,
  bookings: readonly ToolBooking[],
): ToolStatus => {
  if (pausedAt !== null && pausedAt >= listedAt) return 'Unavailable';
  if (staysListed) return 'Available';
  const counted = bookings.filter(
    (booking): booking is ToolBooking & { bookedAt: Date } =>
      booking.bookedAt !== null && booking.cancelledAt === null && booking.bookedAt >= listedAt,
  );
  // The maximum of booked units is reached at the time of some booking. A unit returned at that instant is free for
  // it. A booking always counts at its own time, even if its return has an equal or earlier timestamp.
  const openAt = (moment: ToolBooking & { bookedAt: Date }): number =>
    counted
      .filter(
        (other) =>
          other === moment ||
          (other.bookedAt <= moment.bookedAt &&
            (other.returnedAt === null || other.returnedAt > moment.bookedAt)),
      )
      .reduce((sum, { quantity }) => sum + quantity, 0);
  return counted.some((booking) => openAt(booking) >= units) ? 'Unavailable' : 'Available';
};
