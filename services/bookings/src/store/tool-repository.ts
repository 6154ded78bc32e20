import { calendarOf, type Span, type Taken, type Wanted } from '@lendtools/contracts/availability';
import { dayMs } from '@lendtools/contracts/local-time';
import { termsLimits } from '@lendtools/contracts/terms-limits';
import { type Db, type Transaction, violatedConstraint, waitUntil } from '@lendtools/service-kit';
import { toolAlreadyBooked } from '../domain/errors.ts';
import type { Tool } from '../domain/price.ts';
import { findBlocked } from './block-repository.ts';
import type { BookingRow } from './booking-repository.ts';

/** The longest buffer in calendar days plus one, because a calendar day may have 25 hours. */
const longestBufferMs = (termsLimits.buffer + 1) * dayMs;

const toolsQuery = `
  SELECT id, owner_id AS "ownerId", name, description, cover_image AS "coverImage",
    price_cents AS "priceCents", circle, status, units, time_zone AS "timeZone", terms,
    removed_at IS NOT NULL AS removed, owner_disabled AS "ownerDisabled", version
  FROM tools WHERE id = ANY($1)`;

export const findTools = async (db: Db, ids: string[]): Promise<Map<string, Tool>> => {
  const { rows } = await db.query<Tool>(toolsQuery, [ids]);
  return new Map(rows.map((tool) => [tool.id, tool]));
};

/** Finds tools, without those of owners whom a user has blocked or who have blocked the user. */
export const findToolsFor = async (
  db: Db,
  userId: string,
  ids: string[],
): Promise<Map<string, Tool>> => {
  const tools = [...(await findTools(db, ids)).values()];
  const blocked = await findBlocked(
    db,
    userId,
    tools.map(({ ownerId }) => ownerId),
  );
  return new Map(
    tools.filter(({ ownerId }) => !blocked.has(ownerId)).map((tool) => [tool.id, tool]),
  );
};

/** Locks tools in the order of their ids, so that two carts with the same tools cannot deadlock. */
export const lockTools = async (tx: Transaction, ids: string[]): Promise<Map<string, Tool>> => {
  const { rows } = await tx.query<Tool>(`${toolsQuery} ORDER BY id FOR NO KEY UPDATE`, [ids]);
  return new Map(rows.map((tool) => [tool.id, tool]));
};

/** Waits briefly until all tools are stored here: the event of a tool that was just listed may still be in transit. */
export const awaitTools = async (db: Db, ids: string[]): Promise<void> => {
  const wanted = [...new Set(ids)];
  await waitUntil(
    () => findTools(db, wanted),
    (found) => found.size === wanted.length,
  );
};

export interface TakenUnit extends Taken {
  bookingId: string;
  userId: string;
  holdId: string | null;
  /** Whether an unpaid cart holds the unit. A new cart or change of the same renter replaces that cart. */
  isCart: boolean;
}

/** When a tool's units are taken, within a span extended by the longest buffer. Uses the exclusion constraint's index. */
export const findTaken = async (
  db: Db,
  toolId: string,
  { fromMs, toMs }: Span,
): Promise<TakenUnit[]> => {
  const { rows } = await db.query<TakenUnit>(
    `SELECT u.number AS unit, b.id AS "bookingId", b.user_id AS "userId", b.hold_id AS "holdId",
       t.status = 'held' AS "isCart",
       CASE WHEN t.status IN ('held', 'requested') OR t.change_id IS NOT NULL THEN 'held' ELSE 'booked' END AS why,
       extract(epoch FROM lower(t.during))::float8 * 1000 AS "fromMs",
       extract(epoch FROM upper(t.during))::float8 * 1000 AS "toMs"
     FROM units u
     JOIN booking_units t ON t.unit_id = u.id AND t.status IN ('held', 'requested', 'confirmed')
       AND t.during && tstzrange($2, $3)
     JOIN bookings b ON b.id = t.booking_id
     WHERE u.tool_id = $1 ORDER BY t.during, u.number`,
    [toolId, new Date(fromMs - longestBufferMs), new Date(toMs + longestBufferMs)],
  );
  return rows;
};

