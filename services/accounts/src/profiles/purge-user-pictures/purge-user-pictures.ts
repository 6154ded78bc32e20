import { type Db, type Purge, purgePictures } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** Deletes pictures that no user and no waiting report has. The table `users` names every picture that other services show. */
export const purgeUserPictures = ({
  images,
  pool,
  metrics,
}: Pick<Deps, 'images' | 'pool' | 'metrics'>): Purge =>
  purgePictures({
    images,
    pool,
    metrics,
    findShown: (paths) => findShown(pool, paths),
  });

/** The condition must match the partial index `users_images`. */
export const findShown = async (db: Db, paths: string[]): Promise<string[]> => {
  const { rows } = await db.query<{ image: string }>(
    `SELECT image FROM users WHERE image <> 'null' AND image = ANY($1)
     UNION SELECT image FROM reports, unnest(images) image
     WHERE about = 'person' AND waiting_since IS NOT NULL AND image = ANY($1)`,
    [paths],
  );
  return rows.map(({ image }) => image);
};
