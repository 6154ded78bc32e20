import { internalRoutes, type OpenMatters } from '@lendtools/contracts';
import { type Db, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

type OpenBookings = Pick<OpenMatters, 'rentals' | 'lendings' | 'problems' | 'purchases'>;

/** The accounts service calls this before it closes an account, and again before it deletes it. */
export const countOpenBookings = ({ pool }: Deps) =>
  handle(internalRoutes.openBookings, ({ params }) => count(pool, params.userId));

const isOpen = `status IN ('requested', 'confirmed', 'returned')`;

// NOT IN repeats the condition of the partial indexes bookings_shown_to_*.
const count = async (db: Db, userId: string): Promise<OpenBookings> => {
  const { rows } = await db.query<OpenBookings>(
    `SELECT
       (SELECT count(*)::int FROM bookings WHERE user_id = $1 AND status NOT IN ('held', 'expired') AND ${isOpen}) AS rentals,
       (SELECT count(*)::int FROM bookings WHERE owner_id = $1 AND status NOT IN ('held', 'expired') AND ${isOpen}) AS lendings,
       (SELECT count(*)::int FROM booking_problems p JOIN bookings b ON b.id = p.booking_id
        WHERE p.settled_at IS NULL AND $1 IN (b.user_id, b.owner_id)) AS problems,
       (SELECT count(*)::int FROM holds WHERE user_id = $1 AND status = 'live' AND payment_started_at IS NOT NULL)
         + (SELECT count(*)::int FROM payments WHERE user_id = $1 AND unassigned_cents > 0) AS purchases`,
    [userId],
  );
  return rows[0] as OpenBookings;
};
