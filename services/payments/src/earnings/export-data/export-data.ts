import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** What payments stores of a user, for the download of their data. Accounts calls it with a token of the user. */
export const exportData = ({ pool }: Deps) =>
  handle(internalRoutes.dataOfPayments, async ({ params: { userId } }) => {
    const read = async (sql: string) => (await pool.query(sql, [userId])).rows;
    const [payments, refunds, transfers, payouts, accounts, writeOffs] = await Promise.all([
      read(`SELECT p.id, p.amount_cents, p.status, p.intent_id, p.succeeded_at, r.card_brand, r.card_last4
            FROM payments p LEFT JOIN receipts r ON r.payment_id = p.id AND r.refund = ''
            WHERE p.user_id = $1 AND p.succeeded_at IS NOT NULL ORDER BY p.id`),
      read(`SELECT r.payment_id, r.amount_cents, r.reason, r.tool_names, r.status, r.created_at, r.finished_at
            FROM payments p JOIN refunds r ON r.payment_id = p.id
            WHERE p.user_id = $1 AND p.succeeded_at IS NOT NULL ORDER BY r.created_at`),
      read(
        `SELECT booking_id, account_id, amount_cents, status, sent_at FROM transfers WHERE owner_id = $1 ORDER BY id`,
      ),
      read(
        `SELECT amount_cents, status, arrives_at FROM payouts WHERE owner_id = $1 ORDER BY settled_at`,
      ),
      read('SELECT account_id, state, created_at FROM payout_accounts WHERE owner_id = $1'),
      read('SELECT cents, reason, created_at FROM write_offs WHERE owner_id = $1 ORDER BY id'),
    ]);
    const more = { 'payout-account': accounts, 'write-offs': writeOffs };
    return { files: { payments, refunds, transfers, payouts, ...more }, pictures: [] };
  });
