import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

interface ToolSums {
  rental_id: string;
  isListed: boolean;
  earnedCents: number;
  toComeCents: number;
  rentals: number;
}

/** `GET …/earnings`: payments per tool, less refunds and lost disputes. Includes what owners kept of cancellations. */
export const showEarnings = ({ pool }: Deps) =>
  handle(routes.earnings, async ({ user }) => {
    const { rows } = await pool.query<ToolSums>(
      `SELECT b.tool_id AS rental_id, t.removed_at IS NULL AS "isListed",
         coalesce(sum(m.cents) FILTER (WHERE b.begun), 0)::bigint AS "earnedCents",
         coalesce(sum(m.cents) FILTER (WHERE NOT b.begun), 0)::bigint AS "toComeCents",
         count(*) FILTER (WHERE m.cents > 0) AS rentals
       FROM (SELECT id, tool_id, starts_at <= now() OR status = 'cancelled' AS begun FROM bookings
             WHERE owner_id = $1 AND booked_at IS NOT NULL) b
       JOIN tools t ON t.id = b.tool_id
       CROSS JOIN LATERAL (
         SELECT sum(returnable_cents) AS cents FROM allocation_balances WHERE booking_id = b.id) m
       GROUP BY b.tool_id, t.removed_at ORDER BY b.tool_id`,
      [user.userId],
    );
    const total = { earnedCents: 0, toComeCents: 0 };
    for (const { earnedCents, toComeCents } of rows) {
      total.earnedCents += earnedCents;
      total.toComeCents += toComeCents;
    }
    const listed = rows.filter(({ isListed }) => isListed);
    return { tools: listed.map(({ isListed: _, ...sums }) => sums), total };
  });
