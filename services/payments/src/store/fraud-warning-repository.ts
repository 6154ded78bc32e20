import type { Pool, Transaction } from '@lendtools/service-kit';
import type { ListRange } from './dispute-repository.ts';

interface FraudWarning {
  warningId: string;
  paymentId: string;
  fraudType: string;
  isActionable: boolean;
  requestedAt: Date;
}

/** Stores a warning, unless the reply to a later request to Stripe is stored. @returns whether the warning is new */
export const upsertFraudWarning = async (
  tx: Transaction,
  warning: FraudWarning,
): Promise<boolean> => {
  const { warningId, paymentId, fraudType, isActionable, requestedAt } = warning;
  const { rows } = await tx.query<{ isNew: boolean }>(
    `INSERT INTO fraud_warnings AS w (warning_id, payment_id, fraud_type, is_actionable, requested_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (warning_id) DO UPDATE SET is_actionable = $4, requested_at = $5 WHERE w.requested_at <= $5
     RETURNING old.warning_id IS NULL AS "isNew"`,
    [warningId, paymentId, fraudType, isActionable, requestedAt],
  );
  return rows[0]?.isNew === true;
};

type ListedWarning = Omit<FraudWarning, 'requestedAt'> & {
  createdAt: Date;
  amountCents: number;
  intentId: string;
};

const listed = `SELECT w.warning_id AS "warningId", w.payment_id AS "paymentId", w.fraud_type AS "fraudType",
    w.is_actionable AS "isActionable", w.created_at AS "createdAt", p.amount_cents AS "amountCents", p.intent_id AS "intentId"
  FROM fraud_warnings w JOIN payments p ON p.id = w.payment_id`;
const place = '(SELECT created_at, warning_id FROM fraud_warnings WHERE warning_id = $1)';

/** Open warnings, oldest first, because the oldest is the most likely to become a dispute soon. */
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
