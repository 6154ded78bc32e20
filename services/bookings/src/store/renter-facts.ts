import type { RenterFacts } from '@lendtools/contracts';
import type { Db } from '@lendtools/service-kit';

export type RenterFactsRow = Omit<RenterFacts, 'memberSince'> & {
  bookingId: string;
  memberSince: Date | null;
};

/**
 * What an owner may know about the renters of requested bookings. An account's id is a UUIDv7, so it contains when the
 * account was created.
 */
export const findRenterFacts = async (db: Db, bookingIds: string[]): Promise<RenterFactsRow[]> => {
  const { rows } = await db.query<RenterFactsRow>(
    `SELECT b.id AS "bookingId", uuid_extract_timestamp(b.user_id) AS "memberSince",
       coalesce(p.email_verified, false) AS "emailVerified", s.*
     FROM bookings b LEFT JOIN people p ON p.id = b.user_id
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE one.status IN ('returned', 'completed')) AS rentals,
         count(*) FILTER (WHERE one.status IN ('returned', 'completed') AND one.owner_id = b.owner_id) AS "rentalsOfOwner",
         count(*) FILTER (WHERE one.status = 'cancelled' AND one.cancelled_by = 'renter') AS cancelled,
         count(v.id) AS reviews, coalesce(round(avg(v.rating), 1), 0)::float8 AS "meanStars", count(rv.id) AS received,
         coalesce(round(avg((rv.care + rv.punctuality + rv.communication) / 3.0), 1), 0)::float8 AS "receivedStars"
       FROM bookings one
       LEFT JOIN reviews v ON v.booking_id = one.id AND v.published_at IS NOT NULL
       LEFT JOIN renter_reviews rv ON rv.booking_id = one.id AND rv.published_at IS NOT NULL AND rv.hidden_at IS NULL
       WHERE one.user_id = b.user_id AND one.booked_at IS NOT NULL) s
     WHERE b.id = ANY ($1)`,
    [bookingIds],
  );
  return rows;
};
