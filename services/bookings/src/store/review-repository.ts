import type { Review } from '@lendtools/contracts';
import type { Db, Transaction } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';

interface ReviewRow {
  id: string;
  bookingId: string;
  toolId: string;
  rating: number;
  comment: string;
  firstName: string;
  lastName: string;
  city: string;
  image: string;
  createdAt: Date;
}

/** A page of the reviews that match the filters, newest first; a null filter matches everything. */
export const findReviews = async (
  db: Db,
  requested: {
    toolId: string | null;
    bookingId: string | null;
    before: string | null;
    limit: number;
    withHidden?: boolean;
  },
): Promise<Review[]> => {
  const { rows } = await db.query<ReviewRow>(
    `SELECT v.id, v.booking_id AS "bookingId", v.tool_id AS "toolId", v.rating, v.comment,
       coalesce(p.first_name, '') AS "firstName", coalesce(p.last_name, '') AS "lastName",
       coalesce(p.city, '') AS city, coalesce(p.image, 'null') AS image, v.created_at AS "createdAt"
     FROM reviews v LEFT JOIN people p ON p.id = v.user_id
     WHERE ($1::uuid IS NULL OR v.tool_id = $1) AND ($2::uuid IS NULL OR v.booking_id = $2)
       AND ($3::uuid IS NULL OR v.id < $3) ${requested.withHidden ? '' : 'AND v.hidden_at IS NULL'}
     ORDER BY v.id DESC LIMIT $4`,
    [requested.toolId, requested.bookingId, requested.before, requested.limit],
  );
  return rows.map((row) => ({
    id: row.id,
    comment: row.comment,
    rating: row.rating,
    rental_id: row.toolId,
    rentalBookings: { id: row.bookingId },
    user: {
      first_name: row.firstName,
      last_name: row.lastName,
      city: row.city,
      image: row.image,
    },
    createdAt: row.createdAt.toISOString(),
  }));
};

/** How many reviews of a tool gave 1, 2, 3, 4 and 5 stars. */
export const countReviews = async (db: Db, toolId: string): Promise<number[]> => {
  const { rows } = await db.query<{ counts: number[] }>(
    `SELECT array(SELECT count(v.id)::int FROM generate_series(1, 5) stars
       LEFT JOIN reviews v ON v.tool_id = $1 AND v.rating = stars AND v.hidden_at IS NULL
       GROUP BY stars ORDER BY stars) AS counts`,
    [toolId],
  );
  return rows[0]?.counts ?? [];
};

/** The review of a booking, also if LendTools hid it. */
export const findReviewOf = async (db: Db, bookingId: string): Promise<Review | undefined> => {
  const requested = { toolId: null, bookingId, before: null, limit: 1, withHidden: true };
  const [review] = await findReviews(db, requested);
  return review;
};

/** Whether a booking has a review or, with `since`, a review written after that time. */
export const hasReview = async (
  tx: Transaction,
  bookingId: string,
  since: Date | null = null,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'SELECT FROM reviews WHERE booking_id = $1 AND ($2::timestamptz IS NULL OR created_at >= $2)',
    [bookingId, since],
  );
  return rowCount !== 0;
};

/** The number and sum of a tool's ratings, which a trigger counts at each write, and the version for the next event about them. */
interface RatingSums {
  version: number;
  count: number;
  sum: number;
}

/** Inserts or updates the review of a booking. A hidden one stays hidden. */
export const saveReview = async (
  tx: Transaction,
  booking: BookingRow,
  { rating, comment }: { rating: number; comment: string },
): Promise<RatingSums & { isHidden: boolean }> => {
  const saved = await tx.query<{ isHidden: boolean }>(
    `INSERT INTO reviews (booking_id, tool_id, user_id, rating, comment) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (booking_id) DO UPDATE SET rating = EXCLUDED.rating, comment = EXCLUDED.comment,
       changed_at = now() RETURNING hidden_at IS NOT NULL AS "isHidden"`,
    [booking.id, booking.toolId, booking.userId, rating, comment],
  );
  const { rows } = await tx.query<RatingSums>(
    `INSERT INTO tool_ratings AS t (tool_id, version, rating_count, rating_sum) VALUES ($1, 1, 0, 0)
     ON CONFLICT (tool_id) DO UPDATE SET version = t.version + 1
     RETURNING version, rating_count AS count, rating_sum AS sum`,
    [booking.toolId],
  );
  return { ...(rows[0] as RatingSums), isHidden: saved.rows[0]?.isHidden ?? false };
};

/** The booking of a review; undefined if there is no such review. */
export const findBookingOfReview = async (db: Db, id: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ bookingId: string }>(
    'SELECT booking_id AS "bookingId" FROM reviews WHERE id = $1',
    [id],
  );
  return rows[0]?.bookingId;
};

/**
 * Hides a review, or shows it again, unless a later version is stored. Its booking must be locked.
 * @returns undefined if that changed nothing
 */
export const hideReview = async (
  tx: Transaction,
  review: { id: string; isHidden: boolean; version: number },
): Promise<RatingSums | undefined> => {
  const { rows } = await tx.query<RatingSums>(
    `WITH changed AS (
       UPDATE reviews SET hidden_at = CASE WHEN $2 THEN now() END, hidden_version = $3
       WHERE id = $1 AND hidden_version < $3
       RETURNING tool_id, (new.hidden_at IS NULL) <> (old.hidden_at IS NULL) AS is_changed)
     UPDATE tool_ratings t SET version = t.version + 1
     FROM changed c WHERE t.tool_id = c.tool_id AND c.is_changed
     RETURNING t.version, t.rating_count AS count, t.rating_sum AS sum`,
    [review.id, review.isHidden, review.version],
  );
  return rows[0];
};

/** @returns undefined if there was no review */
export const deleteReview = async (
  tx: Transaction,
  bookingId: string,
): Promise<RatingSums | undefined> => {
  const { rows } = await tx.query<RatingSums>(
    `WITH gone AS (DELETE FROM reviews WHERE booking_id = $1 RETURNING tool_id)
     UPDATE tool_ratings t SET version = t.version + 1
     FROM gone WHERE t.tool_id = gone.tool_id
     RETURNING t.version, t.rating_count AS count, t.rating_sum AS sum`,
    [bookingId],
  );
  return rows[0];
};
