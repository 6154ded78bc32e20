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

const isVisible = 'v.hidden_at IS NULL AND v.published_at IS NOT NULL';
const reply = `coalesce(E'\\n\\nReply: ' || v.reply, '')`;

/** A review of either party for a report, with its author and the reply to it. Only what everyone can read can be reported. */
export const showReportedReview = ({ pool }: Deps) =>
  handle(internalRoutes.reportedReview, async ({ params }) => {
    const { rows } = await pool.query<ReportedReview>(
      `SELECT 'Review of ' || b.name || ', ' || v.rating || ' of 5 stars' AS title, v.comment || ${reply} AS content,
         v.user_id AS "authorId", b.id AS "bookingId"
       FROM reviews v JOIN bookings b ON b.id = v.booking_id WHERE v.id = $1 AND ${isVisible}
       UNION ALL
       SELECT 'Review of the renter of ' || b.name, v.comment || ${reply}, v.owner_id, b.id
       FROM renter_reviews v JOIN bookings b ON b.id = v.booking_id WHERE v.id = $1 AND ${isVisible}`,
      [params.id],
    );
    const [review] = rows;
    if (!review) throw reviewNotFound();
    return review;
  });
