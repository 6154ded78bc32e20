import { routes, type Today } from '@lendtools/contracts';
import { type CommissionTerms, feeOfShares } from '@lendtools/contracts/commission';
import { type Db, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { sharesLeft } from '../show-earnings/show-earnings.ts';

/** `GET …/today`: an owner's day, by the clock of each tool's place. */
export const showToday = ({ pool }: Deps) =>
  handle(routes.today, async ({ user }) => {
    const [due, earnedCents] = await Promise.all([
      findDue(pool, user.userId),
      sumMonth(pool, user.userId),
    ]);
    return { today: { ...due, earnedCents } };
  });

type Due = Omit<Today, 'earnedCents'>;

interface DueRow {
  what: keyof Due;
  count: number;
  bookingId: string;
  name: string;
  renter: string;
  time: string;
  overdueSince: string | null;
}

const today = `to_char(now() AT TIME ZONE b.time_zone, 'YYYY-MM-DD')`;

/** Selects the first due booking of each kind, and counts the kind. */
const dueSql = `
  SELECT DISTINCT ON (what) what, count(*) OVER (PARTITION BY what) AS count, d.id AS "bookingId", d.name,
    coalesce(p.first_name, '') AS renter, d.time,
    d.overdue_since AS "overdueSince"
  FROM (
    SELECT 'handOvers' AS what, b.id, b.name, b.user_id, b.start_time AS time, b.starts_at AS at,
      NULL AS overdue_since
    FROM bookings b
    WHERE b.owner_id = $1 AND b.status = 'confirmed' AND b.start_date = ${today}
    UNION ALL
    SELECT 'returns', b.id, b.name, b.user_id, b.end_time, b.ends_at,
      CASE WHEN b.end_date < ${today} THEN b.end_date END
    FROM bookings b
    WHERE b.owner_id = $1 AND b.status = 'confirmed' AND b.end_date <= ${today}
    UNION ALL
    SELECT 'answers', b.id, b.name, b.user_id, '', a.answer_by, NULL
    FROM bookings b JOIN approvals a ON a.booking_id = b.id
    WHERE b.owner_id = $1 AND b.status IN ('requested', 'confirmed') AND a.status = 'pending' AND a.charges_at IS NULL
  ) d LEFT JOIN people p ON p.id = d.user_id
  ORDER BY what, d.at, d.id`;

const findDue = async (db: Db, ownerId: string): Promise<Due> => {
  const { rows } = await db.query<DueRow>(dueSql, [ownerId]);
  const dueOf = (what: keyof Due) => {
    const row = rows.find((one) => one.what === what);
    if (!row) return { count: 0, first: null };
    const { bookingId, name, renter, time, overdueSince, count } = row;
    return { count, first: { bookingId, name, renter, time, overdueSince } };
  };
  return {
    handOvers: dueOf('handOvers'),
    returns: dueOf('returns'),
    answers: dueOf('answers'),
  };
};

const sumMonth = async (db: Db, ownerId: string): Promise<number> => {
  const { rows } = await db.query<{ commission: CommissionTerms | null; shares: number[] }>(
    `SELECT b.commission, m.shares FROM bookings b CROSS JOIN LATERAL (${sharesLeft}) m
     WHERE b.owner_id = $1 AND b.booked_at IS NOT NULL AND b.starts_at <= now()
       AND b.starts_at >= date_trunc('month', now() AT TIME ZONE b.time_zone) AT TIME ZONE b.time_zone`,
    [ownerId],
  );
  return rows.reduce((sum, { commission, shares }) => {
    const gross = shares.reduce((one, other) => one + other, 0);
    return sum + gross - feeOfShares(shares, commission);
  }, 0);
};
