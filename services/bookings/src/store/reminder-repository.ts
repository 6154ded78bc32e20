import type { Db, Transaction } from '@lendtools/service-kit';
import { type BookingRow, bookingColumns } from './booking-repository.ts';
import { schedule } from './schedule.ts';

interface BookingToRemind extends BookingRow {
  bookedAt: Date;
  remindAt: Date;
}

/** Locks a confirmed booking with a scheduled reminder. `remindAt` may be in the future. */
export const lockBookingToRemind = async (
  tx: Transaction,
  id: string,
): Promise<BookingToRemind | undefined> => {
  const { rows } = await tx.query<BookingToRemind>(
    `SELECT ${bookingColumns}, b.remind_at AS "remindAt" FROM bookings b
     WHERE b.id = $1 AND b.status = 'confirmed' AND b.remind_at IS NOT NULL FOR NO KEY UPDATE`,
    [id],
  );
  return rows[0];
};

/** Sets when to check a booking's reminders next; null for never. Keeps the version: clients don't see this time. */
export const saveNextReminder = async (
  tx: Transaction,
  id: string,
  nextAt: Date | null,
): Promise<void> => {
  await tx.query('UPDATE bookings SET remind_at = $2 WHERE id = $1', [id, nextAt]);
  if (nextAt) await schedule(tx, 'remind-parties', id, nextAt);
};

/**
 * Pairs of bookings of the same unit. `next` starts within a day, and its parties are not warned yet. `late` is another
 * renter's, and ended without a return. A week after the end, a unit counts as returned.
 */
const lateSql = `
  FROM bookings late
  JOIN booking_units theirs ON theirs.booking_id = late.id AND theirs.status = 'confirmed' AND theirs.change_id IS NULL
    AND theirs.during && tstzrange($2::timestamptz - interval '7 days', $2)
  JOIN booking_units ours ON ours.unit_id = theirs.unit_id AND ours.status = 'confirmed' AND ours.change_id IS NULL
    AND ours.during && tstzrange($2::timestamptz, $2::timestamptz + interval '1 day', '[]')
  JOIN bookings next ON next.id = ours.booking_id
  WHERE late.status = 'confirmed' AND late.ends_at <= $2 AND late.ends_at > $2::timestamptz - interval '7 days'
    AND next.starts_at > $2 AND next.warned_late_at IS NULL AND next.user_id <> late.user_id`;

/** The end times of the late bookings before one that starts within a day; none if its parties were warned. */
export const findLateBefore = async (
  db: Db,
  bookingId: string,
  now: Date,
): Promise<{ endsAt: Date; endTime: string }[]> => {
  const { rows } = await db.query<{ endsAt: Date; endTime: string }>(
    `SELECT DISTINCT late.ends_at AS "endsAt", late.end_time AS "endTime" ${lateSql} AND next.id = $1`,
    [bookingId, now],
  );
  return rows;
};

/** The bookings that start within a day and wait for a unit of this late booking. */
export const findNextAfter = async (db: Db, bookingId: string, now: Date): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT DISTINCT next.id ${lateSql} AND late.id = $1 ORDER BY next.id`,
    [bookingId, now],
  );
  return rows.map(({ id }) => id);
};

export const saveLateWarning = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query('UPDATE bookings SET warned_late_at = now() WHERE id = $1', [id]);
};
