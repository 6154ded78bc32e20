import { columns, type Db, type RowRange, type Transaction } from '@lendtools/service-kit';
import type { Purchase } from './domain/purchase.ts';

export interface HoldRow extends Purchase {
  id: string;
  version: number;
}

const holdColumns = columns(
  'id status version userId amountCents expiresAt paymentStartedAt paidBy onRequest authorizedBy changesBookingId',
);

export const lockHold = async (tx: Transaction, id: string): Promise<HoldRow | undefined> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** The names of a hold's tools; for a change, the tool of its booking. */
export const namesOfHold = async (db: Db, id: string): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT b.name FROM holds h JOIN bookings b ON b.hold_id = h.id OR b.id = h.changes_booking_id
     WHERE h.id = $1 ORDER BY b.id`,
    [id],
  );
  return rows.map(({ name }) => name);
};

/** Locks a hold for a job. Undefined if it is gone, or if another transaction has locked it. */
export const lockFreeHold = async (tx: Transaction, id: string): Promise<HoldRow | undefined> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = $1 FOR UPDATE SKIP LOCKED`,
    [id],
  );
  return rows[0];
};

/**
 * Locks a renter's unpaid holds. A flow that may give up the renter's carts must call this before it locks a booking or a
 * tool. After `lockPurchasesOf`, no hold can be added until the commit.
 */
export const lockLiveHolds = async (tx: Transaction, userId: string): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE user_id = $1 AND status = 'live' ORDER BY id FOR UPDATE`,
    [userId],
  );
  return rows;
};

/** Re-reads holds that `lockLiveHolds` has locked, and returns those that are still unpaid. */
export const findLiveOf = async (tx: Transaction, ids: (string | null)[]): Promise<HoldRow[]> => {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = ANY($1) AND status = 'live' ORDER BY id`,
    [ids],
  );
  return rows;
};

/** The ids of the holds of a renter's requests, without changes of bookings. */
export const findRequestsOf = async (db: Db, userId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM holds WHERE user_id = $1 AND status = 'requested' AND changes_booking_id IS NULL`,
    [userId],
  );
  return rows.map(({ id }) => id);
};

/** The database's time, which all replicas share. */
export const databaseNow = async (db: Db): Promise<Date> => {
  const { rows } = await db.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now as Date;
};

/** The ids of expired holds. A hold whose payment has started expires `graceMs` later. */
export const findOverdueHolds = async (
  db: Db,
  graceMs: number,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM holds WHERE status = 'live' AND expires_at <= now()
       AND (payment_started_at IS NULL OR expires_at <= now() - $1 * interval '1 ms')
       AND id <> ALL ($2::uuid[]) ORDER BY expires_at LIMIT $3`,
    [graceMs, skip, limit],
  );
  return rows.map(({ id }) => id);
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

/** How long the oldest unanswered request is past its deadline, and how long ago the oldest uncharged one was accepted. */
export const requestsOverdue = async (
  db: Db,
): Promise<{ answerSeconds: number; chargeSeconds: number }> => {
  const { rows } = await db.query<{ answerSeconds: number; chargeSeconds: number }>(
    `SELECT coalesce(greatest(0, extract(epoch FROM now() - min(answer_by) FILTER (WHERE accepted_at IS NULL))), 0)::float8
         AS "answerSeconds",
       coalesce(greatest(0, extract(epoch FROM now() - min(accepted_at))), 0)::float8 AS "chargeSeconds"
     FROM (
       SELECT answer_by, accepted_at FROM bookings WHERE status = 'held' AND answer_by IS NOT NULL
       UNION ALL
       SELECT answer_by, accepted_at FROM booking_changes WHERE status = 'open' AND answer_by IS NOT NULL) asked`,
  );
  return rows[0] as { answerSeconds: number; chargeSeconds: number };
};

export const saveHold = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  const next = { ...hold, version: hold.version + 1 };
  await tx.query(
    `UPDATE holds SET status = $2, payment_started_at = $3, paid_by = $4, version = $5, authorized_by = $6 WHERE id = $1`,
    [next.id, next.status, next.paymentStartedAt, next.paidBy, next.version, next.authorizedBy],
  );
  return next;
};

/**
 * The ids of open holds whose change has ended, with its booking or because another change replaced it. Uses the index
 * `holds_open_of_changes`.
 */
export const findHoldsOfEndedChanges = async (
  db: Db,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT h.id FROM holds h JOIN booking_changes c ON c.hold_id = h.id
     WHERE h.changes_booking_id IS NOT NULL AND h.status IN ('live', 'requested') AND c.status = 'ended' AND h.id <> ALL ($1::uuid[]) LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** The ids of holds whose request was accepted so long ago that the card can no longer be charged. */
export const findUnchargedHolds = async (db: Db, { skip, limit }: RowRange): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT b.hold_id AS id FROM bookings b
     WHERE b.status = 'held' AND b.answer_by IS NOT NULL AND b.accepted_at <= now() - interval '8 days'
       AND b.hold_id <> ALL ($1::uuid[]) ORDER BY b.accepted_at LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** The ids of holds whose unanswered request has to end: past its deadline, or its tool or owner is gone. */
export const findUnansweredHolds = async (db: Db, { skip, limit }: RowRange): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT h.id FROM bookings b JOIN holds h ON h.id = b.hold_id JOIN tools t ON t.id = b.tool_id
     WHERE b.status = 'held' AND b.answer_by IS NOT NULL AND b.accepted_at IS NULL AND h.status = 'requested'
       AND (b.answer_by <= now() OR t.removed_at IS NOT NULL OR t.owner_disabled)
       AND h.id <> ALL ($1::uuid[]) ORDER BY b.answer_by LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** Serializes the purchases of a renter, by an advisory lock until the commit. */
export const lockPurchasesOf = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('purchases of ' || $1, 0))`, [
    userId,
  ]);
};

export const insertHold = async (
  db: Db,
  hold: {
    userId: string;
    amountCents: number;
    unitDays: number;
    ttlMs: number;
    onRequest: boolean;
    changesBookingId?: string;
  },
): Promise<{ id: string; expiresAt: Date }> => {
  const { rows } = await db.query<{ id: string; expiresAt: Date }>(
    `INSERT INTO holds (user_id, amount_cents, unit_days, expires_at, on_request, changes_booking_id)
     VALUES ($1, $2, $3, now() + $4 * interval '1 ms', $5, $6) RETURNING id, expires_at AS "expiresAt"`,
    [
      ...[hold.userId, hold.amountCents, hold.unitDays, hold.ttlMs, hold.onRequest],
      hold.changesBookingId ?? null,
    ],
  );
  return rows[0] as { id: string; expiresAt: Date };
};
