import { type Pool, type Purge, purgePictures } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { imageFields } from '../tool-repository.ts';

/** Keeps the covers that `BookingCreated` named: bookings shows a tool's cover as it was when booked. */
export const purgeToolPictures = ({ images, pool, metrics }: Deps): Purge =>
  purgePictures({
    images,
    pool,
    metrics,
    findShown: (paths) => findShown(pool, paths),
    knownSince: () => coversKnownSince(pool),
  });

const findShown = async (pool: Pool, paths: string[]): Promise<string[]> => {
  const ofTools = imageFields.map(
    (field) => `SELECT ${field} AS path FROM tools WHERE removed_at IS NULL AND ${field} = ANY($1)`,
  );
  const { rows } = await pool.query<{ path: string }>(
    `${ofTools.join(' UNION ')}
     UNION SELECT image FROM categories WHERE image = ANY($1)
     UNION SELECT cover_image FROM tool_bookings WHERE cover_image = ANY($1)`,
    [paths],
  );
  return rows.map(({ path }) => path);
};

/**
 * When the newest booking without a recorded cover was made. An earlier version did not record covers; they were all
 * saved before that.
 */
const coversKnownSince = async (pool: Pool): Promise<Date> => {
  const { rows } = await pool.query<{ since: Date }>(
    `SELECT coalesce(max(coalesce(booked_at, returned_at, cancelled_at)), 'epoch') AS since
     FROM tool_bookings WHERE cover_image IS NULL`,
  );
  return rows[0]?.since as Date;
};
