import { randomInt } from 'node:crypto';
import type { Terms } from '@lendtools/contracts';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import type { Circle } from '@lendtools/contracts/rental-period';
import {
  columns,
  type Db,
  type RowRange,
  type Transaction,
  violatedConstraint,
} from '@lendtools/service-kit';
import type { Actor, BookingStatus } from './domain/booking.ts';
import type { PricedLine } from './domain/price.ts';
import { returnNotUndone } from './errors.ts';

type Discounts = NonNullable<Terms['discounts']>;

/** A booking, or the draft that may become one, as it is stored. */
export interface BookingRow {
  id: string;
  holdId: string | null;
  status: BookingStatus;
  version: number;
  code: string;
  userId: string;
  ownerId: string;
  toolId: string;
  name: string;
  description: string;
  coverImage: string;
  circle: Circle;
  timeZone: string;
  priceCents: number;
  quantity: number;
  period: number;
  /** The discount for the length of the rental. */
  discountCents: number;
  totalCents: number;
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
  startsAt: Date;
  endsAt: Date;
  createdAt: Date;
  /** Null for a draft and a request. */
  bookedAt: Date | null;
  /** Copied from the tool when it was held; null if it had none. */
  cancellationPolicy: CancellationPolicy | null;
  /** Copied from the tool when it was held; null if an older replica inserted the booking. */
  discounts: Discounts | null;
  changeCount: number;
  changedAt: Date | null;
  /** The part of the price that stayed with the owner when changes reduced it. */
  keptCents: number;
  /** The highest percentage that a cancellation may still refund: a change to later dates must not raise it. */
  mostPercent: number;
  returnedAt: Date | null;
  completedAt: Date | null;
  /** The owner's deadline to answer a request; null for a booking without one. */
  answerBy: Date | null;
  acceptedAt: Date | null;
  requestNote: string;
  /** Who ended the request; null while it is open, or if an older replica ended it. */
  requestEndedBy: Actor | null;
}

/** A request is stored as a draft with `answer_by`; migration 0021 explains why. */
const statusOfBooking = `CASE WHEN b.status = 'held' AND b.answer_by IS NOT NULL THEN 'requested' ELSE b.status END`;

/** Selects bookings and requests, but no drafts. Matches the predicate of the partial indexes `bookings_shown…`. */
export const isShownSql = '(b.booked_at IS NOT NULL OR b.answer_by IS NOT NULL)';

export const bookingColumns = `${columns(
  `id holdId version code userId ownerId toolId name description coverImage circle timeZone priceCents quantity
   period discountCents totalCents startDate startTime endDate endTime startsAt endsAt createdAt bookedAt
   cancellationPolicy discounts changeCount changedAt keptCents mostPercent returnedAt completedAt answerBy acceptedAt requestNote requestEndedBy`,
  'b',
)}, ${statusOfBooking} AS status`;

const newCode = (): string => `LT${randomInt(100_000, 1_000_000)}`;
const maxCodeTries = 50;

/** Tries codes, the wished one first, until one is free among the open bookings of the owner and of the renter. */
const withFreeCode = async <T>(
  wished: string | null,
  attempt: (code: string) => Promise<T | undefined>,
): Promise<T> => {
  let code = wished ?? newCode();
  for (let tries = 0; tries < maxCodeTries; tries++) {
    const done = await attempt(code);
    if (done !== undefined) return done;
    code = newCode();
  }
  throw new Error(`No free booking code in ${maxCodeTries} tries`);
};

