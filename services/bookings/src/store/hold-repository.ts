import { columns, type Db, type Transaction } from '@lendtools/service-kit';
import type { Hold } from '../domain/hold.ts';
import { schedule, unschedule } from './schedule.ts';

export interface HoldRow extends Hold {
  id: string;
  version: number;
  /** The first hold of its cart; null for that hold itself. */
  cartId: string | null;
}

const holdColumns = columns(
  'id status version userId amountCents expiresAt paymentStartedAt paidBy onRequest authorizedBy changesBookingId cartId',
);

export const lockHold = async (tx: Transaction, id: string): Promise<HoldRow | undefined> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** The names of a hold's tools; for a change, the name of its booking's tool. */
export const namesOfHold = async (db: Db, id: string): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT b.name FROM holds h JOIN bookings b ON b.hold_id = h.id OR b.id = h.changes_booking_id
     WHERE h.id = $1 ORDER BY b.id`,
    [id],
  );
  return rows.map(({ name }) => name);
};

/** Locks a renter's unpaid holds. Call this before locking a booking or a tool if a cart may have to be ended. */
export const lockLiveHolds = async (tx: Transaction, userId: string): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE user_id = $1 AND status = 'live' ORDER BY id FOR UPDATE`,
    [userId],
  );
  return rows;
};

/** Rereads holds that `lockLiveHolds` has locked, and returns those that are still unpaid. */
export const findLiveOf = async (tx: Transaction, ids: (string | null)[]): Promise<HoldRow[]> => {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = ANY($1) AND status = 'live' ORDER BY id`,
    [ids],
  );
  return rows;
};

/**
 * The owners of the tools that a hold `h` would book or extend. A block does not affect a change to fewer days or units, which may cost
 * more without a discount.
 */
const ownersOfHold = `SELECT owner_id FROM bookings WHERE hold_id = h.id
  UNION ALL SELECT b.owner_id FROM bookings b JOIN booking_changes c ON c.booking_id = b.id AND c.hold_id = h.id
  WHERE b.id = h.changes_booking_id
    AND NOT (c.starts_at >= b.starts_at AND c.ends_at <= b.ends_at AND c.quantity <= b.quantity)`;

export const findOwnersOfHold = async (db: Db, { id }: Pick<HoldRow, 'id'>): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT o.owner_id AS id FROM holds h CROSS JOIN LATERAL (${ownersOfHold}) o WHERE h.id = $1`,
    [id],
  );
  return rows.map((row) => row.id);
};

/** Locks the holds of tools of one of two users that the other one has not begun to pay. */
export const lockUnpaidHoldsBetween = async (
  tx: Transaction,
  userId: string,
  otherId: string,
): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds h
     WHERE user_id IN ($1, $2) AND status = 'live' AND payment_started_at IS NULL
       AND EXISTS (SELECT FROM (${ownersOfHold}) o WHERE o.owner_id IN ($1, $2))
     ORDER BY id FOR UPDATE`,
    [userId, otherId],
  );
  return rows;
};

/** The unpaid holds of a cart, except the given one. */
export const findOtherHoldsOfCart = async (
  db: Db,
  { id, cartId, userId }: HoldRow,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM holds WHERE user_id = $1 AND status = 'live' AND coalesce(cart_id, id) = $2 AND id <> $3 ORDER BY id`,
    [userId, cartId ?? id, id],
  );
  return rows.map((row) => row.id);
};

/** Counts the unpaid holds, and returns how long ago the oldest of them expired. */
export const countLiveHolds = async (
  db: Db,
): Promise<{ count: number; overdueSeconds: number }> => {
  const { rows } = await db.query<{ count: number; overdueSeconds: number }>(
    `SELECT count(*) AS count, coalesce(greatest(0, extract(epoch FROM now() - min(expires_at))), 0)::float8 AS "overdueSeconds"
     FROM holds WHERE status = 'live'`,
  );
  return rows[0] as { count: number; overdueSeconds: number };
};

export const saveHold = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  const next = { ...hold, version: hold.version + 1 };
  await tx.query(
    `UPDATE holds SET status = $2, payment_started_at = $3, paid_by = $4, version = $5, authorized_by = $6 WHERE id = $1`,
    [next.id, next.status, next.paymentStartedAt, next.paidBy, next.version, next.authorizedBy],
  );
  if (next.status !== 'live') await unschedule(tx, 'expire-hold', next.id);
  return next;
};

/** Serializes a renter's holds by an advisory lock until the commit. */
export const lockHoldsOf = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('holds of ' || $1, 0))`, [userId]);
};

/** Inserts a hold and schedules its expiry. */
export const insertHold = async (
  tx: Transaction,
  hold: {
    userId: string;
    amountCents: number;
    unitDays: number;
    ttlMs: number;
    onRequest: boolean;
    changesBookingId?: string;
    cartId?: string | null;
  },
): Promise<{ id: string; expiresAt: Date }> => {
  const { rows } = await tx.query<{ id: string; expiresAt: Date }>(
    `INSERT INTO holds (user_id, amount_cents, unit_days, expires_at, on_request, changes_booking_id, cart_id)
     VALUES ($1, $2, $3, now() + $4 * interval '1 ms', $5, $6, $7) RETURNING id, expires_at AS "expiresAt"`,
    [
      ...[hold.userId, hold.amountCents, hold.unitDays, hold.ttlMs, hold.onRequest],
      ...[hold.changesBookingId ?? null, hold.cartId ?? null],
    ],
  );
  const inserted = rows[0] as { id: string; expiresAt: Date };
  await schedule(tx, 'expire-hold', inserted.id, inserted.expiresAt);
  return inserted;
};
