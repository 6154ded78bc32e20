import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

const booking = `id, code, status, name, price_cents, quantity, total_cents, discount_cents, start_date, start_time, end_date, end_time,
  time_zone, created_at, booked_at, returned_at, completed_at, cancelled_at, cancelled_by, cancel_reason`;

/** What bookings stores of a user, for the download of their data. Accounts calls it with a token of the user. */
export const exportData = ({ pool }: Deps) =>
  handle(internalRoutes.dataOfBookings, async ({ params: { userId } }) => {
    const read = async (sql: string) => (await pool.query(sql, [userId])).rows;
    const [rentals, lendings, reviews, ofRenters, replies, problems, notes] = await Promise.all([
      read(
        `SELECT ${booking} FROM bookings WHERE user_id = $1 AND status NOT IN ('held', 'expired') ORDER BY id`,
      ),
      read(
        `SELECT ${booking} FROM bookings WHERE owner_id = $1 AND status NOT IN ('held', 'expired') ORDER BY id`,
      ),
      read(`SELECT v.booking_id, b.name, v.rating, v.owner_rating, v.comment, v.created_at, v.changed_at
            FROM reviews v JOIN bookings b ON b.id = v.booking_id WHERE b.user_id = $1 ORDER BY v.id`),
      read(`SELECT v.booking_id, b.name, v.care, v.punctuality, v.communication, v.comment, v.created_at, v.changed_at
            FROM renter_reviews v JOIN bookings b ON b.id = v.booking_id WHERE b.owner_id = $1 ORDER BY v.id`),
      read(`SELECT v.booking_id, v.reply, v.replied_at FROM reviews v JOIN bookings b ON b.id = v.booking_id
            WHERE b.owner_id = $1 AND v.reply IS NOT NULL
            UNION ALL SELECT booking_id, reply, replied_at FROM renter_reviews WHERE renter_id = $1 AND reply IS NOT NULL`),
      read(`SELECT p.booking_id, p.kind, p.text, p.opened_at, p.settled_at, p.note
            FROM booking_problems p JOIN bookings b ON b.id = p.booking_id
            WHERE p.reported_by = $1 AND $1 IN (b.user_id, b.owner_id) ORDER BY p.id`),
      read(`SELECT a.booking_id, a.status, a.note, a.requested_at FROM approvals a JOIN bookings b ON b.id = a.booking_id
            WHERE b.owner_id = $1 AND a.note <> '' ORDER BY a.id`),
    ]);
    return {
      files: {
        rentals,
        lendings,
        reviews,
        'reviews-of-renters': ofRenters,
        'replies-to-reviews': replies,
        problems,
        'answers-to-requests': notes,
      },
      pictures: [],
    };
  });
