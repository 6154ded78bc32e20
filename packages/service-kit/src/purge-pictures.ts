import type { Pool } from './database.ts';
import type { ImageStore, StoredPicture } from './images.ts';
import { Gauge, type Metrics } from './metrics.ts';
import type { Purge } from './purge.ts';

const dayMs = 86_400_000;
/** A younger file may belong to a request that has not committed yet. */
const leastAgeMs = dayMs;
/** How long an event that still shows a picture may be in transit: three days, and some for who looks into one. */
const unusedDays = 7;
const batchSize = 5_000;

interface PicturesInUse {
  images: ImageStore;
  /** With a table `unused_pictures (path, since)`. */
  pool: Pool;
  metrics: Metrics;
  /** Those of the given paths that may still be shown to somebody. */
  findShown(paths: string[]): Promise<string[]>;
  /** Pictures that were saved before stay: it is not known who is shown them. */
  knownSince?(): Promise<Date>;
}

/**
 * Deletes the pictures that nobody is shown any more: replaced, of a tool that is gone, or of a request that failed.
 * One that was found unused is deleted when it has been so for a week. Files are shared by whoever uploads the same
 * picture, so that only the database knows whether one is in use, never the deed that made it unused.
 */
export const purgePictures = (options: PicturesInUse): Purge => {
  const { images, metrics } = options;
  const bytes = new Gauge({
    name: 'pictures_bytes',
    help: 'Bytes of all stored pictures, as of the latest purge',
    registers: [metrics.registry],
  });
  return async () => {
    const pictures = await images.list();
    bytes.set(pictures.reduce((sum, picture) => sum + picture.bytes, 0));
    const before = Date.now() - leastAgeMs;
    const since = (await options.knownSince?.())?.getTime() ?? 0;
    const settled = pictures.filter(({ savedAtMs }) => since <= savedAtMs && savedAtMs < before);
    let removed = 0;
    for (let start = 0; start < settled.length; start += batchSize)
      removed += await purgeSome(options, settled.slice(start, start + batchSize), before);
    return removed;
  };
};

const purgeSome = async (
  { pool, images, findShown }: PicturesInUse,
  pictures: StoredPicture[],
  before: number,
): Promise<number> => {
  const paths = pictures.map((picture) => picture.path);
  const shown = new Set(await findShown(paths));
  const unused = paths.filter((path) => !shown.has(path));
  await pool.query('DELETE FROM unused_pictures WHERE path = ANY($1)', [[...shown]]);
  await pool.query(
    'INSERT INTO unused_pictures (path) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING',
    [unused],
  );
  const { rows } = await pool.query<{ path: string }>(
    `SELECT path FROM unused_pictures
     WHERE path = ANY($1) AND since < now() - interval '${unusedDays} days'`,
    [unused],
  );
  for (const { path } of rows) await images.remove(path, before);
  await pool.query('DELETE FROM unused_pictures WHERE path = ANY($1)', [
    rows.map(({ path }) => path),
  ]);
  return rows.length;
};
