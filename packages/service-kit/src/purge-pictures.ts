import { inTransaction, type Pool } from './database.ts';
import type { ImageStore, StoredPicture } from './images.ts';
import { Gauge, type Metrics } from './metrics.ts';
import { isBetween, type SavedBetween } from './picture-files.ts';
import { olderThan, type Purge } from './purge.ts';

const dayMs = 86_400_000;
/** A younger file may belong to a request that has not committed yet. */
const leastAgeMs = dayMs;
/** How long an event that still shows a picture may be in transit: three days, and some for who looks into one. */
const unusedDays = 7;
const batchSize = 5_000;
/** PostgreSQL ends a transaction that is idle for 15 seconds, and then nothing keeps an upload waiting. */
const removeWithinMs = 10_000;
/** With more the cause is the store or the database, not a picture. */
const mostFailures = 10;

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
 * @throws AggregateError after all others are removed, if some pictures could not be
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
 * Removes the picture before the row's end is committed. Whoever uploads the same picture deletes the row first: they wait
 * here until the old one is gone, or were faster, and then it is wanted. A bucket may carry out later what it did not
 * answer: after a failure the picture is left alone for another week, rather than asked for again with each purge.
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
