import type { RefundOwed } from '@lendtools/contracts';
import { columns, type Db, type ListRange, type Transaction } from '@lendtools/service-kit';

type Order = Omit<RefundOwed, 'paymentId' | 'refundCents'> & {
  changeId?: string | undefined;
  refunds: { paymentId: string; refundCents: number }[];
};

/** Records refunds in the transaction that decides them. The payments service sends only refunds recorded here. */
export const orderRefunds = async (
  tx: Transaction,
  { bookingId, grantId, changeId, reason, toolNames, refunds }: Order,
): Promise<void> => {
  for (const { paymentId, refundCents } of refunds)
    await tx.query(
      `INSERT INTO refund_orders (payment_id, booking_id, grant_id, refund_cents, reason, tool_names, change_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [paymentId, bookingId, grantId, refundCents, reason, toolNames, changeId ?? null],
    );
};

// `grantId` distinguishes a booking's refunds: it is the id of a change, an admin's refund or, from replicas of 1.0, a recovered refund.
const owedColumns = `${columns('paymentId bookingId refundCents reason toolNames')},
  coalesce(grant_id, CASE WHEN is_recovered THEN id ELSE change_id END) AS "grantId"`;

export const refundsOfPayment = async (db: Db, paymentId: string): Promise<RefundOwed[]> => {
  const orders = await ordersOfPayment(db, paymentId);
  return orders.map(({ orderedAt, ...owed }) => owed);
};

export const ordersOfPayment = async (
  db: Db,
  paymentId: string,
): Promise<(RefundOwed & { orderedAt: string })[]> => {
  const { rows } = await db.query<RefundOwed & { orderedAt: Date }>(
    `SELECT ${owedColumns}, ordered_at AS "orderedAt" FROM refund_orders WHERE payment_id = $1 ORDER BY ordered_at, id`,
    [paymentId],
  );
  return rows.map(({ orderedAt, ...owed }) => ({ ...owed, orderedAt: orderedAt.toISOString() }));
};

export const refundsSince = async (
  db: Db,
  { since, upTo, after, limit }: ListRange,
): Promise<{ at: string; key: string; item: RefundOwed }[]> => {
  const { rows } = await db.query<RefundOwed & { at: string; key: string }>(
    `SELECT * FROM (
       SELECT *, concat_ws(':', "paymentId", "bookingId", "grantId") AS key FROM (
         SELECT ${owedColumns}, ordered_at, ordered_at::text AS at
         FROM refund_orders WHERE ordered_at >= $1 AND ordered_at < $2) orders) owed
     WHERE $3::timestamptz IS NULL OR (ordered_at, key) > ($3, $4)
     ORDER BY ordered_at, key LIMIT $5`,
    // Start at the cursor, so that a later page does not scan the earlier rows.
    [after?.at ?? since, upTo, after?.at ?? null, after?.key ?? null, limit],
  );
  return rows.map(({ at, key, ...owed }) => {
    const { paymentId, bookingId, grantId, refundCents, reason, toolNames } = owed;
    return { at, key, item: { paymentId, bookingId, grantId, refundCents, reason, toolNames } };
  });
};
