import type { CreditNote } from '@lendtools/contracts';
import { columns, type Db } from '@lendtools/service-kit';

export interface IssuedReceipt {
  number: string;
  /** Empty for the payment's receipt. */
  refund: string;
  datedAt: Date;
  cardBrand: string | null;
  cardLast4: string | null;
  taxName: string | null;
  taxPercent: number | null;
}

/** The payment's receipt and its credit notes, by the refund that they are for. */
export const findIssued = async (
  db: Db,
  paymentId: string,
): Promise<Map<string, IssuedReceipt>> => {
  const { rows } = await db.query<IssuedReceipt>(
    `SELECT ${columns('number refund datedAt cardBrand cardLast4 taxName')}, tax_percent::float8 AS "taxPercent"
     FROM receipts WHERE payment_id = $1`,
    [paymentId],
  );
  return new Map(rows.map((row) => [row.refund, row]));
};

/** No-op if another request has issued it, or if another payment has the number. */
export const insertReceipt = async (
  db: Db,
  paymentId: string,
  receipt: IssuedReceipt,
): Promise<void> => {
  const { number, refund, datedAt, cardBrand, cardLast4, taxName, taxPercent } = receipt;
  await db.query(
    `INSERT INTO receipts (number, payment_id, refund, dated_at, card_brand, card_last4, tax_name, tax_percent)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [number, paymentId, refund, datedAt, cardBrand, cardLast4, taxName, taxPercent],
  );
};

export interface RefundOfReceipt {
  /** The key of our refund, or Stripe's id of one made in its dashboard. */
  refund: string;
  /** Stripe's id; null if Stripe does not have the refund. */
  refundId: string | null;
  amountCents: number;
  reason: CreditNote['reason'];
  bookingId: string | null;
  toolNames: string[];
  /** Null unless Stripe has made the refund. */
  madeAt: Date | null;
}

export const findRefundsOfReceipt = async (
  db: Db,
  paymentId: string,
): Promise<RefundOfReceipt[]> => {
  const { rows } = await db.query<RefundOfReceipt>(
    `SELECT key AS refund, refund_id AS "refundId", amount_cents AS "amountCents", reason, booking_id AS "bookingId",
       tool_names AS "toolNames", CASE status WHEN 'succeeded' THEN finished_at END AS "madeAt"
     FROM refunds WHERE payment_id = $1
     UNION ALL
     SELECT refund_id, refund_id, amount_cents, 'other', NULL, '{}', CASE status WHEN 'succeeded' THEN changed_at END
     FROM outside_refunds WHERE payment_id = $1`,
    [paymentId],
  );
  return rows;
};
