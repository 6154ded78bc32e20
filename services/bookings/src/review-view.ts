import type { Review } from '@lendtools/contracts';
import type { Db } from '@lendtools/service-kit';

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

/** Reviews, newest first, by what is asked of them; null asks for nothing. */
export const findReviews = async (
  db: Db,
  asked: { toolId: string | null; bookingId: string | null; before: string | null; limit: number },
): Promise<Review[]> => {
  const { rows } = await db.query<ReviewRow>(
    `SELECT v.id, v.booking_id AS "bookingId", v.tool_id AS "toolId", v.rating, v.comment,
       coalesce(p.first_name, '') AS "firstName", coalesce(p.last_name, '') AS "lastName",
       coalesce(p.city, '') AS city, coalesce(p.image, 'null') AS image, v.created_at AS "createdAt"
     FROM reviews v LEFT JOIN people p ON p.id = v.user_id
     WHERE ($1::uuid IS NULL OR v.tool_id = $1) AND ($2::uuid IS NULL OR v.booking_id = $2)
       AND ($3::uuid IS NULL OR v.id < $3)
     ORDER BY v.id DESC LIMIT $4`,
    [asked.toolId, asked.bookingId, asked.before, asked.limit],
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
       LEFT JOIN reviews v ON v.tool_id = $1 AND v.rating = stars
       GROUP BY stars ORDER BY stars) AS counts`,
    [toolId],
  );
  return rows[0]?.counts ?? [];
};
