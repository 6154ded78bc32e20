import type { RenterReview } from '@lendtools/contracts';
import type { Db, Transaction } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';

export interface RenterReviewRow {
  id: string;
  care: number;
  punctuality: number;
  communication: number;
  comment: string;
  createdAt: Date;
  publishedAt: Date | null;
  isHidden: boolean;
  reply: string | null;
  repliedAt: Date | null;
}

const renterReviewColumns = `rv.id, rv.care, rv.punctuality, rv.communication, rv.comment, rv.created_at AS "createdAt",
  rv.published_at AS "publishedAt", rv.hidden_at IS NOT NULL AS "isHidden", rv.reply, rv.replied_at AS "repliedAt"`;

/** The owner's review of a booking's renter, also if LendTools hid it. */
export const findRenterReviewRow = async (
  db: Db,
  bookingId: string,
): Promise<RenterReviewRow | undefined> => {
  const { rows } = await db.query<RenterReviewRow>(
    `SELECT ${renterReviewColumns} FROM renter_reviews rv WHERE rv.booking_id = $1`,
    [bookingId],
  );
  return rows[0];
};

/** The owner's review of a booking's renter; null if there is none, or LendTools hid it. */
export const findRenterReview = async (db: Db, bookingId: string): Promise<RenterReview | null> => {
  const row = await findRenterReviewRow(db, bookingId);
  return row && !row.isHidden ? toRenterReview(row) : null;
};

export const toReply = ({ reply, repliedAt }: Pick<RenterReviewRow, 'reply' | 'repliedAt'>) =>
  reply !== null && repliedAt !== null ? { text: reply, at: repliedAt.toISOString() } : null;

const toRenterReview = (row: RenterReviewRow): RenterReview => ({
  id: row.id,
  care: row.care,
  punctuality: row.punctuality,
  communication: row.communication,
  comment: row.comment,
  createdAt: row.createdAt.toISOString(),
  publishedAt: row.publishedAt?.toISOString() ?? null,
  reply: toReply(row),
});

export interface RenterRating {
  care: number;
  punctuality: number;
  communication: number;
  comment: string;
}

/** Inserts or updates the owner's review of a booking's renter, which has not appeared. A hidden one stays hidden. */
export const saveRenterReview = async (
  tx: Transaction,
  booking: BookingRow,
  { care, punctuality, communication, comment }: RenterRating,
): Promise<void> => {
  await tx.query(
    `INSERT INTO renter_reviews (booking_id, renter_id, owner_id, care, punctuality, communication, comment)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (booking_id) DO UPDATE SET care = EXCLUDED.care, punctuality = EXCLUDED.punctuality,
       communication = EXCLUDED.communication, comment = EXCLUDED.comment, changed_at = now()`,
    [booking.id, booking.userId, booking.ownerId, care, punctuality, communication, comment],
  );
};

/** @returns undefined if there is no review, or it has appeared already */
export const publishRenterReview = async (
  tx: Transaction,
  bookingId: string,
): Promise<RenterReviewRow | undefined> => {
  const { rows } = await tx.query<RenterReviewRow>(
    `UPDATE renter_reviews rv SET published_at = now()
     WHERE rv.booking_id = $1 AND rv.published_at IS NULL RETURNING ${renterReviewColumns}`,
    [bookingId],
  );
  return rows[0];
};

/** Hides a review, or shows it again, unless a later version is stored. */
export const hideRenterReview = async (
  tx: Transaction,
  review: { id: string; isHidden: boolean; version: number },
): Promise<void> => {
  await tx.query(
    `UPDATE renter_reviews SET hidden_at = CASE WHEN $2 THEN now() END, hidden_version = $3
     WHERE id = $1 AND hidden_version < $3`,
    [review.id, review.isHidden, review.version],
  );
};
