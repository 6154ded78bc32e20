export type ToolStatus = 'Available' | 'Unavailable';

/** What is known of one booking; its events may have come in any order, so that any of them may be missing. */
export interface ToolBooking {
  quantity: number;
  bookedAt: Date | null;
  returnedAt: Date | null;
  cancelledAt: Date | null;
}

/** A tool as its owner last listed it. */
export interface Listing {
  units: number;
  listedAt: Date;
  /** Its owner took it off offer then. */
  pausedAt: Date | null;
  /** Booked or not: its calendar says when it is free. */
  staysListed: boolean;
}

/**
 * Whether a tool is on offer: Unavailable once its last unit was booked, or its owner took it off offer, until the owner
 * lists it again, unless they let it stay listed. A return alone does not put it back on offer; a cancelled booking counts as if it never was.
 *
 * The answer is a function of the facts, not of the order in which they arrived: every event only notes its fact
 * and asks again, which makes repeats and late events harmless.
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
  // The most that was out at once was so when some booking was made. A unit that came back at that very instant may
  // be the one that is booked, but a booking is out when it is made, whatever the clocks say of its own return.
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
