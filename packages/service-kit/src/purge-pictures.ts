import { inTransaction, type Pool } from './database.ts';
import type { ImageStore, StoredPicture } from './images.ts';
import { Gauge, type Metrics } from './metrics.ts';
import { isBetween, type SavedBetween } from './picture-files.ts';
import { olderThan, type Purge } from './purge.ts';

const dayMs = 86_400_000;
/** Younger files are kept, because they may belong to a request that has not committed yet. */
const leastAgeMs = dayMs;
/**
 * A picture is deleted after this time. An event that refers to it may be in transit for three days, or longer as a dead letter.
 */
const unusedDays = 7;
const batchSize = 5_000;
/**
 * Removing files must end before PostgreSQL ends the idle transaction after 15 s: new uploads of a picture wait for that
 * transaction.
 */
const removeWithinMs = 10_000;
/** After this many failures the purge stops, because the store or the database must be at fault. */
const mostFailures = 10;

interface PicturesInUse {
  images: ImageStore;
  /** The database must have a table `unused_pictures (path, since)`. */
  pool: Pool;
  metrics: Metrics;
  /** Returns those of the paths that may still be shown. */
  findShown(paths: string[]): Promise<string[]>;
  /** Pictures saved before this time are kept, because it is unknown where they are shown. */
  knownSince?(): Promise<Date>;
}

/**
 * Deletes pictures a week after they were first found unused. Identical uploads share one file, so only a query can
 * tell whether a picture is in use.
 * @throws AggregateError after removing all others, if some pictures could not be removed
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
    const saved = { since, before };
    const settled = pictures.filter(({ savedAtMs }) => isBetween(savedAtMs, saved));
    const failures: unknown[] = [];
    let removed = 0;
    for (let start = 0; start < settled.length; start += batchSize) {
      const batch = settled.slice(start, start + batchSize);
      removed += await purgeSome(options, batch, { saved, failures });
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} pictures could not be removed`);
    return removed;
  };
};

const purgeSome = async (
  { pool, images, findShown }: PicturesInUse,
  pictures: StoredPicture[],
  { saved, failures }: { saved: SavedBetween; failures: unknown[] },
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
    `SELECT path FROM unused_pictures WHERE path = ANY($1) AND ${olderThan('since', unusedDays)}`,
    [unused],
  );
  let removed = 0;
  for (const { path } of rows) {
    try {
      const isRemoved = await removeUnused(pool, path, () =>
        images.remove(path, saved, AbortSignal.timeout(removeWithinMs)),
      );
      if (isRemoved) removed++;
    } catch (error) {
      failures.push(error);
      if (failures.length === mostFailures) throw error;
    }
  }
  return removed;
};

/**
 * Removes the files before the row's deletion commits. An upload of the same picture deletes the row too, so it either
 * waits until the files are gone, or comes first and keeps the picture. After a failure the picture is kept for another
 * week: a bucket may still execute a request that timed out.
 */
const removeUnused = async (
  pool: Pool,
  path: string,
  remove: () => Promise<boolean>,
): Promise<boolean> => {
  const end = await inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `SELECT FROM unused_pictures WHERE path = $1 AND ${olderThan('since', unusedDays)} FOR UPDATE`,
      [path],
    );
    if (!rowCount) return { isRemoved: false };
    const removal = await remove().then(
      (isRemoved) => ({ isRemoved }),
      (error: unknown) => ({ error }),
    );
    if ('error' in removal)
      await tx.query('UPDATE unused_pictures SET since = now() WHERE path = $1', [path]);
    else await tx.query('DELETE FROM unused_pictures WHERE path = $1', [path]);
    return removal;
  });
  if ('error' in end) throw end.error;
  return end.isRemoved;
};
