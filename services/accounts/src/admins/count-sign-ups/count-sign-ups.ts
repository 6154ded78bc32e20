import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** Counts all users, and the sign-ups on each recent day (UTC) including today. */
export const countSignUps = ({ pool }: Deps) =>
  handle(routes.accountStats, async ({ query }) => {
    const [all, signUps] = await Promise.all([
      pool.query<{ total: number }>('SELECT count(*) AS total FROM users'),
      pool.query<{ day: string; count: number }>(
        `SELECT to_char(day, 'YYYY-MM-DD') AS day,
           (SELECT count(*) FROM users WHERE created_at >= day AT TIME ZONE 'UTC'
              AND created_at < (day + interval '1 day') AT TIME ZONE 'UTC') AS count
         FROM generate_series(
           date_trunc('day', now() AT TIME ZONE 'UTC') - ($1::int - 1) * interval '1 day',
           date_trunc('day', now() AT TIME ZONE 'UTC'), interval '1 day') AS day
         ORDER BY day`,
        [query.days],
      ),
    ]);
    return { total: all.rows[0]?.total ?? 0, signUps: signUps.rows };
  });
