import { inTransaction, type Pool } from './database.ts';
import type { ImageStore, StoredPicture } from './images.ts';
import { Gauge, type Metrics } from './metrics.ts';
import { isBetween, type SavedBetween } from './picture-files.ts';
import { olderThan, type Purge } from './purge.ts';

const dayMs = 86_400_000;
/** Only older files are examined: a younger one may belong to a request that has not committed yet. */
const leastAgeMs = dayMs;
/** How long an event that references a picture may be in transit: three days, plus time to inspect a dead letter. */
const unusedDays = 7;
const batchSize = 5_000;
/** Must stay below PostgreSQL's 15 s idle timeout: once that ends the transaction, uploads no longer wait for it. */
const removeWithinMs = 10_000;
/** More failures than this mean that the store or the database is at fault, not a picture, so the purge stops. */
const mostFailures = 10;

interface PicturesInUse {
  images: ImageStore;
  /** The service's database, which must have a table `unused_pictures (path, since)`. */
  pool: Pool;
  metrics: Metrics;
  /** Returns the given paths that may still be shown. */
  findShown(paths: string[]): Promise<string[]>;
  /** Pictures saved before this time are kept, because it is unknown where they are shown. */
  knownSince?(): Promise<Date>;
}

/**
 * Deletes pictures that are no longer shown: replaced ones, and those of deleted tools or failed requests. A picture
 * is deleted a week after it was first found unused. Identical uploads share one file, so only a query can tell
 * whether it is in use.
 * @throws AggregateError if some pictures could not be removed; the others are
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
 * Removes the files before committing the deletion of the row. An upload of the same picture deletes the row first,
 * so it either waits here until the files are gone, or came first and keeps the picture. A bucket may still execute a
 * request that timed out. So after a failure the picture is left alone for another week instead of being retried by
 * each purge.
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
