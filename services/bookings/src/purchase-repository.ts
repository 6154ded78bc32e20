import { columns, type Db, type RowRange, type Transaction } from '@lendtools/service-kit';
import type { Purchase } from './domain/purchase.ts';

export interface HoldRow extends Purchase {
  id: string;
  version: number;
}

const holdColumns = columns(
  'id status version userId amountCents expiresAt paymentStartedAt paidBy onRequest authorizedBy changesBookingId',
);

/** One hold, locked until the transaction ends. */
export const lockHold = async (tx: Transaction, id: string): Promise<HoldRow | undefined> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** The tools that a hold is for, of a change the tool of its booking. */
export const namesOfHold = async (db: Db, id: string): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT b.name FROM holds h JOIN bookings b ON b.hold_id = h.id OR b.id = h.changes_booking_id
     WHERE h.id = $1 ORDER BY b.id`,
    [id],
  );
  return rows.map(({ name }) => name);
};

/** Locks a hold for a job; undefined where it is gone, or where another replica is working on it. */
export const lockFreeHold = async (tx: Transaction, id: string): Promise<HoldRow | undefined> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = $1 FOR UPDATE SKIP LOCKED`,
    [id],
  );
  return rows[0];
};

/**
 * Locks a person's unpaid holds. Whoever gives up the person's carts calls this before locking a booking or a tool. With
 * `lockPurchasesOf` no other can be added until the commit.
 */
export const lockLiveHolds = async (tx: Transaction, userId: string): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE user_id = $1 AND status = 'live' ORDER BY id FOR UPDATE`,
    [userId],
  );
  return rows;
};

/** Reads again the unpaid ones of some holds that `lockLiveHolds` has locked. */
export const findLiveOf = async (tx: Transaction, ids: (string | null)[]): Promise<HoldRow[]> => {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = ANY($1) AND status = 'live' ORDER BY id`,
    [ids],
  );
  return rows;
};

/** The ids of a renter's holds that are requests. */
export const findRequestsOf = async (db: Db, userId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM holds WHERE user_id = $1 AND status = 'requested' AND changes_booking_id IS NULL`,
    [userId],
  );
  return rows.map(({ id }) => id);
};

/** The time by the one clock that every replica shares. */
export const databaseNow = async (db: Db): Promise<Date> => {
  const { rows } = await db.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now as Date;
};

/** The ids of some expired holds. */
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

/** How many are unpaid, and for how long the oldest of them should have ended. */
export const countLiveHolds = async (
  db: Db,
): Promise<{ count: number; overdueSeconds: number }> => {
  const { rows } = await db.query<{ count: number; overdueSeconds: number }>(
    `SELECT count(*) AS count, coalesce(greatest(0, extract(epoch FROM now() - min(expires_at))), 0)::float8 AS "overdueSeconds"
     FROM holds WHERE status = 'live'`,
  );
  return rows[0] as { count: number; overdueSeconds: number };
};

/** For how long the request that waits longest should have been answered, and how long ago the other was accepted. */
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

/** Saves what became of a locked hold. */
export const saveHold = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  const next = { ...hold, version: hold.version + 1 };
  await tx.query(
    `UPDATE holds SET status = $2, payment_started_at = $3, paid_by = $4, version = $5, authorized_by = $6 WHERE id = $1`,
    [next.id, next.status, next.paymentStartedAt, next.paidBy, next.version, next.authorizedBy],
  );
  return next;
};

/**
 * The ids of some open holds whose change ended, with its booking or because another change replaced it, by the index
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

/** The ids of some holds whose requests were accepted so long ago that their card cannot be charged any more. */
export const findUnchargedHolds = async (db: Db, { skip, limit }: RowRange): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT b.hold_id AS id FROM bookings b
     WHERE b.status = 'held' AND b.answer_by IS NOT NULL AND b.accepted_at <= now() - interval '8 days'
       AND b.hold_id <> ALL ($1::uuid[]) ORDER BY b.accepted_at LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** The ids of some holds whose requests should end: nobody answered in time, or the tool is gone. */
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

/** Allows one purchase of a person at a time, by an advisory lock until the commit. */
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