/** A tool's calendar around a booking. Lock the tool before taking units that the calendar shows as free. */
export const readCalendar = async (tx: Transaction, tool: Tool, booking: BookingRow) => {
  const taken = await findTaken(tx, tool.id, spanOf(booking));
  return { taken, calendar: calendarOf(tool, { taken, nowMs: Date.now() }) };
};

export const spanOf = ({ startsAt, endsAt }: BookingRow): Span => ({
  fromMs: startsAt.getTime(),
  toMs: endsAt.getTime(),
});

export const wantedBy = (booking: BookingRow): Wanted => ({
  ...booking,
  startsAtMs: booking.startsAt.getTime(),
  endsAtMs: booking.endsAt.getTime(),
});

/** Assigns free units to a booking and returns their numbers. Lock the tool first. */
export const takeUnits = async (
  tx: Transaction,
  booking: BookingRow,
  { status, path, units }: { status: 'held' | 'confirmed'; path: string; units: number[] },
): Promise<number[]> => {
  if (units.length < booking.quantity) throw toolAlreadyBooked(booking.name, path);
  const numbers = units.slice(0, booking.quantity);
  await unlessTaken(
    tx.query(
      `INSERT INTO booking_units (booking_id, unit_id, during, status)
       SELECT $1, id, tstzrange($2, $3), $4 FROM units WHERE tool_id = $5 AND number = ANY($6)`,
      [booking.id, booking.startsAt, booking.endsAt, status, booking.toolId, numbers],
    ),
    { name: booking.name, path },
  );
  return numbers;
};

/** @throws AppError TOOL_ALREADY_BOOKED if the exclusion constraint rejects units that the calendar showed as free */
export const unlessTaken = async (
  inserted: Promise<unknown>,
  { name, path }: { name: string; path: string },
): Promise<void> => {
  await inserted.catch((error: unknown) => {
    if (violatedConstraint(error) === 'booking_units_no_overlap')
      throw toolAlreadyBooked(name, path);
    throw error;
  });
};

/** The unit numbers of each booking, without units that are only held for a change. */
export const findUnits = async (tx: Db, bookingIds: string[]): Promise<Map<string, number[]>> => {
  const { rows } = await tx.query<{ id: string; units: number[] }>(
    `SELECT t.booking_id AS id, array_agg(u.number ORDER BY u.number) AS units
     FROM booking_units t JOIN units u ON u.id = t.unit_id
     WHERE t.booking_id = ANY($1) AND t.change_id IS NULL GROUP BY 1`,
    [bookingIds],
  );
  return new Map(rows.map(({ id, units }) => [id, units]));
};

export const releaseUnits = async (tx: Transaction, bookingId: string): Promise<void> => {
  await tx.query('DELETE FROM booking_units WHERE booking_id = $1', [bookingId]);
};

const isLostSql = `(t.removed_at IS NOT NULL OR t.owner_disabled
       OR EXISTS (SELECT FROM disabled_people d WHERE d.id = t.owner_id AND d.disabled))`;

/** Whether a tool was deleted or its owner was disabled. */
export const isLost = async (tx: Transaction, toolId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(`SELECT FROM tools t WHERE t.id = $1 AND ${isLostSql}`, [
    toolId,
  ]);
  return rowCount !== 0;
};

/** Whether the tool of a hold, or of the booking that the hold changes, was deleted or its owner disabled. */
export const hasLostTool = async (
  tx: Transaction,
  { id, changesBookingId }: { id: string; changesBookingId: string | null },
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM bookings b JOIN tools t ON t.id = b.tool_id
     WHERE (b.hold_id = $1 OR b.id = $2) AND ${isLostSql} LIMIT 1`,
    [id, changesBookingId],
  );
  return rowCount !== 0;
};
