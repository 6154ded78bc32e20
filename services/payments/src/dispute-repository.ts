import {
  columns,
  type Db,
  type Pool,
  type RowRange,
  type Transaction,
} from '@lendtools/service-kit';
import type { DisputeState } from './domain/dispute.ts';

interface Dispute {
  disputeId: string;
  paymentId: string;
  amountCents: number;
  state: DisputeState;
  /** The status as Stripe names it. */
  status: string;
  reason: string;
  answerBy: Date | null;
  /** When we requested it from Stripe, by the database's clock. */
  askedAt: Date;
}

/** The column stores "no deadline" as `infinity`, which sorts last. */
const answerBy = `nullif(answer_by, 'infinity') AS "answerBy"`;
const disputeColumns = `${columns('disputeId paymentId amountCents state status reason askedAt')}, ${answerBy}`;

/** Call it under the payment's lock. */
export const findDispute = async (
  tx: Transaction,
  disputeId: string,
): Promise<Dispute | undefined> => {
  const { rows } = await tx.query<Dispute>(
    `SELECT ${disputeColumns} FROM disputes WHERE dispute_id = $1`,
    [disputeId],
  );
  return rows[0];
};

export const listDisputes = async (tx: Transaction, paymentId: string): Promise<Dispute[]> => {
  const { rows } = await tx.query<Dispute>(
    `SELECT ${disputeColumns} FROM disputes WHERE payment_id = $1`,
    [paymentId],
  );
  return rows;
};

/** Upserts a dispute. A changed deadline resets `reminded_at`, so that admins are reminded again. */
export const upsertDispute = async (tx: Transaction, dispute: Dispute): Promise<void> => {
  const { disputeId, paymentId, amountCents, state, status, reason, askedAt } = dispute;
  await tx.query(
    `INSERT INTO disputes AS d (dispute_id, payment_id, amount_cents, state, status, reason, answer_by, asked_at)
     VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, 'infinity'::timestamptz), $8)
     ON CONFLICT (dispute_id) DO UPDATE SET amount_cents = $3, state = $4, status = $5, reason = $6,
       answer_by = excluded.answer_by, asked_at = $8,
       reminded_at = CASE WHEN d.answer_by = excluded.answer_by THEN d.reminded_at END`,
    [disputeId, paymentId, amountCents, state, status, reason, dispute.answerBy, askedAt],
  );
};

export interface ListRange {
  limit: number;
  /** The id of the previous page's last row. */
  after: string | null;
}

type ListedDispute = Omit<Dispute, 'askedAt'> & {
  createdAt: Date;
  paidCents: number;
  intentId: string;
};

const listed = `SELECT d.dispute_id AS "disputeId", d.payment_id AS "paymentId", d.amount_cents AS "amountCents", d.state,
    d.status, d.reason, ${answerBy}, d.created_at AS "createdAt", p.amount_cents AS "paidCents", p.intent_id AS "intentId"
  FROM disputes d JOIN payments p ON p.id = d.payment_id`;

/** Sorted by deadline; disputes without one, which wait for the bank, come last. */
export const pageOfOpenDisputes = async (
  pool: Pool,
  { limit, after }: ListRange,
): Promise<ListedDispute[]> => {
  const { rows } = await pool.query<ListedDispute>(
    `${listed} WHERE d.state IN ('inquiry', 'open') AND ($1::text IS NULL OR (d.answer_by, d.dispute_id) >
       (SELECT answer_by, dispute_id FROM disputes WHERE dispute_id = $1))
     ORDER BY d.answer_by, d.dispute_id LIMIT $2`,
    [after, limit],
  );
  return rows;
};

export const pageOfDecidedDisputes = async (
  pool: Pool,
  { limit, after }: ListRange,
): Promise<ListedDispute[]> => {
  const { rows } = await pool.query<ListedDispute>(
    `${listed} WHERE d.state IN ('won', 'lost') AND ($1::text IS NULL OR (d.created_at, d.dispute_id) <
       (SELECT created_at, dispute_id FROM disputes WHERE dispute_id = $1))
     ORDER BY d.created_at DESC, d.dispute_id DESC LIMIT $2`,
    [after, limit],
  );
  return rows;
};

interface DueDispute {
  disputeId: string;
  paymentId: string;
  amountCents: number;
  reason: string;
  answerBy: Date;
}

/** Skips disputes younger than a day: the notice of their opening has just named the deadline. */
const isToBeReminded = `state IN ('inquiry', 'open') AND answer_by > now() AND answer_by <= now() + interval '2 days'
  AND reminded_at IS NULL AND created_at <= now() - interval '1 day'`;

export const findDisputesToRemind = async (
  db: Db,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT dispute_id AS id FROM disputes WHERE ${isToBeReminded} AND dispute_id <> ALL ($1)
     ORDER BY answer_by LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** Marks a dispute as reminded; returns undefined if another replica was faster. */
export const claimDisputeToRemind = async (
  tx: Transaction,
  disputeId: string,
): Promise<DueDispute | undefined> => {
  const { rows } = await tx.query<DueDispute>(
    `UPDATE disputes SET reminded_at = now() WHERE dispute_id = $1 AND ${isToBeReminded}
     RETURNING ${columns('disputeId paymentId amountCents reason answerBy')}`,
    [disputeId],
  );
  return rows[0];
};
