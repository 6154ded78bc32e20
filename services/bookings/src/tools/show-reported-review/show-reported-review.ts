import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { reviewNotFound } from '../../domain/errors.ts';

interface ReportedReview {
  title: string;
  content: string;
  authorId: string;
  bookingId: string;
}

/** A review for a report, with its author, whom the public reply leaves out. */
export const showReportedReview = ({ pool }: Deps) =>
  handle(internalRoutes.reportedReview, async ({ params }) => {
    const { rows } = await pool.query<ReportedReview>(
      `SELECT 'Review of ' || b.name || ', ' || v.rating || ' of 5 stars' AS title, v.comment AS content,
         v.user_id AS "authorId", b.id AS "bookingId"
       FROM reviews v JOIN bookings b ON b.id = v.booking_id WHERE v.id = $1 AND v.hidden_at IS NULL`,
      [params.id],
    );
    const [review] = rows;
    if (!review) throw reviewNotFound();
    return review;
  });
