export type ToolStatus = 'Available' | 'Unavailable';

/** What is known of one booking; its events may have come in any order, so that any of them may be missing. */
export interface ToolBooking {
  quantity: number;
  bookedAt: Date | null;
  returnedAt: Date | null;
  cancelledAt: Date | null;
}

/**
 * Whether a tool is on offer: Unavailable once its last unit was booked, until the owner lists it again. A return
 * alone does not put it back on offer; a cancelled booking counts as if it never was.
 *
 * The answer is a function of the facts, not of the order in which they were heard: every event only notes its fact
 * and asks again, which makes repeats and late events harmless.
 */
export const statusAfterBookings = (
  units: number,
  listedAt: Date,
  bookings: readonly ToolBooking[],
): ToolStatus => {
  const changes = bookings.flatMap(({ quantity, bookedAt, returnedAt, cancelledAt }) => {
    if (!bookedAt || cancelledAt || bookedAt < listedAt) return [];
    const booked = { at: bookedAt.getTime(), units: quantity };
    return returnedAt ? [booked, { at: returnedAt.getTime(), units: -quantity }] : [booked];
  });
  // At the same instant a return comes first: its unit may be the one that is booked.
  changes.sort((a, b) => a.at - b.at || a.units - b.units);
  let open = 0;
  for (const change of changes) {
    open += change.units;
    if (open >= units) return 'Unavailable';
  }
  return 'Available';
};
