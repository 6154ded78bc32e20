import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';

interface Day {
  day: string;
  bookings: number;
  revenueCents: number;
}

/**
 * `GET /api/admin/stats/bookings`: paid bookings, as many as the admin's list has, and what those bring that were not
 * cancelled; in all and for each UTC day.
 */
export const showStats = ({ pool }: Deps) =>
  handle(routes.bookingStats, async ({ query }) => {
    const [all, days] = await Promise.all([
      pool.query<{ total: number; revenueCents: number }>(
        `SELECT count(*) AS total,
           coalesce(sum(total_cents) FILTER (WHERE status IN ('confirmed', 'returned')), 0)::bigint AS "revenueCents"
         FROM bookings WHERE booked_at IS NOT NULL`,
      ),
      pool.query<Day>(
        `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, count(b.id) AS bookings,
           coalesce(sum(b.total_cents) FILTER (WHERE b.status IN ('confirmed', 'returned')), 0)::bigint AS "revenueCents"
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