/** Inserts a draft, or with `confirmed` a paid booking, without units. */
export const insertBooking = (
  tx: Transaction,
  line: PricedLine,
  {
    userId,
    holdId,
    status,
  }: { userId: string; holdId: string | null; status: 'held' | 'confirmed' },
): Promise<BookingRow> =>
  withFreeCode(line.wishedCode, async (code) => {
    const { rows } = await tx.query<BookingRow>(
      `INSERT INTO bookings AS b (hold_id, status, code, wished_code, user_id, owner_id, tool_id, name, description,
         cover_image, circle, time_zone, price_cents, quantity, period, total_cents, start_date, start_time,
         end_date, end_time, starts_at, ends_at, discount_cents, cancellation_policy, discounts, booked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
         CASE $2 WHEN 'confirmed' THEN now() END)
       ON CONFLICT DO NOTHING RETURNING ${bookingColumns}`,
      [
        holdId,
        status,
        code,
        line.wishedCode,
        userId,
        line.tool.ownerId,
        line.tool.id,
        line.tool.name,
        line.tool.description,
        line.tool.coverImage,
        line.tool.circle,
        line.tool.timeZone,
        line.tool.priceCents,
        line.quantity,
        line.period,
        line.totalCents,
        line.startDate,
        line.startTime,
        line.endDate,
        line.endTime,
        line.startsAt,
        line.endsAt,
        line.discountCents,
        line.tool.terms?.cancellation ?? null,
        JSON.stringify(line.tool.terms?.discounts ?? []),
      ],
    );
    return rows[0];
  });

export const bookingsOfHold = async (db: Db, holdId: string): Promise<BookingRow[]> => {
  const { rows } = await db.query<BookingRow>(
    `SELECT ${bookingColumns} FROM bookings b WHERE b.hold_id = $1 ORDER BY b.id`,
    [holdId],
  );
  return rows;
};

/** The given booking if it is confirmed and belongs to this renter and tool. */
export const findRented = async (
  db: Db,
  { bookingId, userId, toolId }: { bookingId: string; userId: string; toolId: string },
): Promise<BookingRow | undefined> => {
  const { rows } = await db.query<BookingRow>(
    `SELECT ${bookingColumns} FROM bookings b
     WHERE b.id = $1 AND b.user_id = $2 AND b.tool_id = $3 AND b.status = 'confirmed'`,
    [bookingId, userId, toolId],
  );
  return rows[0];
};

/** The ids of an owner's confirmed bookings. */
export const findOpenBookingsOfOwner = async (db: Db, ownerId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM bookings WHERE owner_id = $1 AND status = 'confirmed' AND booked_at IS NOT NULL ORDER BY starts_at`,
    [ownerId],
  );
  return rows.map(({ id }) => id);
};

export const lockBooking = async (tx: Transaction, id: string): Promise<BookingRow | undefined> => {
  const { rows } = await tx.query<BookingRow>(
    `SELECT ${bookingColumns} FROM bookings b WHERE b.id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** Saves a status that the domain rules allowed. The foreign key cascades it to the booking's units. */
export const saveStatus = async (
  tx: Transaction,
  booking: BookingRow,
  status: Exclude<BookingStatus, 'requested'>,
): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET status = $2, version = version + 1,
       booked_at = CASE $2 WHEN 'confirmed' THEN now() ELSE booked_at END,
       returned_at = CASE $2 WHEN 'returned' THEN now() ELSE returned_at END,
       completed_at = CASE $2 WHEN 'completed' THEN now() ELSE completed_at END,
       cancelled_at = CASE $2 WHEN 'cancelled' THEN now() ELSE cancelled_at END
     WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id, status],
  );
  return rows[0] as BookingRow;
};

export const saveLateReturn = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET version = version + 1, returned_at = now() WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id],
  );
  return rows[0] as BookingRow;
};

/** The owner's deadline to answer, and when they are reminded of it; null for never. */
export interface AnswerDeadline {
  answerBy: Date;
  remindAt: Date | null;
}

/** Turns a draft into a request. It keeps its units. */
export const saveRequest = async (
  tx: Transaction,
  booking: BookingRow,
  { answerBy, remindAt }: AnswerDeadline,
): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET version = version + 1, answer_by = $2, remind_answer_at = $3
     WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id, answerBy, remindAt],
  );
  return rows[0] as BookingRow;
};

