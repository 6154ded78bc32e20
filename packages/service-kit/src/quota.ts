import type { Db } from './database.ts';
import { tooManyRequests } from './errors.ts';

export interface Quota {
  kind: string;
  limit: number;
  windowSeconds: number;
  /** The error message, to which the time to retry is appended. */
  rejection: string;
}

export const scaled = (limit: number, factor: number): number =>
  Math.max(1, Math.round(limit * factor));

/**
 * Uses part of a user's quota. All replicas share the quota through the database. A rollback undoes the use.
 * @throws AppError TOO_MANY_REQUESTS if less than `amount` is left
 */
export const spend = async (db: Db, userId: string, quota: Quota, amount = 1): Promise<void> => {
  const { kind, limit, windowSeconds } = quota;
  const spent = await db.query(
    `INSERT INTO quotas AS q (user_id, kind, used, ends_at)
     SELECT $1::uuid, $2::text, $3::bigint, now() + $5 * interval '1 second' WHERE $3 <= $4::bigint
     ON CONFLICT (user_id, kind) DO UPDATE SET
       used = CASE WHEN q.ends_at <= now() THEN excluded.used ELSE q.used + excluded.used END,
       ends_at = CASE WHEN q.ends_at <= now() THEN excluded.ends_at ELSE q.ends_at END
     WHERE q.ends_at <= now() OR q.used + excluded.used <= $4`,
    [userId, kind, amount, limit, windowSeconds],
  );
  if (spent.rowCount === 1) return;
  const { rows } = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM ends_at - now())::float8 AS seconds FROM quotas
     WHERE user_id = $1 AND kind = $2`,
    [userId, kind],
  );
  throw tooManyRequests(rows[0]?.seconds ?? windowSeconds, quota.rejection);
};

/** Even a tiny file is costly: it is decoded, and stored in three widths. */
const leastPictureBytes = 1024 * 1024;

/** Charges each picture to the user's daily quota for uploads: its size, but at least 1 MB. */
export const spendUploads = async (
  db: Db,
  userId: string,
  { images, megabytesPerDay }: { images: Record<string, Buffer>; megabytesPerDay: number },
): Promise<void> => {
  const bytes = Object.values(images).reduce(
    (sum, { length }) => sum + Math.max(length, leastPictureBytes),
    0,
  );
  if (bytes === 0) return;
  const quota = {
    kind: 'uploaded-bytes',
    limit: Math.round(megabytesPerDay * 1024 * 1024),
    windowSeconds: 86_400,
    rejection: 'You have reached today’s limit for uploaded pictures.',
  };
  await spend(db, userId, quota, bytes);
};
