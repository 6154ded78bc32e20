import type { AdminPayouts } from '@lendtools/contracts';
import type { Db } from '@lendtools/service-kit';

type Totals = AdminPayouts['balances']['accounts'];

const none: Totals = {
  unallocated: 0,
  pending: 0,
  available: 0,
  sending: 0,
  due: 0,
  commission: 0,
  operator: 0,
  fees: 0,
  losses: 0,
  disputes: 0,
  debts: 0,
  netting: 0,
};

/** The balances of the accounts that add up to the platform's balance at Stripe. */
export const readTotals = async (db: Db): Promise<Totals> => {
  const { rows } = await db.query<{ account: keyof Totals; cents: number }>(
    'SELECT account, cents FROM ledger_totals WHERE account = ANY ($1)',
    [Object.keys(none)],
  );
  return { ...none, ...Object.fromEntries(rows.map(({ account, cents }) => [account, cents])) };
};

/** What the operator earned and bore in each month in UTC, newest first. Reads closed days as sums. */
export const listOperatorMonths = async (
  db: Db,
  limit: number,
): Promise<AdminPayouts['months']> => {
  const { rows } = await db.query<AdminPayouts['months'][number]>(
    `SELECT to_char(day, 'YYYY-MM') AS month,
       coalesce(sum(cents) FILTER (WHERE account = 'commission'), 0)::bigint AS "commissionCents",
       coalesce(-sum(cents) FILTER (WHERE account = 'fees'), 0)::bigint AS "feesCents",
       coalesce(-sum(cents) FILTER (WHERE account = 'losses'), 0)::bigint AS "lossesCents"
     FROM (
       SELECT day, account, cents FROM ledger_days WHERE account IN ('commission', 'fees', 'losses')
       UNION ALL
       SELECT (posted_at AT TIME ZONE 'UTC')::date, account, moved
       FROM ledger CROSS JOIN LATERAL (VALUES (from_account, -cents), (to_account, cents)) moves (account, moved)
       WHERE posted_at >= ledger_open_since() AND account IN ('commission', 'fees', 'losses')) entries
     GROUP BY 1 ORDER BY 1 DESC LIMIT $1`,
    [limit],
  );
  return rows;
};
