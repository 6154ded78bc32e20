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
  /** What its length took off. */
  discountCents: number;
  totalCents: number;
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
  startsAt: Date;
  endsAt: Date;
  createdAt: Date;
  /** Null for a draft, and for a request. */
  bookedAt: Date | null;
  /** As the tool had it when it was held; null for none. */
  cancellationPolicy: CancellationPolicy | null;
  /** The tool's of then; null where a replica of the version before held it. */
  discounts: Discounts | null;
  /** How often it was changed, what of its price stayed with the owner, and what a cancellation may still refund. */
  changeCount: number;
  changedAt: Date | null;
  keptCents: number;
  mostPercent: number;
  returnedAt: Date | null;
  completedAt: Date | null;
  /** Of a request: until when the owner may answer, and when they accepted. */
  answerBy: Date | null;
  acceptedAt: Date | null;
  requestNote: string;
  /** Who ended it; null while it is open, and where a replica of the version before ended it. */
  requestEndedBy: Actor | null;
}

/** A request is stored as a draft that is to be answered: migration 0021 says why. */
const statusOfBooking = `CASE WHEN b.status = 'held' AND b.answer_by IS NOT NULL THEN 'requested' ELSE b.status END`;

/** What its parties see: bookings and requests, no drafts. By the indexes of that name. */
export const isShownSql = '(b.booked_at IS NOT NULL OR b.answer_by IS NOT NULL)';

export const bookingColumns = `${columns(
  `id holdId version code userId ownerId toolId name description coverImage circle timeZone priceCents quantity
   period discountCents totalCents startDate startTime endDate endTime startsAt endsAt createdAt bookedAt
   cancellationPolicy discounts changeCount changedAt keptCents mostPercent returnedAt completedAt answerBy acceptedAt requestNote requestEndedBy`,
  'b',
)}, ${statusOfBooking} AS status`;

const newCode = (): string => `LT${randomInt(100_000, 1_000_000)}`;
const maxCodeTries = 50;

/** Tries codes, the wished one first, until one is free among the open bookings of its owner and of its renter. */
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

/** Inserts a draft, or with `confirmed` a booking that is paid already. It has no units yet. */
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

/** Somebody's paid booking of a tool. */
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

/** The ids of an owner's paid bookings that are not over. */
export const findOpenBookingsOfOwner = async (db: Db, ownerId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM bookings WHERE owner_id = $1 AND status = 'confirmed' AND booked_at IS NOT NULL ORDER BY starts_at`,
    [ownerId],
  );
  return rows.map(({ id }) => id);
};

/** One booking, locked until the transaction ends. */
export const lockBooking = async (tx: Transaction, id: string): Promise<BookingRow | undefined> => {
  const { rows } = await tx.query<BookingRow>(
    `SELECT ${bookingColumns} FROM bookings b WHERE b.id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** Saves a status that the domain allowed, other than a request's; the booking's units follow by their foreign key. */
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

/** Records the return of a completed booking, which stays completed. */
export const saveLateReturn = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET version = version + 1, returned_at = now() WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id],
  );
  return rows[0] as BookingRow;
};

/** Until when an owner may answer, and when they are reminded of it; null for never. */
export interface AskedUntil {
  answerBy: Date;
  remindAt: Date | null;
}

/** The draft is a request from now on, still with its units. */
export const saveRequest = async (
  tx: Transaction,
  booking: BookingRow,
  { answerBy, remindAt }: AskedUntil,
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
 * A returned booking is active again, and its units with it, by their foreign key.
 * @throws AppError RETURN_NOT_UNDONE when somebody else has the dates, or the code, by now
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

/** Something was added to a booking that is published: its next event is newer than the one before. */
export const renewVersion = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET version = version + 1 WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id],
  );
  return rows[0] as BookingRow;
};

/** An expired draft's code may belong to another booking by now: takes a free one before it is reopened. */
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
 * Bookings whose rental was over by then, without an open problem or change, the longest over first, by the index
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

/** What the next reminder follows from. */
interface BookingToRemind extends BookingRow {
  bookedAt: Date;
  remindAt: Date;
}

/** Bookings that are paid and not over, of which a reminder may be due. */
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

/** Locks one of them; undefined where another replica has it, or has reminded. */
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

/** What an owner is to be reminded of, unless that is over: a request, or a change of a booking. */
export interface AnswerToRemind extends BookingRow {
  changeId: string | null;
  lapsesAt: Date;
  isOpen: boolean;
}

/** Requests whose owner is to be reminded now. */
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

/** Takes the reminder of a request, so that it happens once; undefined where another replica was faster. */
export const takeRequestToRemind = async (
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

/** A booking that begins within a day, and when one of its units should be back from another. */
export interface BookingHeldUp extends BookingRow {
  before: { endsAt: Date; endTime: string };
}

/**
 * Bookings that begin within a day and whose units others still have past their end. If nobody confirmed the return for a
 * week, the tool counts as returned. A renter who rents the tool on has it already. Units that a change only keeps are
 * with nobody.
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

/** One row for each unit that is late. */
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

/** Locks a booking and reads it again; none where it is not held up any more, or another replica has it. */
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

export const saveToldLate = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query('UPDATE bookings SET told_late_at = now() WHERE id = $1', [id]);
};
