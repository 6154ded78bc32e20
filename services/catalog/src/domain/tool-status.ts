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
  /** When the owner paused the tool. */
  pausedAt: Date | null;
  /** Whether the tool stays Available when booked. Its calendar shows when it is free. */
  staysListed: boolean;
}

/**
 * A tool becomes Unavailable when its last unit is booked or its owner pauses it, until the owner lists it again. A
 * return alone changes nothing. Events may be repeated or late, because only the recorded facts count, not their order.
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
  // The number of booked units peaks when a booking is made, so check the moment of each booking. A unit returned at that
  // moment is already free. A booking still counts at its own moment if its return has an earlier timestamp.
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
