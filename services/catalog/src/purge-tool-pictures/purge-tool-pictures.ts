import { type Pool, type Purge, purgePictures } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { imageFields } from '../tool-repository.ts';

/** Bookings shows the cover that a tool had when it was booked: each `BookingCreated` says which. */
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

/** An earlier version did not note the covers of the bookings it consumed; they were all saved before. */
const coversKnownSince = async (pool: Pool): Promise<Date> => {
  const { rows } = await pool.query<{ since: Date }>(
    `SELECT coalesce(max(coalesce(booked_at, returned_at, cancelled_at)), 'epoch') AS since
     FROM tool_bookings WHERE cover_image IS NULL`,
  );
  return rows[0]?.since as Date;
};