export const saveEndOfRequest = async (
  tx: Transaction,
  { id }: BookingRow,
  { by, note }: { by: Actor; note: string },
): Promise<void> => {
  await tx.query('UPDATE bookings SET request_note = $2, request_ended_by = $3 WHERE id = $1', [
    ...[id, note, by],
  ]);
};

export const saveAcceptance = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET version = version + 1, accepted_at = now() WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id],
  );
  return rows[0] as BookingRow;
};

/**
 * Makes a returned booking confirmed again. The foreign key cascades the status to its units.
 * @throws AppError RETURN_NOT_UNDONE if another booking has taken the dates or the code meanwhile
 */
export const reopenBooking = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  try {
    const { rows } = await tx.query<BookingRow>(
      `UPDATE bookings b SET status = 'confirmed', version = version + 1, returned_at = NULL
       WHERE id = $1 RETURNING ${bookingColumns}`,
      [booking.id],
    );
    return rows[0] as BookingRow;
  } catch (error) {
    const taken = [
      'booking_units_no_overlap',
      'bookings_open_code_of_owner',
      'bookings_open_code_of_renter',
    ];
    if (taken.includes(violatedConstraint(error) ?? ''))
      throw returnNotUndone('Somebody else has booked these dates already, so it stays returned.');
    throw error;
  }
};

/** Increments the version, so that the booking's next event counts as newer. */
export const renewVersion = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET version = version + 1 WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id],
  );
  return rows[0] as BookingRow;
};

/** Gives an expired draft a free code before it is reopened: another booking may use its code by now. */
export const renewCode = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const code = await withFreeCode(booking.code, async (candidate) => {
    const { rowCount } = await tx.query(
      `SELECT 1 FROM bookings WHERE code = $1 AND owner_id = $2 AND status IN ('held', 'confirmed')
       UNION ALL
       SELECT 1 FROM bookings WHERE code = $1 AND user_id = $3 AND status IN ('held', 'confirmed')`,
      [candidate, booking.ownerId, booking.userId],
    );
    return rowCount === 0 ? candidate : undefined;
  });
  if (code !== booking.code)
    await tx.query('UPDATE bookings SET code = $2 WHERE id = $1', [booking.id, code]);
  return { ...booking, code };
};

/**
 * Bookings whose rental was over by `overBy`, without an open problem or change, oldest first. Uses the index
 * `bookings_to_complete`.
 */
