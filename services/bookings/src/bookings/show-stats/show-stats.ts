import { routes } from '@lendtools/contracts';
import { type Db, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

interface Sums {
  bookings: number;
  revenueCents: number;
}

/** `GET /api/admin/stats/bookings`: paid bookings and their revenue, in total and per UTC day. */
export const showStats = ({ pool }: Deps) =>
  handle(routes.bookingStats, async ({ query }) => {
    const [all, days] = await Promise.all([sumAll(pool), sumDays(pool, query.days)]);
    return { total: all.bookings, revenueCents: all.revenueCents, days };
  });

/** Counts all paid bookings. Sums the prices of uncancelled ones, with an index-only scan of `bookings_revenue`. */
const standing = `count(*) AS bookings,
  coalesce(sum(total_cents + kept_cents) FILTER (WHERE status IN ('confirmed', 'returned', 'completed')), 0)::bigint AS cents`;

/** What was paid for cancelled bookings and is not refunded. */
const cancelled = `FROM bookings b JOIN allocations d ON d.booking_id = b.id
  WHERE b.status = 'cancelled' AND b.booked_at IS NOT NULL AND b.cancellation_policy IS NOT NULL`;

const firstDay = `(date_trunc('day', now() AT TIME ZONE 'UTC') - ($1::int - 1) * interval '1 day')`;
const dayOf = (column: string): string => `date_trunc('day', ${column} AT TIME ZONE 'UTC')`;

export const sumAll = async (db: Db): Promise<Sums> => {
  const { rows } = await db.query<Sums>(
    `SELECT s.bookings, s.cents + c.cents AS "revenueCents"
     FROM (SELECT ${standing} FROM bookings WHERE booked_at IS NOT NULL) s,
       (SELECT coalesce(sum(d.returnable_cents), 0)::bigint AS cents ${cancelled}) c`,
  );
  return { bookings: 0, revenueCents: 0, ...rows[0] };
};

export const sumDays = async (db: Db, days: number): Promise<(Sums & { day: string })[]> => {
  const { rows } = await db.query<Sums & { day: string }>(
    `WITH s AS (
       SELECT ${dayOf('booked_at')} AS day, ${standing} FROM bookings
       WHERE booked_at >= ${firstDay} AT TIME ZONE 'UTC' GROUP BY 1),
     c AS (
       SELECT ${dayOf('b.booked_at')} AS day, sum(d.returnable_cents)::bigint AS cents ${cancelled}
         AND b.booked_at >= ${firstDay} AT TIME ZONE 'UTC' GROUP BY 1)
     SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(s.bookings, 0) AS bookings,
       coalesce(s.cents, 0) + coalesce(c.cents, 0) AS "revenueCents"
     FROM generate_series(${firstDay}, ${dayOf('now()')}, interval '1 day') d (day)
     LEFT JOIN s USING (day) LEFT JOIN c USING (day) ORDER BY d.day`,
    [days],
  );
  return rows;
};
