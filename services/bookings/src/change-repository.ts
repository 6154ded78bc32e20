import { columns, type Db, type RowRange, type Transaction } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';
import type { EndedRequest } from './domain/booking.ts';
import type { PricedChange, TimesAndPrice } from './domain/change.ts';
import { unlessTaken } from './tool-repository.ts';

export interface BookingChange extends PricedChange {
  id: string;
  bookingId: string;
  /** Null if nothing is to be paid. */
  holdId: string | null;
  status: 'open' | 'done' | 'ended';
  /** When the owner was asked to accept the change; null if the change needs no acceptance, or is not authorized yet. */
  askedAt: Date | null;
  answerBy: Date | null;
  acceptedAt: Date | null;
  /** How a change request ended; null if it is open, was made, or ended with its booking. */
  outcome: EndedRequest | null;
  /** The message of the owner who declined. */
  note: string;
  /** The numbers of the units that the booking has after the change. */
  units: number[];
  before: TimesAndPrice;
  doneAt: Date | null;
}

export const changeColumns = columns(
  `id bookingId holdId status startDate startTime endDate endTime startsAt endsAt quantity period discountCents
   totalCents units dueCents refundCents keptCents percent before doneAt askedAt answerBy acceptedAt outcome note`,
  'c',
);

/** Inserts an open change. It stays open until its hold is paid or its owner accepts; otherwise the caller applies it. */
export const insertChange = async (
  tx: Transaction,
  booking: BookingRow,
  change: PricedChange & Pick<BookingChange, 'holdId' | 'units'>,
): Promise<BookingChange> => {
  const { startDate, startTime, endDate, endTime, quantity, totalCents: paidCents } = booking;
  const before: TimesAndPrice = { startDate, startTime, endDate, endTime, quantity, paidCents };
  const { rows } = await tx.query<BookingChange>(
    `INSERT INTO booking_changes AS c (booking_id, hold_id, status, start_date, start_time, end_date, end_time, starts_at,
       ends_at, quantity, period, discount_cents, total_cents, units, due_cents, refund_cents, kept_cents, percent, before)
     VALUES ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     RETURNING ${changeColumns}`,
    [
      ...[booking.id, change.holdId],
      ...[change.startDate, change.startTime, change.endDate, change.endTime],
      ...[change.startsAt, change.endsAt, change.quantity, change.period],
      ...[change.discountCents, change.totalCents, change.units],
      ...[change.dueCents, change.refundCents, change.keptCents, change.percent],
      JSON.stringify(before),
    ],
  );
  return rows[0] as BookingChange;
};

export const lockChangeOfHold = async (
  tx: Transaction,
  holdId: string,
): Promise<BookingChange | undefined> => {
  const { rows } = await tx.query<BookingChange>(
    `SELECT ${changeColumns} FROM booking_changes c WHERE c.hold_id = $1 FOR UPDATE`,
    [holdId],
  );
  return rows[0];
};

export interface UnpaidChange extends BookingChange {
  holdId: string;
  expiresAt: Date;
  onRequest: boolean;
}

export const findOpenChange = async (
  db: Db,
  bookingId: string,
): Promise<UnpaidChange | undefined> => {
  const { rows } = await db.query<UnpaidChange>(
    `SELECT ${changeColumns}, h.expires_at AS "expiresAt", h.on_request AS "onRequest"
     FROM booking_changes c JOIN holds h ON h.id = c.hold_id
     WHERE c.booking_id = $1 AND c.status = 'open' AND h.status = 'live'`,
    [bookingId],
  );
  return rows[0];
};

/** Oldest first. */
export const findDoneChanges = async (db: Db, bookingId: string): Promise<BookingChange[]> => {
  const { rows } = await db.query<BookingChange>(
    `SELECT ${changeColumns} FROM booking_changes c WHERE c.booking_id = $1 AND c.status = 'done' ORDER BY c.done_at`,
    [bookingId],
  );
  return rows;
};

/**
 * Ends the open change of a locked booking and frees its units. Leaves its hold to `endChanges`: a hold must not be
 * locked after a booking (README, Lock order).
 */
