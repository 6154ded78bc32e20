import { type Purge, purgePictures } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';

/** The other services show a person's picture as the latest `AccountUpdated` names it, which is the one kept here. */
export const purgeUserPictures = ({
  images,
  pool,
  metrics,
}: Pick<Deps, 'images' | 'pool' | 'metrics'>): Purge =>
  purgePictures({
    images,
    pool,
    metrics,
    async findShown(paths) {
      const { rows } = await pool.query<{ image: string }>(
        'SELECT image FROM users WHERE image = ANY($1)',
        [paths],
      );
      return rows.map(({ image }) => image);
    },
  });
