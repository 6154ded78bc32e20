import type { ListedReview, ListTotal } from '@lendtools/contracts';
import { containing, countListed, type Db } from '@lendtools/service-kit';

interface ListedRow {
  id: string;
  rating: number;
  comment: string;
  toolId: string;
  toolName: string;
  bookingId: string;
  bookingCode: string;
  renterId: string;
  renterFirstName: string;
  renterLastName: string;
  ownerId: string;
  ownerFirstName: string;
  ownerLastName: string;
  createdAt: Date;
  publishedAt: Date | null;
}

interface ReviewSearch {
  /** The admin. Reviews of this user's own tools are found only once they appear. */
  viewerId: string;
  q: string | null;
  /** At most this many stars. */
  stars: number | null;
  before: string | null;
  limit: number;
}

const found = `FROM reviews v WHERE ($1::text IS NULL OR v.comment ILIKE $1) AND ($2::int IS NULL OR v.rating <= $2)
  AND (v.published_at IS NOT NULL OR (SELECT b.owner_id FROM bookings b WHERE b.id = v.booking_id) <> $3)`;

/** A page of all matching reviews, newest first. The first page includes their total. */
export const searchReviews = async (
  db: Db,
  { viewerId, q, stars, before, limit }: ReviewSearch,
): Promise<{ reviews: ListedReview[] } & ListTotal> => {
  const values = [containing(q), stars, viewerId];
  const [page, count] = await Promise.all([
    db.query<ListedRow>(
      `SELECT v.id, v.rating, v.comment, v.tool_id AS "toolId", b.name AS "toolName", v.booking_id AS "bookingId",
         b.code AS "bookingCode", v.created_at AS "createdAt", v.published_at AS "publishedAt", b.user_id AS "renterId", b.owner_id AS "ownerId",
         coalesce(r.first_name, '') AS "renterFirstName", coalesce(r.last_name, '') AS "renterLastName",
         coalesce(o.first_name, '') AS "ownerFirstName", coalesce(o.last_name, '') AS "ownerLastName"
       FROM (SELECT * ${found} AND ($4::uuid IS NULL OR v.id < $4) ORDER BY v.id DESC LIMIT $5) v
       JOIN bookings b ON b.id = v.booking_id
       LEFT JOIN people r ON r.id = b.user_id LEFT JOIN people o ON o.id = b.owner_id
       ORDER BY v.id DESC`,
      [...values, before, limit],
    ),
    // Counting a million reviews would take longer than the page.
    before === null && countListed(db, { rows: found, values, isNarrowed: true }),
  ]);
  return { reviews: page.rows.map(toListed), ...count };
};

const toListed = (row: ListedRow): ListedReview => ({
  id: row.id,
  rating: row.rating,
  comment: row.comment,
  toolId: row.toolId,
  toolName: row.toolName,
  bookingId: row.bookingId,
  bookingCode: row.bookingCode,
  renter: { id: row.renterId, first_name: row.renterFirstName, last_name: row.renterLastName },
  owner: { id: row.ownerId, first_name: row.ownerFirstName, last_name: row.ownerLastName },
  createdAt: row.createdAt.toISOString(),
  publishedAt: row.publishedAt?.toISOString() ?? null,
});
