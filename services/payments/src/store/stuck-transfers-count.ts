import type { Db } from '@lendtools/service-kit';

export interface StuckTransfers {
  transfer: number;
  reversal: number;
  returned: number;
}

/**
 * Counts what an admin has to look at. `transfer`: a share whose transfer has been unknown or rejected for a day, although its
 * owner can be paid. `reversal`: one that has been unknown for a day. `returned`: one that was made in Stripe's dashboard.
 */
export const countStuckTransfers = async (db: Db): Promise<StuckTransfers> => {
  const { rows } = await db.query<StuckTransfers>(
    `SELECT
       (SELECT count(*)::int FROM transfers t JOIN payout_accounts a ON a.owner_id = t.owner_id
        WHERE t.status <> 'sent' AND t.next_try_at < 'infinity' AND is_payable(a) AND EXISTS (
          SELECT FROM transfers first
          WHERE first.payment_id = t.payment_id AND first.booking_id = t.booking_id AND first.status <> 'sent'
            AND first.created_at < now() - interval '1 day' AND NOT EXISTS (
              SELECT FROM transfers sent
              WHERE sent.payment_id = t.payment_id AND sent.booking_id = t.booking_id AND sent.status = 'sent'
                AND sent.created_at > first.created_at))) AS transfer,
       (SELECT count(*)::int FROM transfer_reversals WHERE status = 'unknown' AND created_at < now() - interval '1 day') AS reversal,
       (SELECT count(*)::int FROM transfer_reversals WHERE is_outside AND accepted_at IS NULL) AS returned`,
  );
  return rows[0] as StuckTransfers;
};
