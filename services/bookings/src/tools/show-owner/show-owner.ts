import { type OwnerCard, routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { toolNotFound } from '../../domain/errors.ts';
import { isHiddenFrom } from '../../store/block-repository.ts';

/** `GET /api/rentals/:id/owner`: public. Takes a tool's id, so that people cannot be looked up by their own ids. */
export const showOwner = ({ pool }: Deps) =>
  handle(routes.toolOwner, async ({ params, user }) => {
    const { rows } = await pool.query<OwnerCard>(
      `SELECT t.owner_id AS id, coalesce(p.first_name, '') AS first_name, coalesce(p.city, '') AS city,
         coalesce(p.state, '') AS state, coalesce(p.image, 'null') AS image,
         coalesce(round(s.rating, 2), 0)::float8 AS rating, s."reviewCount", s.rentals
       FROM tools t LEFT JOIN people p ON p.id = t.owner_id, LATERAL (
         SELECT avg(v.rating) AS rating, count(v.id) AS "reviewCount",
           count(*) FILTER (WHERE b.status IN ('returned', 'completed')) AS rentals
         FROM bookings b LEFT JOIN reviews v ON v.booking_id = b.id AND v.hidden_at IS NULL
           AND v.published_at IS NOT NULL
         WHERE b.owner_id = t.owner_id AND b.booked_at IS NOT NULL
       ) s WHERE t.id = $1 AND t.removed_at IS NULL AND NOT t.owner_disabled`,
      [params.id],
    );
    const [owner] = rows;
    if (!owner || (await isHiddenFrom(pool, user, owner.id))) throw toolNotFound('');
    return { owner };
  });
