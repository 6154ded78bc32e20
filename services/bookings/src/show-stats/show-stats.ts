import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';

interface Day {
  day: string;
  bookings: number;
  revenueCents: number;
}

/** What a booking brings: its price or, if it was cancelled, what its policy left. Without one nothing is looked up. */
const revenueCents = `coalesce(sum(CASE
    WHEN b.status IN ('confirmed', 'returned', 'completed') THEN b.total_cents + b.kept_cents
    WHEN b.cancellation_policy IS NOT NULL THEN (
      SELECT sum(returnable_cents) FROM draw_balances WHERE booking_id = b.id)
  END), 0)::bigint`;

/** `GET /api/admin/stats/bookings`: paid bookings, and what they bring; in all and for each UTC day. */
export const showStats = ({ pool }: Deps) =>
  handle(routes.bookingStats, async ({ query }) => {
    const [all, days] = await Promise.all([
      pool.query<{ total: number; revenueCents: number }>(
        `SELECT count(*) AS total,
           ${revenueCents} AS "revenueCents"
         FROM bookings b WHERE booked_at IS NOT NULL`,
      ),
      pool.query<Day>(
        `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, count(b.id) AS bookings,
           ${revenueCents} AS "revenueCents"
         FROM generate_series(date_trunc('day', now() AT TIME ZONE 'UTC') - ($1 - 1) * interval '1 day',
                              date_trunc('day', now() AT TIME ZONE 'UTC'), interval '1 day') d (day)
         LEFT JOIN bookings b ON b.booked_at IS NOT NULL
           AND b.booked_at >= d.day AT TIME ZONE 'UTC'
           AND b.booked_at < (d.day + interval '1 day') AT TIME ZONE 'UTC'
         GROUP BY d.day ORDER BY d.day`,
        [query.days],
      ),
    ]);
    return { total: 0, revenueCents: 0, ...all.rows[0], days: days.rows };
  });
