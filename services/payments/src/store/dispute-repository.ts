import { columns, type Db, type Pool, type Transaction } from '@lendtools/service-kit';
import type { DisputeState } from '../domain/dispute.ts';

interface Dispute {
  disputeId: string;
  paymentId: string;
  amountCents: number;
  state: DisputeState;
  status: string;
  reason: string;
  answerBy: Date | null;
  /** When the dispute was requested from Stripe, by the database's clock. */
  requestedAt: Date;
}

/** The column stores "no deadline" as `infinity`, which sorts last. */
const answerBy = `nullif(answer_by, 'infinity') AS "answerBy"`;
const disputeColumns = `${columns('disputeId paymentId amountCents state status reason requestedAt')}, ${answerBy}`;

/** Reads a dispute. Lock its payment first. */
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

/** In SQL, of a row `d`: stops payment. It is a dispute, or an inquiry that no admin has waived. */
export const blocksPayment = `d.state IN ('inquiry', 'open') AND (d.state = 'open' OR d.waived_at IS NULL)`;

/** Disputes of a payment that are not decided. Admins may waive an inquiry: owners need not wait for it. */
export const listOpenDisputes = async (
  tx: Transaction,
  paymentId: string,
): Promise<{ disputeId: string; isWaived: boolean }[]> => {
  const { rows } = await tx.query<{ disputeId: string; isWaived: boolean }>(
    `SELECT dispute_id AS "disputeId", state = 'inquiry' AND waived_at IS NOT NULL AS "isWaived"
     FROM disputes WHERE payment_id = $1 AND state IN ('inquiry', 'open')`,
    [paymentId],
  );
  return rows;
};

/** Inserts or updates a dispute. A changed deadline resets `reminded_at`, so that admins are reminded again. */
export const upsertDispute = async (tx: Transaction, dispute: Dispute): Promise<void> => {
  const { disputeId, paymentId, amountCents, state, status, reason, requestedAt } = dispute;
  await tx.query(
    `INSERT INTO disputes AS d (dispute_id, payment_id, amount_cents, state, status, reason, answer_by, requested_at)
     VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, 'infinity'::timestamptz), $8)
     ON CONFLICT (dispute_id) DO UPDATE SET amount_cents = $3, state = $4, status = $5, reason = $6,
       answer_by = excluded.answer_by, requested_at = $8,
       reminded_at = CASE WHEN d.answer_by = excluded.answer_by THEN d.reminded_at END`,
    [disputeId, paymentId, amountCents, state, status, reason, dispute.answerBy, requestedAt],
  );
};

export interface ListRange {
  limit: number;
  /** The id of the previous page's last row. */
  after: string | null;
}

type ListedDispute = Omit<Dispute, 'requestedAt'> & {
  waivedAt: Date | null;
  createdAt: Date;
  paidCents: number;
  intentId: string;
};

const listed = `SELECT d.dispute_id AS "disputeId", d.payment_id AS "paymentId", d.amount_cents AS "amountCents", d.state,
    d.status, d.reason, ${answerBy}, d.created_at AS "createdAt",
    d.waived_at AS "waivedAt", p.amount_cents AS "paidCents", p.intent_id AS "intentId"
  FROM disputes d JOIN payments p ON p.id = d.payment_id`;

/** Open disputes by their deadline. Those without a deadline wait for the bank and come last. */
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

export const paymentIdOfDispute = async (
  db: Db,
  disputeId: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ paymentId: string }>(
    'SELECT payment_id AS "paymentId" FROM disputes WHERE dispute_id = $1',
    [disputeId],
  );
  return rows[0]?.paymentId;
};

/**
 * Lets owners be paid in spite of an inquiry. A repeated call changes nothing. Lock the payment first.
 * @returns when it was waived first; undefined unless the dispute is an inquiry
 */
export const waiveInquiry = async (
  tx: Transaction,
  disputeId: string,
  adminId: string,
): Promise<Date | undefined> => {
  const { rows } = await tx.query<{ waivedAt: Date }>(
    `UPDATE disputes SET waived_at = coalesce(waived_at, now()), waived_by = coalesce(waived_by, $2)
     WHERE dispute_id = $1 AND state = 'inquiry' RETURNING waived_at AS "waivedAt"`,
    [disputeId, adminId],
  );
  return rows[0]?.waivedAt;
};

interface DueDispute {
  disputeId: string;
  paymentId: string;
  amountCents: number;
  reason: string;
  answerBy: Date;
}

/** Marks a due reminder as sent. If it is not due yet, fires the trigger that schedules it and returns undefined. */
export const claimDisputeToRemind = async (
  tx: Transaction,
  disputeId: string,
): Promise<DueDispute | undefined> => {
  const { rows } = await tx.query<DueDispute>(
    `UPDATE disputes d SET reminded_at = now()
     WHERE dispute_id = $1 AND dispute_remind_at(d) <= now() AND answer_by > now()
     RETURNING ${columns('disputeId paymentId amountCents reason answerBy')}`,
    [disputeId],
  );
  if (!rows[0])
    await tx.query(
      'UPDATE disputes d SET state = state WHERE dispute_id = $1 AND dispute_remind_at(d) > now()',
      [disputeId],
    );
  return rows[0];
};
