import type { Review } from '@lendtools/contracts';
import type { Db, Transaction } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';
import { toReply } from './renter-review-repository.ts';

interface ReviewRow {
  id: string;
  bookingId: string;
  toolId: string;
  userId: string;
  rating: number;
  ownerRating: number | null;
  comment: string;
  firstName: string;
  lastName: string;
  city: string;
  image: string;
  createdAt: Date;
  publishedAt: Date | null;
  reply: string | null;
  repliedAt: Date | null;
}

interface ReviewsQuery {
  toolId: string | null;
  bookingId: string | null;
  before: string | null;
  limit: number;
  /** Also returns the reviews by this user that have not appeared. */
  viewerId?: string | undefined;
  /** Also returns other authors' reviews that have not appeared, unless the viewer owns the tool. */
  withUnpublished?: boolean;
  withHidden?: boolean;
}

/** A page of the reviews that match the filters, newest first; a null filter matches everything. */
export const findReviews = async (
  db: Db,
  { toolId, bookingId, before, limit, viewerId, withUnpublished, withHidden }: ReviewsQuery,
): Promise<Review[]> => {
  const { rows } = await db.query<ReviewRow>(
    `SELECT v.id, v.booking_id AS "bookingId", v.tool_id AS "toolId", v.user_id AS "userId", v.rating,
       v.owner_rating AS "ownerRating", v.comment, coalesce(p.first_name, '') AS "firstName",
       coalesce(last_initial(p.first_name, p.last_name), '') AS "lastName", coalesce(p.city, '') AS city,
       coalesce(p.image, 'null') AS image, v.created_at AS "createdAt", v.published_at AS "publishedAt", v.reply,
       v.replied_at AS "repliedAt"
     FROM reviews v LEFT JOIN people p ON p.id = v.user_id
     WHERE ($1::uuid IS NULL OR v.tool_id = $1) AND ($2::uuid IS NULL OR v.booking_id = $2)
       AND ($3::uuid IS NULL OR v.id < $3) ${withHidden ? '' : 'AND v.hidden_at IS NULL'}
       AND (v.published_at IS NOT NULL OR v.user_id = $6
         OR $5 AND NOT EXISTS (SELECT FROM bookings b WHERE b.id = v.booking_id AND b.owner_id = $6))
     ORDER BY v.id DESC LIMIT $4`,
    [toolId, bookingId, before, limit, withUnpublished ?? false, viewerId ?? null],
  );
  return rows.map(toReview);
};

const toReview = (row: ReviewRow): Review => ({
  id: row.id,
  comment: row.comment,
  rating: row.rating,
  ownerRating: row.ownerRating,
  rental_id: row.toolId,
  rentalBookings: { id: row.bookingId },
  user: {
    id: row.userId,
    first_name: row.firstName,
    last_name: row.lastName,
    city: row.city,
    image: row.image,
  },
  createdAt: row.createdAt.toISOString(),
  publishedAt: row.publishedAt?.toISOString() ?? null,
  reply: toReply(row),
});

/** How many visible reviews of a tool gave 1, 2, 3, 4 and 5 stars. */
export const countReviews = async (db: Db, toolId: string): Promise<number[]> => {
  const { rows } = await db.query<{ counts: number[] }>(
    `SELECT array(SELECT count(v.id)::int FROM generate_series(1, 5) stars
       LEFT JOIN reviews v ON v.tool_id = $1 AND v.rating = stars AND v.hidden_at IS NULL AND v.published_at IS NOT NULL
       GROUP BY stars ORDER BY stars) AS counts`,
    [toolId],
  );
  return rows[0]?.counts ?? [];
};

