import { columns, type Db, type Transaction } from '@lendtools/service-kit';
import type { PricedChange, TimesAndPrice } from '../domain/change.ts';
import { warnableFrom } from '../domain/reminders.ts';
import { dropApproval, isOpenSql } from './approval-repository.ts';
import type { BookingRow } from './booking-repository.ts';
import { schedule } from './schedule.ts';
import { unlessTaken } from './tool-repository.ts';

export interface BookingChange extends PricedChange {
  id: string;
  bookingId: string;
  /** The hold that pays for the change; null if the change costs nothing. */
  holdId: string | null;
  status: 'open' | 'done' | 'ended';
  /** The unit numbers of the booking after the change. */
  units: number[];
  before: TimesAndPrice;
  doneAt: Date | null;
}

const changeColumns = columns(
  `id bookingId holdId status startDate startTime endDate endTime startsAt endsAt quantity period discountCents
   totalCents units dueCents refundCents keptCents percent before doneAt`,
  'c',
);

/** Inserts an open change. The caller applies a change that needs neither a payment nor an approval. */
export const insertChange = async (
  tx: Transaction,
  booking: BookingRow,
  change: PricedChange & Pick<BookingChange, 'holdId' | 'units'>,
): Promise<BookingChange> => {
  const { startDate, startTime, endDate, endTime, quantity, totalCents } = booking;
  const before: TimesAndPrice = { startDate, startTime, endDate, endTime, quantity, totalCents };
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

/** Locks a change. Lock its booking first. */
export const lockChange = async (
  tx: Transaction,
  id: string,
): Promise<BookingChange | undefined> => {
  const { rows } = await tx.query<BookingChange>(
    `SELECT ${changeColumns} FROM booking_changes c WHERE c.id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
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

export const findUnpaidChange = async (
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

export type DoneChange = BookingChange & { doneAt: Date; isApproved: boolean };

/** A booking's applied changes, oldest first. */
export const findDoneChanges = async (db: Db, bookingId: string): Promise<DoneChange[]> => {
  const { rows } = await db.query<DoneChange>(
    `SELECT ${changeColumns}, EXISTS (SELECT FROM approvals WHERE change_id = c.id) AS "isApproved"
     FROM booking_changes c WHERE c.booking_id = $1 AND c.status = 'done' ORDER BY c.done_at`,
    [bookingId],
  );
  return rows;
};

export const findChanges = async (db: Db, ids: string[]): Promise<BookingChange[]> => {
  const { rows } = await db.query<BookingChange>(
    `SELECT ${changeColumns} FROM booking_changes c WHERE c.id = ANY($1)`,
    [ids],
  );
  return rows;
};

export type RequestedChange = BookingChange & { answerBy: Date };

/** A booking's change request that waits for the owner's approval, or that is accepted and not yet charged. */
export const findRequestedChange = async (
  db: Db,
  bookingId: string,
): Promise<RequestedChange | undefined> => {
  const { rows } = await db.query<RequestedChange>(
    `SELECT ${changeColumns}, a.answer_by AS "answerBy" FROM booking_changes c JOIN approvals a ON a.change_id = c.id
     WHERE c.booking_id = $1 AND ${isOpenSql}`,
    [bookingId],
  );
  return rows[0];
};

/** Ends a locked booking's open change, and schedules the end of its hold: no hold may be locked after a booking. */
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

/** Ends an open change and its approval. Idempotent. Schedules the end of its hold and the booking's completion. */
export const endChange = async (tx: Transaction, id: string): Promise<void> => {
  const { rows } = await tx.query<{ bookingId: string; openHoldId: string | null }>(
    `UPDATE booking_changes c SET status = 'ended' WHERE id = $1 AND status = 'open'
     RETURNING booking_id AS "bookingId",
       (SELECT id FROM holds WHERE id = c.hold_id AND status IN ('live', 'requested')) AS "openHoldId"`,
    [id],
  );
  const [ended] = rows;
  if (!ended) return;
  await tx.query('DELETE FROM booking_units WHERE change_id = $1', [id]);
  await dropApproval(tx, id);
  if (ended.openHoldId) await schedule(tx, 'end-hold-of-change', ended.openHoldId);
  await schedule(tx, 'complete-booking', ended.bookingId);
};

/** Whether a hold's change has ended. Needs no lock, because an ended change never reopens. */
export const isChangeEnded = async (db: Db, holdId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `SELECT FROM booking_changes WHERE hold_id = $1 AND status = 'ended'`,
    [holdId],
  );
  return rowCount !== 0;
};

/** Reserves the additional time of a change for each unit. Lock the tool first and pass only free units. */
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

export const saveChanged = async (
  tx: Transaction,
  { name }: BookingRow,
  change: BookingChange,
): Promise<void> => {
  await tx.query('DELETE FROM booking_units WHERE booking_id = $1', [change.bookingId]);
  // Cap later refunds at the current percentage: moving the dates to later must not raise the percentage again.
  await tx.query(
    `UPDATE bookings SET version = version + 1, start_date = $2, start_time = $3, end_date = $4, end_time = $5,
       starts_at = $6, ends_at = $7, quantity = $8, period = $9, discount_cents = $10, total_cents = $11,
       kept_cents = kept_cents + $12, most_percent = least(most_percent, $13), change_count = change_count + 1,
       changed_at = now(), remind_at = now(), warned_late_at = NULL
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
  await schedule(tx, 'remind-parties', change.bookingId);
  await schedule(tx, 'warn-next-renter', change.bookingId, warnableFrom(change));
  await schedule(tx, 'complete-booking', change.bookingId, change.endsAt);
};
