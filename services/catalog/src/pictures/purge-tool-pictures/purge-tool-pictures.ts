import { type Pool, type Purge, purgePictures } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { imageFields } from '../../domain/tool.ts';

/** Deletes unused pictures. Keeps covers named in `BookingCreated`: a booking shows the cover of its tool at the time of booking. */
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

/** Returns when the newest booking with an unknown cover picture was made. The `BookingCreated` of such a booking was lost. */
const coversKnownSince = async (pool: Pool): Promise<Date> => {
  const { rows } = await pool.query<{ since: Date }>(
    `SELECT coalesce(max(coalesce(booked_at, returned_at, cancelled_at)), 'epoch') AS since
     FROM tool_bookings WHERE cover_image IS NULL`,
  );
  return rows[0]?.since as Date;
};
