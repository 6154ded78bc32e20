import { columns, type Db } from '@lendtools/service-kit';

export interface Sum {
  count: number;
  /** Since when the oldest one waits. */
  since: Date | null;
  /** The earliest deadline. */
  dueAt: Date | null;
}

/** Disputes for which evidence can be submitted, fraud warnings that a refund can still answer, and failed refunds. */
export const sumWork = async (db: Db): Promise<{ dispute: Sum; warning: Sum; refund: Sum }> => {
  const { rows } = await db.query<Sum & { kind: 'dispute' | 'warning' | 'refund' }>(
    `SELECT 'dispute' AS kind, count(*)::int, min(created_at) AS since, min(answer_by) AS "dueAt" FROM disputes
     WHERE state IN ('inquiry', 'open') AND answer_by < 'infinity'
     UNION ALL
     SELECT 'warning', count(*)::int, min(created_at), NULL FROM fraud_warnings WHERE is_actionable
     UNION ALL
     SELECT 'refund', count(*)::int, min(created_at), NULL FROM refunds WHERE ${isFailed}`,
  );
  const sumOf = (kind: string): Sum =>
    rows.find((row) => row.kind === kind) ?? { count: 0, since: null, dueAt: null };
  return { dispute: sumOf('dispute'), warning: sumOf('warning'), refund: sumOf('refund') };
};

/** Repeats the index's predicate, so that PostgreSQL uses `refunds_unfinished`. */
const isFailed = `status IN ('pending', 'failed') AND status = 'failed' AND next_try_at < 'infinity'`;

export interface FailedRefundRow {
  key: string;
  paymentId: string;
  amountCents: number;
  error: string | null;
  createdAt: Date;
  nextTryAt: Date;
  intentId: string;
}

/** Refunds that Stripe could not make, the oldest first. They are retried with a growing delay. */
export const pageOfFailedRefunds = async (
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<FailedRefundRow[]> => {
  const { rows } = await db.query<FailedRefundRow>(
    `SELECT ${columns('key paymentId amountCents error createdAt nextTryAt', 'r')}, p.intent_id AS "intentId"
     FROM (SELECT * FROM refunds WHERE ${isFailed}) r JOIN payments p ON p.id = r.payment_id
     WHERE $1::text IS NULL OR (r.created_at, r.key) > (SELECT created_at, key FROM refunds WHERE key = $1)
     ORDER BY r.created_at, r.key LIMIT $2`,
    [after, limit],
  );
  return rows;
};

export interface FoundObject {
  kind: 'payment' | 'refund' | 'transfer' | 'reversal' | 'dispute' | 'account' | 'payout';
  paymentId: string | null;
  ownerId: string | null;
  /** Set for transfers, reversals and refunds of one booking. */
  bookingId: string | null;
}

const ofPayment = 'payment_id AS "paymentId", NULL::uuid AS "ownerId", NULL::uuid AS "bookingId"';
const ofOwner = 'NULL::uuid AS "paymentId", owner_id AS "ownerId", NULL::uuid AS "bookingId"';

/** Each query finds one row by unique indexes. */
const byPrefix: Record<string, string> = {
  pi: `SELECT 'payment' AS kind, id AS "paymentId", NULL::uuid AS "ownerId", NULL::uuid AS "bookingId" FROM payments WHERE intent_id = $1`,
  re: `SELECT 'refund' AS kind, payment_id AS "paymentId", NULL::uuid AS "ownerId", booking_id AS "bookingId"
       FROM refunds WHERE refund_id = $1
       UNION ALL SELECT 'refund', payment_id, NULL, NULL FROM outside_refunds WHERE refund_id = $1`,
  tr: `SELECT 'transfer' AS kind, payment_id AS "paymentId", owner_id AS "ownerId", booking_id AS "bookingId"
       FROM transfers WHERE transfer_id = $1`,
  trr: `SELECT 'reversal' AS kind, t.payment_id AS "paymentId", t.owner_id AS "ownerId", t.booking_id AS "bookingId"
       FROM transfer_reversals r JOIN transfers t ON t.id = r.transfer WHERE r.reversal_id = $1`,
  dp: `SELECT 'dispute' AS kind, ${ofPayment} FROM disputes WHERE dispute_id = $1`,
  acct: `SELECT 'account' AS kind, ${ofOwner} FROM payout_accounts WHERE account_id = $1`,
  po: `SELECT 'payout' AS kind, ${ofOwner} FROM payouts WHERE payout_id = $1`,
};
const aliases: Record<string, string> = { pyr: 're', du: 'dp' };

export const findStripeObject = async (
  db: Db,
  stripeId: string,
): Promise<FoundObject | undefined> => {
  const prefix = stripeId.slice(0, stripeId.indexOf('_'));
  const statement = byPrefix[aliases[prefix] ?? prefix];
  if (!statement) return undefined;
  const { rows } = await db.query<FoundObject>(`${statement} LIMIT 1`, [stripeId]);
  return rows[0];
};
