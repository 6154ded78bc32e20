import type { MoneyMonth } from '@lendtools/contracts';
import type { Db } from '@lendtools/service-kit';

type SummedMonth = MoneyMonth & {
  /** Whether no entry can be posted to it any more. */
  isClosed: boolean;
};

/**
 * What went in and out in each month in UTC, newest first, without the months in `known`. The sums of closed days don't say which
 * way money went, so this reads the entries, by an index-only scan of `ledger_flows`.
 */
export const sumMoneyByMonth = async (
  db: Db,
  { months, known = [] }: { months: number; known?: string[] },
): Promise<SummedMonth[]> => {
  const { rows } = await db.query<SummedMonth>(
    `WITH months AS (
       SELECT month FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC') - ($1::int - 1) * interval '1 month',
         date_trunc('month', now() AT TIME ZONE 'UTC'), interval '1 month') month
       WHERE to_char(month, 'YYYY-MM') <> ALL ($2::text[])),
     flows AS (
       SELECT date_trunc('month', posted_at AT TIME ZONE 'UTC') AS month, from_account, to_account, sum(cents) AS cents
       FROM ledger
       WHERE posted_at >= (SELECT min(month) FROM months) AT TIME ZONE 'UTC'
         AND (from_account IN ('card', 'owner', 'commission') OR to_account IN ('card', 'owner', 'commission'))
       GROUP BY 1, 2, 3)
     SELECT to_char(m.month, 'YYYY-MM') AS month,
       m.month + interval '1 month 1 day' < now() AT TIME ZONE 'UTC' AS "isClosed",
       coalesce(sum(cents) FILTER (WHERE from_account = 'card'), 0)::bigint AS "chargedCents",
       coalesce(sum(cents) FILTER (WHERE to_account = 'card'), 0)::bigint AS "refundedCents",
       coalesce(sum(CASE 'owner' WHEN to_account THEN cents WHEN from_account THEN -cents END), 0)::bigint AS "paidOutCents",
       coalesce(sum(CASE 'commission' WHEN to_account THEN cents WHEN from_account THEN -cents END), 0)::bigint AS "commissionCents"
     FROM months m LEFT JOIN flows USING (month) GROUP BY m.month ORDER BY m.month DESC`,
    [months, known],
  );
  return rows;
};