export const findBookingsToComplete = async (
  db: Db,
  overBy: Date,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM bookings b
     WHERE status IN ('confirmed', 'returned') AND coalesce(returned_at, ends_at) <= $1
       AND NOT EXISTS (SELECT FROM booking_problems WHERE booking_id = b.id AND settled_at IS NULL)
       AND NOT EXISTS (SELECT FROM booking_changes WHERE booking_id = b.id AND status = 'open')
       AND id <> ALL ($2::uuid[])
     ORDER BY coalesce(returned_at, ends_at), id LIMIT $3`,
    [overBy, skip, limit],
  );
  return rows.map(({ id }) => id);
};

interface BookingToRemind extends BookingRow {
  bookedAt: Date;
  remindAt: Date;
}

export const findBookingsToRemind = async (
  db: Db,
  now: Date,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM bookings WHERE status = 'confirmed' AND remind_at <= $1 AND id <> ALL ($2::uuid[])
     ORDER BY remind_at LIMIT $3`,
    [now, skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** Locks a booking to remind of. Undefined if another replica has locked it or has sent the reminder. */
export const lockBookingToRemind = async (
  tx: Transaction,
  id: string,
  now: Date,
): Promise<BookingToRemind | undefined> => {
  const { rows } = await tx.query<BookingToRemind>(
    `SELECT ${bookingColumns}, b.remind_at AS "remindAt" FROM bookings b
     WHERE b.id = $1 AND b.status = 'confirmed' AND b.remind_at <= $2 FOR NO KEY UPDATE SKIP LOCKED`,
    [id, now],
  );
  return rows[0];
};

/** Sets when to check a locked booking again; null for never. Keeps its version, since clients don't see this. */
export const saveNextReminder = async (
  tx: Transaction,
  id: string,
  nextAt: Date | null,
): Promise<void> => {
  await tx.query('UPDATE bookings SET remind_at = $2 WHERE id = $1', [id, nextAt]);
};

/** A request, or a change of a booking, that its owner is to be reminded of while it is open. */
export interface AnswerToRemind extends BookingRow {
  changeId: string | null;
  lapsesAt: Date;
  isOpen: boolean;
}

export const findRequestsToRemind = async (
  db: Db,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM bookings WHERE remind_answer_at <= now() AND id <> ALL ($1::uuid[])
     ORDER BY remind_answer_at LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** Claims the reminder of a request, so that it is sent once. Undefined if another replica claimed it first. */
export const claimRequestToRemind = async (
  tx: Transaction,
  id: string,
): Promise<AnswerToRemind | undefined> => {
  const { rows } = await tx.query<AnswerToRemind>(
    `UPDATE bookings b SET remind_answer_at = NULL WHERE id = $1 AND remind_answer_at <= now()
     RETURNING ${bookingColumns}, NULL AS "changeId", b.answer_by AS "lapsesAt",
       b.status = 'held' AND b.accepted_at IS NULL AND b.answer_by > now() AS "isOpen"`,
    [id],
  );
  return rows[0];
};

/** A booking that starts within a day, and the end of an earlier booking that still has one of its units. */
export interface BookingHeldUp extends BookingRow {
  before: { endsAt: Date; endTime: string };
}

/**
 * Bookings that start within a day although another renter's booking with the same unit is past its end and not
 * returned. After a week without a confirmed return the tool counts as returned. Excludes units that are only held for
 * a change.
 */
const heldUp = (more: string) => `
  SELECT ${bookingColumns}, late.ends_at AS "beforeEndsAt", late.end_time AS "beforeEndTime"
  FROM bookings late
  JOIN booking_units theirs ON theirs.booking_id = late.id AND theirs.status = 'confirmed' AND theirs.change_id IS NULL
  JOIN booking_units ours ON ours.unit_id = theirs.unit_id AND ours.status = 'confirmed' AND ours.change_id IS NULL
    AND ours.during && tstzrange($1::timestamptz, $1::timestamptz + interval '1 day')
  JOIN bookings b ON b.id = ours.booking_id
  WHERE late.status = 'confirmed' AND late.ends_at <= $1 AND late.ends_at > $1::timestamptz - interval '7 days'
    AND b.starts_at > $1 AND b.told_late_at IS NULL AND b.user_id <> late.user_id AND ${more}`;

type HeldUpRow = BookingRow & { beforeEndsAt: Date; beforeEndTime: string };

const heldUpBooking = ({
  beforeEndsAt: endsAt,
  beforeEndTime: endTime,
  ...booking
}: HeldUpRow): BookingHeldUp => ({ ...booking, before: { endsAt, endTime } });

/** Returns a row for each late unit, so a booking may occur more than once. */
export const findBookingsHeldUp = async (
  db: Db,
  now: Date,
  { skip, limit }: RowRange,
): Promise<BookingHeldUp[]> => {
  const { rows } = await db.query<HeldUpRow>(
    `${heldUp('b.id <> ALL ($2::uuid[])')} ORDER BY b.starts_at LIMIT $3`,
    [now, skip, limit],
  );
  return rows.map(heldUpBooking);
};

/** Locks a booking and reads its rows again. Empty if it is no longer held up, or if another replica has locked it. */
export const lockBookingHeldUp = async (
  tx: Transaction,
  id: string,
  now: Date,
): Promise<BookingHeldUp[]> => {
  const { rows } = await tx.query<HeldUpRow>(
    `${heldUp('b.id = $2')} FOR NO KEY UPDATE OF b SKIP LOCKED`,
    [now, id],
  );
  return rows.map(heldUpBooking);
};

export const saveLateWarning = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query('UPDATE bookings SET told_late_at = now() WHERE id = $1', [id]);
};
