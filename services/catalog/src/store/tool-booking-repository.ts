import type { Transaction } from '@lendtools/service-kit';
import { statusAfterBookings, type ToolBooking } from '../domain/tool-status.ts';
import type { StoredTool } from './tool-repository.ts';

/** Whether a booking or an unpaid hold of the tool is open. A hold and its later booking share a row. */
export const hasOpenBookings = async (tx: Transaction, toolId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM tool_bookings WHERE tool_id = $1
       AND (booked_at IS NOT NULL OR held_at IS NOT NULL AND expired_at IS NULL)
       AND returned_at IS NULL AND cancelled_at IS NULL LIMIT 1`,
    [toolId],
  );
  return rowCount !== 0;
};

type BookingOfTool = { bookingId: string; toolId: string; quantity: number };

/** Records when a booking or hold began or ended. Events may arrive in any order, and repeated events are no-ops. */
export const recordBooking = async (
  tx: Transaction,
  booking: BookingOfTool & { coverImage?: string },
  column: 'held_at' | 'expired_at' | 'booked_at' | 'cancelled_at',
  at: Date,
): Promise<void> => {
  await tx.query(
    `INSERT INTO tool_bookings (booking_id, tool_id, quantity, ${column}, cover_image)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (booking_id) DO UPDATE SET ${column} = coalesce(tool_bookings.${column}, $4),
       cover_image = coalesce(tool_bookings.cover_image, $5)`,
    [booking.bookingId, booking.toolId, booking.quantity, at, booking.coverImage ?? null],
  );
};

/** Records dates, units and quantity. A later version of a booking replaces earlier versions and the hold, in any order of arrival. */
export const recordDates = async (
  tx: Transaction,
  booking: BookingOfTool & { startsAt: string; endsAt: string; units: number[] },
  { asOf = 0 } = {},
): Promise<void> => {
  const { startsAt, endsAt, units } = booking;
  const merged = (column: string): string =>
    asOf ? `excluded.${column}` : `coalesce(b.${column}, excluded.${column})`;
  await tx.query(
    `INSERT INTO tool_bookings AS b (booking_id, tool_id, quantity, starts_at, ends_at, units, dates_version)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (booking_id) DO UPDATE SET starts_at = ${merged('starts_at')}, ends_at = ${merged('ends_at')},
       units = ${merged('units')}, quantity = ${asOf ? 'excluded.quantity' : 'b.quantity'},
       dates_version = greatest(b.dates_version, excluded.dates_version)
     WHERE b.dates_version <= excluded.dates_version`,
    [booking.bookingId, booking.toolId, booking.quantity, startsAt, endsAt, units, asOf],
  );
};

/** Records a return, unless a later event has already undone it. */
export const recordReturn = async (
  tx: Transaction,
  booking: BookingOfTool,
  { at, version }: { at: Date; version: number },
): Promise<void> => {
  await tx.query(
    `INSERT INTO tool_bookings AS b (booking_id, tool_id, quantity, returned_at, return_version)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (booking_id) DO UPDATE SET
       returned_at = CASE WHEN $5 > coalesce(b.return_undone_version, 0) THEN coalesce(b.returned_at, $4)
         ELSE b.returned_at END,
       return_version = greatest(b.return_version, $5)`,
    [booking.bookingId, booking.toolId, booking.quantity, at, version],
  );
};

/** Records an undone return. The booking then counts as made at the time of the undo, so after any relisting of the tool. */
export const recordUndoneReturn = async (
  tx: Transaction,
  booking: BookingOfTool,
  { at, version }: { at: Date; version: number },
): Promise<void> => {
  await tx.query(
    `INSERT INTO tool_bookings AS b (booking_id, tool_id, quantity, booked_at, return_undone_version)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (booking_id) DO UPDATE SET
       returned_at = CASE WHEN $5 > coalesce(b.return_version, 0) THEN NULL ELSE b.returned_at END,
       booked_at = CASE WHEN $5 > coalesce(b.return_version, 0) THEN greatest(b.booked_at, $4) ELSE b.booked_at END,
       return_undone_version = greatest(b.return_undone_version, $5)`,
    [booking.bookingId, booking.toolId, booking.quantity, at, version],
  );
};

/** Recomputes a tool's status from the bookings since its owner last listed it. Returns whether the status changed. */
export const refreshStatus = async (tx: Transaction, tool: StoredTool): Promise<boolean> => {
  const { rows } = await tx.query<ToolBooking>(
    `SELECT quantity, booked_at AS "bookedAt", returned_at AS "returnedAt",
       cancelled_at AS "cancelledAt"
     FROM tool_bookings WHERE tool_id = $1 AND booked_at >= $2`,
    [tool.id, tool.listedAt],
  );
  const status = statusAfterBookings(tool, rows);
  if (status === tool.status) return false;
  await tx.query('UPDATE tools SET status = $2, version = version + 1 WHERE id = $1', [
    tool.id,
    status,
  ]);
  return true;
};