/** The review of a booking, also if it has not appeared or LendTools hid it. */
export const findReviewOf = async (db: Db, bookingId: string): Promise<Review | undefined> => {
  const requested = { toolId: null, bookingId, before: null, limit: 1 };
  const [review] = await findReviews(db, { ...requested, withUnpublished: true, withHidden: true });
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

interface ToolRating {
  rating: number;
  ownerRating?: number | undefined;
  comment: string;
}

/** Inserts or updates the review of a booking, which has not appeared. A hidden one stays hidden. */
export const saveReview = async (
  tx: Transaction,
  booking: BookingRow,
  { rating, ownerRating, comment }: ToolRating,
): Promise<{ isHidden: boolean }> => {
  const { rows } = await tx.query<{ isHidden: boolean }>(
    `INSERT INTO reviews AS v (booking_id, tool_id, user_id, rating, owner_rating, comment, published_at)
     VALUES ($1, $2, $3, $4, $5, $6, NULL)
     ON CONFLICT (booking_id) DO UPDATE SET rating = EXCLUDED.rating, comment = EXCLUDED.comment,
       owner_rating = coalesce(EXCLUDED.owner_rating, v.owner_rating), changed_at = now()
     RETURNING hidden_at IS NOT NULL AS "isHidden"`,
    [booking.id, booking.toolId, booking.userId, rating, ownerRating ?? null, comment],
  );
  return rows[0] as { isHidden: boolean };
};

interface PublishedReview {
  id: string;
  rating: number;
  comment: string;
  isHidden: boolean;
}

/** @returns undefined if there is no review, or it has appeared already */
export const publishToolReview = async (
  tx: Transaction,
  bookingId: string,
): Promise<PublishedReview | undefined> => {
  const { rows } = await tx.query<PublishedReview>(
    `UPDATE reviews SET published_at = now() WHERE booking_id = $1 AND published_at IS NULL
     RETURNING id, rating, comment, hidden_at IS NOT NULL AS "isHidden"`,
    [bookingId],
  );
  return rows[0];
};

/** Counts a tool's visible reviews again. */
export const sumRatings = async (tx: Transaction, toolId: string): Promise<RatingSums> => {
  const { rows } = await tx.query<RatingSums>(
    `INSERT INTO tool_ratings AS t (tool_id, version, rating_count, rating_sum) VALUES ($1, 1, 0, 0)
     ON CONFLICT (tool_id) DO UPDATE SET version = t.version + 1
     RETURNING version, rating_count AS count, rating_sum AS sum`,
    [toolId],
  );
  return rows[0] as RatingSums;
};

/** The booking of a review of either party; undefined if there is no such review. */
export const findBookingOfReview = async (db: Db, id: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ bookingId: string }>(
    `SELECT booking_id AS "bookingId" FROM reviews WHERE id = $1
     UNION ALL SELECT booking_id FROM renter_reviews WHERE id = $1`,
    [id],
  );
  return rows[0]?.bookingId;
};

/** @returns false if the parties of the booking were reminded already */
export const saveReviewersReminded = async (
  tx: Transaction,
  bookingId: string,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'UPDATE bookings SET review_reminded_at = now() WHERE id = $1 AND review_reminded_at IS NULL',
    [bookingId],
  );
  return rowCount === 1;
};

/** Saves the reply of the reviewed person. @returns the reply before; undefined if the person was not reviewed, or cannot see it */
export const saveReply = async (
  tx: Transaction,
  { reviewId, userId, text }: { reviewId: string; userId: string; text: string },
): Promise<{ before: string | null } | undefined> => {
  const ofTool = `v.id = $1 AND b.id = v.booking_id AND b.owner_id = $2 AND ${isVisible}`;
  const ofRenter = `v.id = $1 AND v.renter_id = $2 AND ${isVisible}`;
  const reply = 'reply = $3, replied_at = now()';
  const { rowCount } = await tx.query(
    `WITH of_tool AS (
       UPDATE reviews v SET ${reply} FROM bookings b WHERE ${ofTool} AND v.reply IS NULL RETURNING v.id),
     of_renter AS (
       UPDATE renter_reviews v SET ${reply} WHERE ${ofRenter} AND v.reply IS NULL RETURNING v.id)
     SELECT FROM of_tool UNION ALL SELECT FROM of_renter`,
    [reviewId, userId, text],
  );
  if (rowCount === 1) return { before: null };
  // After a concurrent reply, `RETURNING old.reply` could be null.
  const { rows } = await tx.query<{ before: string | null }>(
    `SELECT v.reply AS before FROM reviews v, bookings b WHERE ${ofTool}
     UNION ALL SELECT v.reply FROM renter_reviews v WHERE ${ofRenter}`,
    [reviewId, userId],
  );
  return rows[0];
};

const isVisible = 'v.published_at IS NOT NULL AND v.hidden_at IS NULL';

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
     INSERT INTO tool_ratings AS t (tool_id, version, rating_count, rating_sum)
     SELECT tool_id, 1, 0, 0 FROM changed WHERE is_changed
     ON CONFLICT (tool_id) DO UPDATE SET version = t.version + 1
     RETURNING version, rating_count AS count, rating_sum AS sum`,
    [review.id, review.isHidden, review.version],
  );
  return rows[0];
};

/** @returns undefined if there was no review, or it had not appeared */
export const deleteReview = async (
  tx: Transaction,
  bookingId: string,
): Promise<RatingSums | undefined> => {
  const { rows } = await tx.query<RatingSums>(
    `WITH gone AS (DELETE FROM reviews WHERE booking_id = $1 RETURNING tool_id, published_at)
     UPDATE tool_ratings t SET version = t.version + 1
     FROM gone WHERE t.tool_id = gone.tool_id AND gone.published_at IS NOT NULL
     RETURNING t.version, t.rating_count AS count, t.rating_sum AS sum`,
    [bookingId],
  );
  return rows[0];
};
