import type { Db, Transaction } from '@lendtools/service-kit';
import type { Debt } from '../domain/transfer.ts';

/** An index contains the entries of debts by owner. */
const ofDebts = `FROM ledger WHERE owner_id IS NOT NULL AND (from_account = 'debts' OR to_account = 'debts')`;
const debtCents = `sum(CASE from_account WHEN 'debts' THEN cents ELSE -cents END)`;

export interface OwnerWithDebt {
  ownerId: string;
  debtCents: number;
  comingCents: number;
  since: Date;
  isHeld: boolean;
  state: 'not-started' | 'incomplete' | 'ready';
}

export const pageOfDebts = async (
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<OwnerWithDebt[]> => {
  const { rows } = await db.query<OwnerWithDebt>(
    `SELECT d.owner_id AS "ownerId", d.cents AS "debtCents", d.since, coalesce(a.held_by_admin OR a.owner_disabled, false) AS "isHeld",
       coalesce(a.state, 'not-started') AS state,
       (SELECT coalesce(sum(CASE WHEN to_account IN ('pending', 'available') THEN cents ELSE 0 END
          - CASE WHEN from_account IN ('pending', 'available') THEN cents ELSE 0 END), 0)::bigint
        FROM ledger l WHERE l.owner_id = d.owner_id) AS "comingCents"
     FROM (
       SELECT owner_id, ${debtCents}::bigint AS cents, min(posted_at) AS since ${ofDebts} AND ($1::uuid IS NULL OR owner_id > $1)
       GROUP BY owner_id HAVING ${debtCents} > 0 ORDER BY owner_id LIMIT $2) d
     LEFT JOIN payout_accounts a ON a.owner_id = d.owner_id ORDER BY d.owner_id`,
    [after, limit],
  );
  return rows;
};

/** All debts of an owner, by payment. */
export const listAllDebts = async (db: Db, ownerId: string): Promise<Debt[]> => {
  const { rows } = await db.query<Debt>(
    `SELECT payment_id AS "paymentId", booking_id AS "bookingId", ${debtCents}::bigint AS cents ${ofDebts} AND owner_id = $1
     GROUP BY payment_id, booking_id HAVING ${debtCents} > 0 ORDER BY payment_id, booking_id`,
    [ownerId],
  );
  return rows;
};

/** What a transfer may pay, the oldest first: the owner's debts without those that an unfinished reversal may pay. */
export const listNettableDebts = async (db: Db, ownerId: string): Promise<Debt[]> => {
  const { rows } = await db.query<Debt>(
    `SELECT payment_id AS "paymentId", booking_id AS "bookingId", ${debtCents}::bigint AS cents ${ofDebts} AND owner_id = $1
       AND NOT EXISTS (SELECT FROM transfers t JOIN transfer_reversals r ON r.transfer = t.id
         WHERE t.payment_id = ledger.payment_id AND t.booking_id = ledger.booking_id AND r.status = 'unknown')
     GROUP BY payment_id, booking_id HAVING ${debtCents} > 0 ORDER BY min(posted_at), payment_id, booking_id`,
    [ownerId],
  );
  return rows;
};

export interface WriteOff {
  ownerId: string;
  adminId: string;
  cents: number;
  reason: string;
}

/** Records who wrote off which debt, and why. @returns the id in the keys of its entries */
export const insertWriteOff = async (
  tx: Transaction,
  { ownerId, adminId, cents, reason }: WriteOff,
): Promise<string> => {
  const { rows } = await tx.query<{ id: string }>(
    'INSERT INTO write_offs (owner_id, admin_id, cents, reason) VALUES ($1, $2, $3, $4) RETURNING id',
    [ownerId, adminId, cents, reason],
  );
  return rows[0]?.id as string;
};
