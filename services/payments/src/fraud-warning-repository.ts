import type { Pool, Transaction } from '@lendtools/service-kit';
import type { ListRange } from './dispute-repository.ts';

interface FraudWarning {
  warningId: string;
  paymentId: string;
  fraudType: string;
  isActionable: boolean;
  /** When we requested it from Stripe, by the database's clock. */
  askedAt: Date;
}

/**
 * Upserts a warning, unless the reply to a later request is already stored.
 * @returns whether the warning is new
 */
export const upsertFraudWarning = async (
  tx: Transaction,
  warning: FraudWarning,
): Promise<boolean> => {
  const { warningId, paymentId, fraudType, isActionable, askedAt } = warning;
  const { rows } = await tx.query<{ isNew: boolean }>(
    `INSERT INTO fraud_warnings AS w (warning_id, payment_id, fraud_type, is_actionable, asked_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (warning_id) DO UPDATE SET is_actionable = $4, asked_at = $5 WHERE w.asked_at <= $5
     RETURNING old.warning_id IS NULL AS "isNew"`,
    [warningId, paymentId, fraudType, isActionable, askedAt],
  );
  return rows[0]?.isNew === true;
};

type ListedWarning = Omit<FraudWarning, 'askedAt'> & {
  createdAt: Date;
  amountCents: number;
  intentId: string;
};

const listed = `SELECT w.warning_id AS "warningId", w.payment_id AS "paymentId", w.fraud_type AS "fraudType",
    w.is_actionable AS "isActionable", w.created_at AS "createdAt", p.amount_cents AS "amountCents", p.intent_id AS "intentId"
  FROM fraud_warnings w JOIN payments p ON p.id = w.payment_id`;
const place = '(SELECT created_at, warning_id FROM fraud_warnings WHERE warning_id = $1)';

/** The oldest first, because it is likely to become a dispute first. */
export const pageOfOpenWarnings = async (
  pool: Pool,
  { limit, after }: ListRange,
): Promise<ListedWarning[]> => {
  const { rows } = await pool.query<ListedWarning>(
    `${listed} WHERE w.is_actionable AND ($1::text IS NULL OR (w.created_at, w.warning_id) > ${place})
     ORDER BY w.created_at, w.warning_id LIMIT $2`,
    [after, limit],
  );
  return rows;
};

export const pageOfEndedWarnings = async (
  pool: Pool,
  { limit, after }: ListRange,
): Promise<ListedWarning[]> => {
  const { rows } = await pool.query<ListedWarning>(
    `${listed} WHERE NOT w.is_actionable AND ($1::text IS NULL OR (w.created_at, w.warning_id) < ${place})
     ORDER BY w.created_at DESC, w.warning_id DESC LIMIT $2`,
    [after, limit],
  );
  return rows;
};
