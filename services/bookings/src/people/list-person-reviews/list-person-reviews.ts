import { maxPageSize, type PersonReview, routes } from '@lendtools/contracts';
import { type Db, handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { personNotFound } from '../../domain/errors.ts';
import { toReply } from '../../store/renter-review-repository.ts';
import { findProfile } from '../show-person/show-person.ts';

/** `GET /api/people/:id/reviews`: visible to the same users as the person's page. */
export const listPersonReviews = ({ pool }: Deps) =>
  handle(routes.personReviews, async ({ params, query, user }) => {
    const { limit = maxPageSize, cursor, as } = query;
    const page = { before: readCursor(cursor) ?? null, limit: limit + 1 };
    const [profile, rows] = await Promise.all([
      findProfile(pool, params.id, user),
      findReviewsOf(pool, params.id, { as, ...page }),
    ]);
    if (!profile) throw personNotFound();
    const { items, nextCursor } = splitPage(rows, limit);
    return { reviews: items, nextCursor };
  });

interface ReviewRow {
  id: string;
  toolName: string;
  rating: number;
  ownerRating: number | null;
  care: number | null;
  punctuality: number | null;
  communication: number | null;
  comment: string;
  reply: string | null;
  repliedAt: Date | null;
  authorId: string;
  firstName: string;
  lastName: string;
  image: string;
  createdAt: Date;
}

const received = {
  owner: `SELECT v.id, v.rating, v.owner_rating, NULL::int AS care, NULL::int AS punctuality, NULL::int AS communication, v.comment,
      v.reply, v.replied_at, v.created_at, b.name, b.user_id AS author_id
    FROM bookings b JOIN reviews v ON v.booking_id = b.id
    WHERE b.owner_id = $1 AND b.booked_at IS NOT NULL`,
  renter: `SELECT v.id, round((v.care + v.punctuality + v.communication) / 3.0, 1)::float8 AS rating, NULL::int AS owner_rating, v.care,
      v.punctuality, v.communication, v.comment, v.reply, v.replied_at, v.created_at, b.name, v.owner_id AS author_id
    FROM renter_reviews v JOIN bookings b ON b.id = v.booking_id
    WHERE v.renter_id = $1`,
};

const findReviewsOf = async (
  db: Db,
  personId: string,
  { as, before, limit }: { as: 'owner' | 'renter'; before: string | null; limit: number },
): Promise<PersonReview[]> => {
  const { rows } = await db.query<ReviewRow>(
    `SELECT r.id, r.name AS "toolName", r.rating, r.owner_rating AS "ownerRating", r.care, r.punctuality, r.communication, r.comment,
       r.reply, r.replied_at AS "repliedAt", r.author_id AS "authorId", coalesce(p.first_name, '') AS "firstName",
       coalesce(last_initial(p.first_name, p.last_name), '') AS "lastName", coalesce(p.image, 'null') AS image, r.created_at AS "createdAt"
     FROM (${received[as]} AND v.published_at IS NOT NULL AND v.hidden_at IS NULL AND ($2::uuid IS NULL OR v.id < $2)
       ORDER BY v.id DESC LIMIT $3) r
     LEFT JOIN people p ON p.id = r.author_id
     ORDER BY r.id DESC`,
    [personId, before, limit],
  );
  return rows.map(toPersonReview);
};

const toPersonReview = (row: ReviewRow): PersonReview => {
  const { care, punctuality, communication } = row;
  return {
    id: row.id,
    toolName: row.toolName,
    rating: row.rating,
    ownerRating: row.ownerRating,
    parts:
      care === null || punctuality === null || communication === null
        ? null
        : { care, punctuality, communication },
    comment: row.comment,
    reply: toReply(row),
    author: {
      id: row.authorId,
      first_name: row.firstName,
      last_name: row.lastName,
      image: row.image,
    },
    createdAt: row.createdAt.toISOString(),
  };
};
