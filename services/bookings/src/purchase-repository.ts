import { columns, type Db, type Transaction } from '@lendtools/service-kit';
import type { Purchase } from './domain/purchase.ts';

export interface HoldRow extends Purchase {
  id: string;
  version: number;
}

const holdColumns = columns(
  'id status version userId amountCents expiresAt paymentStartedAt paidBy',
);

/** One hold, locked until the transaction ends. */
export const lockHold = async (tx: Transaction, id: string): Promise<HoldRow | undefined> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** A person's unpaid holds, locked. Nobody who has one of them waits for units, so these may be locked already. */
export const lockLiveHolds = async (tx: Transaction, userId: string): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE user_id = $1 AND status = 'live' ORDER BY id FOR UPDATE`,
    [userId],
  );
  return rows;
};

/** The time by the one clock that every replica shares. */
export const databaseNow = async (tx: Transaction): Promise<Date> => {
  const { rows } = await tx.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now as Date;
};

/** Some expired holds, locked; another replica's are skipped. */
export const lockOverdueHolds = async (tx: Transaction, graceMs: number): Promise<HoldRow[]> => {
  const { rows } = await tx.query<HoldRow>(
    `SELECT ${holdColumns} FROM holds WHERE status = 'live' AND expires_at <= now()
       AND (payment_started_at IS NULL OR expires_at <= now() - $1 * interval '1 ms')
     ORDER BY expires_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
    [graceMs],
  );
  return rows;
};

/** Saves what became of a locked hold. */
export const saveHold = async (tx: Transaction, hold: HoldRow): Promise<HoldRow> => {
  const next = { ...hold, version: hold.version + 1 };
  await tx.query(
    `UPDATE holds SET status = $2, payment_started_at = $3, paid_by = $4, version = $5 WHERE id = $1`,
    [next.id, next.status, next.paymentStartedAt, next.paidBy, next.version],
  );
  return next;
};

/** Allows one purchase of a person at a time, by an advisory lock until the commit. */
export const lockPurchasesOf = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('purchases of ' || $1, 0))`, [
    userId,
  ]);
};

export const insertHold = async (
  db: Db,
  hold: { userId: string; amountCents: number; unitDays: number; ttlMs: number },
): Promise<{ id: string; expiresAt: Date }> => {
  const { rows } = await db.query<{ id: string; expiresAt: Date }>(
    `INSERT INTO holds (user_id, amount_cents, unit_days, expires_at)
     VALUES ($1, $2, $3, now() + $4 * interval '1 ms') RETURNING id, expires_at AS "expiresAt"`,
    [hold.userId, hold.amountCents, hold.unitDays, hold.ttlMs],
  );
  return rows[0] as { id: string; expiresAt: Date };
};
