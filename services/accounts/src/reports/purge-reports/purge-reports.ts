import { deleteInBatches, type Pool, type Purge } from '@lendtools/service-kit';

const isOver = `waiting_since IS NULL AND decided_at < now() - interval '2 years'`;

/**
 * Deletes reports two years after their last decision. Those that hide content stay until its author is deleted, so that they can
 * be dismissed, but without what their reporters wrote.
 */
export const purgeReports =
  (pool: Pool): Purge =>
  async () => {
    const deleted = await deleteInBatches(pool, {
      from: 'reports',
      where: `${isOver} AND (NOT hides
        OR EXISTS (SELECT FROM users WHERE users.id = author_id AND deleted_at IS NOT NULL))`,
    });
    await pool.query(
      `UPDATE reports SET text = '', reporter_email = CASE WHEN reporter_id IS NULL THEN '' END
       WHERE ${isOver} AND hides AND (text <> '' OR reporter_email <> '')`,
    );
    await pool.query(
      `UPDATE report_appeals a SET text = '' FROM reports r
       WHERE r.id = a.report_id AND ${isOver} AND hides AND a.text <> ''`,
    );
    return deleted;
  };
