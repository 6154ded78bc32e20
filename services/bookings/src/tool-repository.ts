import { calendarOf, type Span, type Taken, type Wanted } from '@lendtools/contracts/availability';
import { type Db, type Transaction, violatedConstraint, waitUntil } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';
import type { Tool } from './domain/price.ts';
import { toolAlreadyBooked } from './errors.ts';

/** A buffer has 30 days at most; one more, because a day of the calendar may have 25 hours. */
const longestBufferMs = 31 * 86_400_000;

export const findTools = async (db: Db, ids: string[]): Promise<Map<string, Tool>> => {
  const { rows } = await db.query<Tool>(
    `SELECT id, owner_id AS "ownerId", name, description, cover_image AS "coverImage",
            price_cents AS "priceCents", circle, status, units, time_zone AS "timeZone", terms,
            removed_at IS NOT NULL AS removed
     FROM tools WHERE id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map((tool) => [tool.id, tool]));
};

/** The event of a tool that was just listed may still be in transit: waits a little until all tools are known. */
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

/** A unit that is taken, and by whom. */
export interface TakenUnit extends Taken {
  userId: string;
  holdId: string | null;
}

/**
 * What is taken of a tool's units at some time, and as near to it as a buffer reaches. By the index of the constraint:
 * however many bookings there are, it reads those of these units in this time.
 */
export const findTaken = async (
  db: Db,
  toolId: string,
  { fromMs, toMs }: Span,
): Promise<TakenUnit[]> => {
  const { rows } = await db.query<TakenUnit>(
    `SELECT u.number AS unit, b.user_id AS "userId", b.hold_id AS "holdId",
       CASE t.status WHEN 'held' THEN 'held' ELSE 'booked' END AS why,
       extract(epoch FROM lower(t.during))::float8 * 1000 AS "fromMs",
       extract(epoch FROM upper(t.during))::float8 * 1000 AS "toMs"
     FROM units u
     JOIN booking_units t ON t.unit_id = u.id AND t.status IN ('held', 'confirmed')
       AND t.during && tstzrange($2, $3)
     JOIN bookings b ON b.id = t.booking_id
     WHERE u.tool_id = $1 ORDER BY t.during, u.number`,
    [toolId, new Date(fromMs - longestBufferMs), new Date(toMs + longestBufferMs)],
  );
  return rows;
};

/** A tool's calendar around the time of a booking. To take units by it, they must be locked. */
export const readCalendar = async (tx: Transaction, booking: BookingRow) => {
  const tool = (await findTools(tx, [booking.toolId])).get(booking.toolId) as Tool;
  const taken = await findTaken(tx, booking.toolId, spanOf(booking));
  return { taken, calendar: calendarOf(tool, { taken, nowMs: Date.now() }) };
};

export const spanOf = ({ startsAt, endsAt }: BookingRow): Span => ({
  fromMs: startsAt.getTime(),
  toMs: endsAt.getTime(),
});

/** What the calendar is asked of a booking. */
export const wantedBy = (booking: BookingRow): Wanted => ({
  ...booking,
  startsAtMs: booking.startsAt.getTime(),
  endsAtMs: booking.endsAt.getTime(),
});

/** Gives a booking units, by their numbers, that are free for its time. They must be locked. */
export const takeUnits = async (
  tx: Transaction,
  booking: BookingRow,
  { status, path, units }: { status: 'held' | 'confirmed'; path: string; units: number[] },
): Promise<void> => {
  if (units.length < booking.quantity) throw toolAlreadyBooked(booking.name, path);
  try {
    await tx.query(
      `INSERT INTO booking_units (booking_id, unit_id, during, status)
       SELECT $1, id, tstzrange($2, $3), $4 FROM units WHERE tool_id = $5 AND number = ANY($6)`,
      [
        booking.id,
        booking.startsAt,
        booking.endsAt,
        status,
        booking.toolId,
        units.slice(0, booking.quantity),
      ],
    );
  } catch (error) {
    if (violatedConstraint(error) === 'booking_units_no_overlap')
      throw toolAlreadyBooked(booking.name, path);
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
