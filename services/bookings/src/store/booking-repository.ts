import { randomInt } from 'node:crypto';
import type { Terms } from '@lendtools/contracts';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import type { CommissionTerms } from '@lendtools/contracts/commission';
import type { Circle } from '@lendtools/contracts/rental-period';
import {
  actAsAdmin,
  columns,
  type Db,
  type Transaction,
  violatedConstraint,
} from '@lendtools/service-kit';
import { type Actor, actorOf } from '../domain/actor.ts';
import { type BookingStatus, isShown } from '../domain/booking.ts';
import { bookingNotFound, returnNotUndone } from '../domain/errors.ts';
import type { PricedLine } from '../domain/price.ts';
import { warnableFrom } from '../domain/reminders.ts';
import { schedule, unschedule } from './schedule.ts';

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
  /** When the booking was paid; null for a draft or a request. */
  bookedAt: Date | null;
  /** Copied from the tool when the hold was made; null if the tool had no policy. */
  cancellationPolicy: CancellationPolicy | null;
  /** Copied from the tool when the hold was made. */
  discounts: Discounts;
  /** The operator's commission when the hold was made; null if there was none. */
  commission: CommissionTerms | null;
  changeCount: number;
  changedAt: Date | null;
  /** The part of the price that stayed with the owner when changes reduced the price. */
  keptCents: number;
  /** The highest percentage that a cancellation may still refund: a change to later dates must not raise it. */
  mostPercent: number;
  returnedAt: Date | null;
  completedAt: Date | null;
  reviewableFrom: Date;
}

/** Selects bookings and requests but no drafts. Must match the predicate of the partial indexes `bookings_shown…`. */
export const isShownSql = `b.status NOT IN ('held', 'expired')`;

export const bookingColumns = columns(
  `id holdId status version code userId ownerId toolId name description coverImage circle timeZone priceCents quantity
   period discountCents totalCents startDate startTime endDate endTime startsAt endsAt createdAt bookedAt
   cancellationPolicy discounts commission changeCount changedAt keptCents mostPercent returnedAt completedAt
   reviewableFrom`,
  'b',
);

const newCode = (): string => `LT${randomInt(100_000, 1_000_000)}`;
const maxCodeTries = 50;

/** Tries booking codes, the requested one first, until no open booking of the owner or the renter has the code. */
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

/** Inserts a draft or, with `confirmed`, a paid booking. Does not reserve units. */
export const insertBooking = (
  tx: Transaction,
  line: PricedLine,
  {
    userId,
    holdId,
    status,
    commission,
  }: Pick<BookingRow, 'userId' | 'holdId' | 'commission'> & { status: 'held' | 'confirmed' },
): Promise<BookingRow> =>
  withFreeCode(line.wishedCode, async (code) => {
    const { rows } = await tx.query<BookingRow>(
      `INSERT INTO bookings AS b (hold_id, status, code, wished_code, user_id, owner_id, tool_id, name, description,
         cover_image, circle, time_zone, price_cents, quantity, period, total_cents, start_date, start_time,
         end_date, end_time, starts_at, ends_at, discount_cents, cancellation_policy, discounts, commission, booked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
         $26, CASE $2 WHEN 'confirmed' THEN now() END)
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
        commission && JSON.stringify(commission),
      ],
    );
    const [inserted] = rows;
    if (inserted) await scheduleFor(tx, inserted);
    return inserted;
  });

export const bookingsOfHold = async (db: Db, holdId: string): Promise<BookingRow[]> => {
  const { rows } = await db.query<BookingRow>(
    `SELECT ${bookingColumns} FROM bookings b WHERE b.hold_id = $1 ORDER BY b.id`,
    [holdId],
  );
  return rows;
};

/** Returns the given booking if it is confirmed and belongs to this renter and tool. */
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

/** Locks a booking for a party or an admin, whose act is recorded. @throws AppError BOOKING_NOT_FOUND for a draft or any other user */
export const lockAsParty = async (
  tx: Transaction,
  id: string,
  user: { userId: string; role: 'User' | 'Admin' },
): Promise<{ booking: BookingRow; by: Exclude<Actor, 'system'> }> => {
  const booking = await lockBooking(tx, id);
  const by = booking && isShown(booking) && actorOf(booking, user);
  if (!by) throw bookingNotFound();
  if (by === 'admin') actAsAdmin();
  return { booking, by };
};

/** Saves a status that the domain rules allowed. The foreign key cascades the status to the booking's units. */
export const saveStatus = async (
  tx: Transaction,
  booking: BookingRow,
  status: BookingStatus,
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
  const saved = rows[0] as BookingRow;
  await scheduleFor(tx, saved);
  return saved;
};

/** Schedules or cancels a booking's follow-up tasks. A task that runs before it is due schedules itself again. */
const scheduleFor = async (
  tx: Transaction,
  { id, status, bookedAt, returnedAt, startsAt, endsAt }: BookingRow,
): Promise<void> => {
  // A draft has no tasks.
  if (!bookedAt) return;
  if (status === 'confirmed') {
    await schedule(tx, 'remind-parties', id);
    await schedule(tx, 'warn-next-renter', id, warnableFrom({ startsAt }));
  } else {
    await unschedule(tx, 'remind-parties', id);
    await unschedule(tx, 'warn-next-renter', id);
  }
  if (status === 'confirmed' || status === 'returned')
    await schedule(tx, 'complete-booking', id, returnedAt ?? endsAt);
  else await unschedule(tx, 'complete-booking', id);
};

export const saveLateReturn = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const { rows } = await tx.query<BookingRow>(
    `UPDATE bookings b SET version = version + 1, returned_at = now() WHERE id = $1 RETURNING ${bookingColumns}`,
    [booking.id],
  );
  return rows[0] as BookingRow;
};

/** Confirms a returned booking again. @throws AppError RETURN_NOT_UNDONE if its dates are taken meanwhile */
export const reopenBooking = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  await renewCode(tx, booking);
  try {
    const { rows } = await tx.query<BookingRow>(
      `UPDATE bookings b SET status = 'confirmed', version = version + 1, returned_at = NULL
       WHERE id = $1 RETURNING ${bookingColumns}`,
      [booking.id],
    );
    const reopened = rows[0] as BookingRow;
    await scheduleFor(tx, reopened);
    return reopened;
  } catch (error) {
    if (violatedConstraint(error) === 'booking_units_no_overlap')
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

/** Gives a draft or booking another code before it is reopened, if an open booking uses the old code by now. */
export const renewCode = async (tx: Transaction, booking: BookingRow): Promise<BookingRow> => {
  const code = await withFreeCode(booking.code, async (candidate) => {
    const { rowCount } = await tx.query(
      `SELECT 1 FROM bookings WHERE code = $1 AND owner_id = $2 AND status IN ('held', 'requested', 'confirmed')
       UNION ALL
       SELECT 1 FROM bookings WHERE code = $1 AND user_id = $3 AND status IN ('held', 'requested', 'confirmed')`,
      [candidate, booking.ownerId, booking.userId],
    );
    return rowCount === 0 ? candidate : undefined;
  });
  if (code !== booking.code)
    await tx.query('UPDATE bookings SET code = $2 WHERE id = $1', [booking.id, code]);
  return { ...booking, code };
};
