import { type Db, type Transaction, violatedConstraint, waitUntil } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';
import type { Tool } from './domain/price.ts';
import { toolAlreadyBooked } from './errors.ts';

export const findTools = async (db: Db, ids: string[]): Promise<Map<string, Tool>> => {
  const { rows } = await db.query<Tool>(
    `SELECT id, owner_id AS "ownerId", name, description, cover_image AS "coverImage",
            price_cents AS "priceCents", circle, status, units, time_zone AS "timeZone",
            removed_at IS NOT NULL AS removed
     FROM tools WHERE id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map((tool) => [tool.id, tool]));
};

/** A tool that was listed a moment ago may be on its way: waits a little until all are here. */
export const awaitTools = async (db: Db, ids: string[]): Promise<void> => {
  const wanted = [...new Set(ids)];
  await waitUntil(
    () => findTools(db, wanted),
    (found) => found.size === wanted.length,
  );
};

/**
 * Lets one transaction at a time choose among the units of these tools. All of them in the order of their ids, so
 * that two carts with the same tools wait for each other instead of locking each other out.
 */
export const lockUnits = async (tx: Transaction, toolIds: string[]): Promise<void> => {
  await tx.query('SELECT 1 FROM units WHERE tool_id = ANY($1) ORDER BY id FOR NO KEY UPDATE', [
    toolIds,
  ]);
};

/** The units that a booking may have for its time, in the order of their numbers. They must be locked. */
export const findFreeUnits = async (tx: Transaction, booking: BookingRow): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string; isOffered: boolean; isBusy: boolean }>(
    `SELECT u.id, u.number <= t.units AS "isOffered", EXISTS (
       SELECT 1 FROM booking_units b WHERE b.unit_id = u.id AND b.status IN ('held', 'confirmed')
         AND b.during && tstzrange($2, $3)) AS "isBusy"
     FROM units u JOIN tools t ON t.id = u.tool_id WHERE u.tool_id = $1 ORDER BY u.number`,
    [booking.toolId, booking.startsAt, booking.endsAt],
  );
  const free = rows.filter((unit) => unit.isOffered && !unit.isBusy);
  // An owner who has fewer units than before must not lend what is still out under a higher number.
  const surplus = rows.filter((unit) => !unit.isOffered && unit.isBusy).length;
  return free.slice(0, Math.max(0, free.length - surplus)).map(({ id }) => id);
};

/**
 * Gives a booking as many units as it needs for its time. The units must be locked.
 * @throws AppError TOOL_ALREADY_BOOKED when too few are free
 */
export const takeUnits = async (
  tx: Transaction,
  booking: BookingRow,
  { status, path, ...given }: { status: 'held' | 'confirmed'; path: string; free?: string[] },
): Promise<void> => {
  const free = given.free ?? (await findFreeUnits(tx, booking));
  if (free.length < booking.quantity) throw toolAlreadyBooked(booking.name, free.length, path);
  try {
    await tx.query(
      `INSERT INTO booking_units (booking_id, unit_id, during, status)
       SELECT $1, unnest($5::uuid[]), tstzrange($2, $3), $4`,
      [booking.id, booking.startsAt, booking.endsAt, status, free.slice(0, booking.quantity)],
    );
  } catch (error) {
    if (violatedConstraint(error) === 'booking_units_no_overlap')
      throw toolAlreadyBooked(booking.name, 0, path);
    throw error;
  }
};

/** Frees the units of a booking, so that it can take others. */
export const releaseUnits = async (tx: Transaction, bookingId: string): Promise<void> => {
  await tx.query('DELETE FROM booking_units WHERE booking_id = $1', [bookingId]);
};

/** Whether a tool of a hold was removed, or its owner can't hand it over any more. */
export const hasLostTool = async (tx: Transaction, holdId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM bookings b JOIN tools t ON t.id = b.tool_id
     WHERE b.hold_id = $1 AND (t.removed_at IS NOT NULL OR t.owner_disabled) LIMIT 1`,
    [holdId],
  );
  return rowCount !== 0;
};
