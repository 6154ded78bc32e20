import { columns, type Db, type RowRange, type Transaction } from '@lendtools/service-kit';
import { type AnswerDeadline, type AnswerToRemind, bookingColumns } from './booking-repository.ts';
import { type BookingChange, changeColumns } from './change-repository.ts';
import type { EndedRequest } from './domain/booking.ts';

/** The last change request of a booking, open or ended; undefined if it or a later change was made. */
export const findChangeRequest = async (
  db: Db,
  bookingId: string,
): Promise<BookingChange | undefined> => {
  const { rows } = await db.query<BookingChange>(
    `SELECT ${changeColumns} FROM booking_changes c
     WHERE c.booking_id = $1 AND (c.answer_by IS NOT NULL OR c.status = 'done')
     ORDER BY c.created_at DESC, c.id DESC LIMIT 1`,
    [bookingId],
  );
  return rows[0]?.status === 'done' ? undefined : rows[0];
};

/** The open change request of a booking: unanswered, or accepted and not yet charged. */
export const findOpenRequest = async (
  db: Db,
  bookingId: string,
): Promise<BookingChange | undefined> => (await findOpenRequests(db, [bookingId]))[0];

export const findOpenRequests = async (db: Db, bookingIds: string[]): Promise<BookingChange[]> => {
  const { rows } = await db.query<BookingChange>(
    `SELECT ${changeColumns} FROM booking_changes c
     WHERE c.booking_id = ANY($1) AND c.status = 'open' AND c.answer_by IS NOT NULL`,
    [bookingIds],
  );
  return rows;
};

/** The hold of a change, which must be locked before the booking and the change; null if it has none. */
export const findHoldOfChange = async (
  db: Db,
  { id, bookingId }: { id: string; bookingId: string },
): Promise<string | null> => {
  const { rows } = await db.query<{ holdId: string | null }>(
    `SELECT hold_id AS "holdId" FROM booking_changes WHERE id = $1 AND booking_id = $2`,
    [id, bookingId],
  );
  return rows[0]?.holdId ?? null;
};

/** Locks a change. Its booking must be locked. */
export const lockChange = async (
  tx: Transaction,
  { id, bookingId }: { id: string; bookingId: string },
): Promise<BookingChange | undefined> => {
  const { rows } = await tx.query<BookingChange>(
    `SELECT ${changeColumns} FROM booking_changes c WHERE c.id = $1 AND c.booking_id = $2 FOR UPDATE`,
    [id, bookingId],
  );
  return rows[0];
};

export const saveChangeRequest = async (
  tx: Transaction,
  { id }: BookingChange,
  { answerBy, remindAt }: AnswerDeadline,
): Promise<BookingChange> => {
  const { rows } = await tx.query<BookingChange>(
    `UPDATE booking_changes c SET asked_at = now(), answer_by = $2, remind_answer_at = $3
     WHERE id = $1 RETURNING ${changeColumns}`,
    [id, answerBy, remindAt],
  );
  return rows[0] as BookingChange;
};

export const saveAcceptedChange = async (
  tx: Transaction,
  { id }: BookingChange,
): Promise<BookingChange> => {
  const { rows } = await tx.query<BookingChange>(
    `UPDATE booking_changes c SET accepted_at = now() WHERE id = $1 RETURNING ${changeColumns}`,
    [id],
  );
  return rows[0] as BookingChange;
};

export const saveEndOfChange = async (
  tx: Transaction,
  { id }: BookingChange,
  { outcome, note }: { outcome: EndedRequest; note: string },
): Promise<void> => {
  await tx.query('UPDATE booking_changes SET outcome = $2, note = $3 WHERE id = $1', [
    id,
    outcome,
    note,
  ]);
};

/** Unanswered changes that are past their deadline, or whose tool or owner is gone. */
export const findUnansweredChanges = async (
  db: Db,
  { skip, limit }: RowRange,
): Promise<Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>[]> => {
  const { rows } = await db.query<Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>>(
    `SELECT ${columns('id bookingId holdId', 'c')}
     FROM booking_changes c JOIN bookings b ON b.id = c.booking_id JOIN tools t ON t.id = b.tool_id
     WHERE c.status = 'open' AND c.answer_by IS NOT NULL AND c.accepted_at IS NULL
       AND (c.answer_by <= now() OR t.removed_at IS NOT NULL OR t.owner_disabled)
       AND c.id <> ALL ($1::uuid[]) ORDER BY c.answer_by LIMIT $2`,
    [skip, limit],
  );
  return rows;
};

/** Accepted changes that may have to fail: accepted too long ago to be charged, or too late for their rental. */
export const findUnchargedChanges = async (
  db: Db,
  { skip, limit }: RowRange,
): Promise<Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>[]> => {
  const { rows } = await db.query<Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>>(
    `SELECT ${columns('id bookingId holdId', 'c')} FROM booking_changes c JOIN bookings b ON b.id = c.booking_id
     WHERE c.status = 'open' AND c.answer_by IS NOT NULL AND c.accepted_at IS NOT NULL
       AND (c.accepted_at <= now() - interval '8 days' OR c.ends_at <= now() OR b.starts_at <= now()
         AND (c.starts_at <> b.starts_at OR c.quantity <> b.quantity))
       AND c.id <> ALL ($1::uuid[]) ORDER BY c.accepted_at LIMIT $2`,
    [skip, limit],
  );
  return rows;
};

/** A renter's unanswered changes. */
export const findChangesAskedBy = async (
  db: Db,
  userId: string,
): Promise<Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>[]> => {
  const { rows } = await db.query<Pick<BookingChange, 'id' | 'bookingId' | 'holdId'>>(
    `SELECT ${columns('id bookingId holdId', 'c')} FROM booking_changes c JOIN bookings b ON b.id = c.booking_id
     WHERE c.status = 'open' AND c.answer_by IS NOT NULL AND c.accepted_at IS NULL AND b.user_id = $1
     ORDER BY c.hold_id, c.booking_id`,
    [userId],
  );
  return rows;
};

export const findChangesToRemind = async (db: Db, { skip, limit }: RowRange): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM booking_changes WHERE remind_answer_at <= now() AND id <> ALL ($1::uuid[])
     ORDER BY remind_answer_at LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** Claims the reminder of a change, so that it is sent once. Undefined if another replica claimed it first. */
export const claimChangeToRemind = async (
  tx: Transaction,
  id: string,
): Promise<AnswerToRemind | undefined> => {
  const { rows } = await tx.query<AnswerToRemind>(
    `UPDATE booking_changes c SET remind_answer_at = NULL FROM bookings b
     WHERE b.id = c.booking_id AND c.id = $1 AND c.remind_answer_at <= now()
     RETURNING ${bookingColumns}, c.id AS "changeId", c.answer_by AS "lapsesAt",
       c.status = 'open' AND c.accepted_at IS NULL AND c.answer_by > now() AND b.status = 'confirmed' AS "isOpen"`,
    [id],
  );
  return rows[0];
};
