import { internalRoutes, type OpenMatters } from '@lendtools/contracts';
import { type Db, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

type OpenMoney = Pick<OpenMatters, 'refunds' | 'disputes' | 'earnings' | 'debts'>;

/** The accounts service calls this before it closes an account, and again before it deletes it. */
export const countOpenMoney = ({ pool }: Deps) =>
  handle(internalRoutes.openMoney, ({ params }) => count(pool, params.userId));

const count = async (db: Db, userId: string): Promise<OpenMoney> => {
  const { rows } = await db.query<OpenMoney>(
    `SELECT
       (SELECT count(*)::int FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE r.status IN ('pending', 'failed') AND r.next_try_at < 'infinity' AND p.user_id = $1) AS refunds,
       (SELECT count(*)::int FROM disputes d JOIN payments p ON p.id = d.payment_id
        WHERE d.state IN ('inquiry', 'open') AND (p.user_id = $1
          OR EXISTS (SELECT FROM ledger l WHERE l.payment_id = p.id AND l.owner_id = $1))) AS disputes,
       count(*) FILTER (WHERE coming > 0)::int AS earnings, count(*) FILTER (WHERE debt > 0)::int AS debts
     FROM (
       SELECT booking_id, ${balance(['pending', 'available', 'sending'])} AS coming, -${balance(['debts'])} AS debt
       FROM ledger WHERE owner_id = $1 AND booking_id IS NOT NULL GROUP BY booking_id) balances`,
    [userId],
  );
  return rows[0] as OpenMoney;
};

const balance = (accounts: string[]): string => {
  const list = accounts.map((account) => `'${account}'`).join(', ');
  return `sum(CASE WHEN to_account IN (${list}) THEN cents ELSE 0 END
    - CASE WHEN from_account IN (${list}) THEN cents ELSE 0 END)`;
};
