import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** Returns the current number of tools, and how many were listed on each recent day (UTC), including removed tools. */
export const showStats = ({ pool }: Deps): BoundRoute =>
  handle(routes.catalogStats, async ({ query }) => {
    const [total, listings] = await Promise.all([
      pool.query<{ total: number }>(
        'SELECT count(*)::int AS total FROM tools WHERE removed_at IS NULL',
      ),
      pool.query<{ day: string; count: number }>(
        `WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day),
           listed AS (
             SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS count FROM tools
             WHERE created_at > now() - make_interval(days => $1) GROUP BY 1)
         SELECT to_char(d, 'YYYY-MM-DD') AS day, coalesce(listed.count, 0) AS count
         FROM today, generate_series(today.day - ($1 - 1), today.day, interval '1 day') d
         LEFT JOIN listed ON listed.day = d::date ORDER BY d`,
        [query.days],
      ),
    ]);
    return { total: total.rows[0]?.total ?? 0, listings: listings.rows };
  });