export const endOpenChange = async (tx: Transaction, bookingId: string): Promise<void> => {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM booking_changes WHERE booking_id = $1 AND status = 'open'`,
    [bookingId],
  );
  for (const { id } of rows) await endChange(tx, id);
};

export const hasOpenChange = async (tx: Transaction, bookingId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM booking_changes WHERE booking_id = $1 AND status = 'open'`,
    [bookingId],
  );
  return rowCount !== 0;
};

/** Ends an open change; a no-op if it is already done or ended. */
export const endChange = async (tx: Transaction, id: string): Promise<void> => {
  const { rowCount } = await tx.query(
    `UPDATE booking_changes SET status = 'ended' WHERE id = $1 AND status = 'open'`,
    [id],
  );
  if (rowCount) await tx.query('DELETE FROM booking_units WHERE change_id = $1', [id]);
};

/**
 * Takes the time that a change adds on each of its units, beside what the booking has. The tool must be locked and the
 * calendar must have allowed the units. The constraint checks them again.
 */
export const takeAddedUnits = async (
  tx: Transaction,
  booking: BookingRow,
  change: BookingChange,
): Promise<void> => {
  const inserted = tx.query(
    `INSERT INTO booking_units (booking_id, unit_id, during, status, change_id)
     SELECT $1, u.id, part, 'confirmed', $2
     FROM units u
     LEFT JOIN booking_units own ON own.booking_id = $1 AND own.unit_id = u.id
     CROSS JOIN LATERAL unnest(
       tstzmultirange(tstzrange($3, $4)) - coalesce(tstzmultirange(own.during), '{}')) AS part
     WHERE u.tool_id = $5 AND u.number = ANY($6)`,
    [booking.id, change.id, change.startsAt, change.endsAt, booking.toolId, change.units],
  );
  await unlessTaken(inserted, { name: booking.name, path: '' });
};

/** Applies the change to the booking and its units. */
export const saveChanged = async (
  tx: Transaction,
  { name }: BookingRow,
  change: BookingChange,
): Promise<void> => {
  await tx.query('DELETE FROM booking_units WHERE booking_id = $1', [change.bookingId]);
  // Cap later refunds at the current percentage: moving to later dates must not restore a lost refund.
  await tx.query(
    `UPDATE bookings SET version = version + 1, start_date = $2, start_time = $3, end_date = $4, end_time = $5,
       starts_at = $6, ends_at = $7, quantity = $8, period = $9, discount_cents = $10, total_cents = $11,
       kept_cents = kept_cents + $12, most_percent = least(most_percent, $13), change_count = change_count + 1,
       changed_at = now(), remind_at = now(), told_late_at = NULL
     WHERE id = $1`,
    [
      change.bookingId,
      ...[change.startDate, change.startTime, change.endDate, change.endTime],
      ...[change.startsAt, change.endsAt, change.quantity, change.period],
      ...[change.discountCents, change.totalCents, change.keptCents, change.percent],
    ],
  );
  const inserted = tx.query(
    `INSERT INTO booking_units (booking_id, unit_id, during, status)
     SELECT b.id, u.id, tstzrange(b.starts_at, b.ends_at), b.status
     FROM bookings b JOIN units u ON u.tool_id = b.tool_id AND u.number = ANY($2) WHERE b.id = $1`,
    [change.bookingId, change.units],
  );
  await unlessTaken(inserted, { name, path: '' });
  await tx.query(
    `UPDATE booking_changes SET status = 'done', done_at = now(), refund_cents = $2 WHERE id = $1`,
    [change.id, change.refundCents],
  );
};

const strayChanges = `FROM booking_changes c JOIN holds h ON h.id = c.hold_id
  WHERE c.status = 'open' AND h.status NOT IN ('live', 'requested')`;

/** The bookings of open changes whose hold an older replica has ended. */
export const findBookingsOfStrayChanges = async (
  db: Db,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT c.booking_id AS id ${strayChanges} AND c.booking_id <> ALL ($1::uuid[]) LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

export const hasStrayChange = async (db: Db, bookingId: string): Promise<boolean> => {
  const { rowCount } = await db.query(`SELECT 1 ${strayChanges} AND c.booking_id = $1`, [
    bookingId,
  ]);
  return rowCount !== 0;
};
