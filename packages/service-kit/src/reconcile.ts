import type { Pool } from './database.ts';
import { rowAttempts } from './failed-rows.ts';
import type { Logger } from './logging.ts';

/** A page of another service's changes, oldest first. */
export interface ListPage<T> {
  items: T[];
  nextCursor: string | null;
  /** This page and the ones before contain all changes until this instant. */
  upTo: string;
}

/** Events normally arrive within a second. Reconciling covers a purged queue, or a database that was down for hours. */
export const reconcileEveryMs = 5 * 60_000;
/** Each walk through the list overlaps the last one by an hour, because of late commits and clock differences. */
const overlap = "interval '1 hour'";

interface Run {
  since: Date;
  cursor: string | null;
}

interface Reconciliation<T> {
  job: string;
  everyMs?: number;
  read: (page: { since: string; cursor?: string }) => Promise<ListPage<T>>;
  take: (item: T) => Promise<void>;
  keyOf: (item: T) => string;
}

/**
 * Walks another service's list and applies changes whose events were lost. One replica continues from the last position
 * every `everyMs`, for half that time at most. `take` must be a no-op for an item that it has already applied. A
 * migration must insert the row that stores the walk's position.
 * If `take` throws, the item counts as a failed row and the walk goes on; the next walk begins at the same place. An
 * outage ends the walk.
 * @returns whether a walk reached the end
 */
export const reconcile = async <T>(
  deps: { pool: Pool; logger: Logger },
  name: string,
  { job, everyMs = reconcileEveryMs, read, take, keyOf }: Reconciliation<T>,
): Promise<boolean> => {
  const { pool } = deps;
  const run = await claimRun(pool, name, everyMs);
  if (!run) return false;
  const since = run.since.toISOString();
  const endMs = Date.now() + everyMs / 2;
  // Longer than the interval between walks, so that a failed item is retried before it counts as overdue.
  const { attempt } = await rowAttempts(deps, job, { retryAfterMs: 1.5 * everyMs });
  let { cursor } = run;
  do {
    const page = await read({ since, ...(cursor && { cursor }) });
    let hasFailed = false;
    for (const item of page.items)
      if (!(await attempt(keyOf(item), () => take(item)))) hasFailed = true;
    cursor = page.nextCursor;
    await noteProgress(pool, name, { ...page, hasFailed });
  } while (cursor !== null && Date.now() < endMs);
  return cursor === null;
};

const claimRun = async (pool: Pool, name: string, everyMs: number): Promise<Run | undefined> => {
  const { rows } = await pool.query<Run>(
    `UPDATE reconciliations SET next_at = now() + $2 * interval '1 ms'
     WHERE name = $1 AND next_at <= now()
     RETURNING reached_at - ${overlap} AS since, cursor`,
    [name, everyMs],
  );
  return rows[0];
};

/** If an item of the walk failed, keeps `reached_at`, so that the next walk begins at the same place. */
const noteProgress = async (
  pool: Pool,
  name: string,
  { nextCursor, upTo, hasFailed }: { nextCursor: string | null; upTo: string; hasFailed: boolean },
): Promise<void> => {
  await pool.query(
    `UPDATE reconciliations SET cursor = $2, has_failed = $2::text IS NOT NULL AND (has_failed OR $4),
       reached_at = CASE WHEN $2::text IS NOT NULL OR has_failed OR $4 THEN reached_at ELSE $3 END
     WHERE name = $1`,
    [name, nextCursor, upTo, hasFailed],
  );
};

/** A timestamp with microseconds, and a key that orders equal timestamps. */
interface Place {
  at: string;
  key: string;
}

/** The query of a list returns rows from `since`, before `upTo` and after `after`, ordered by position. */
export interface ListRange {
  since: string;
  upTo: Date;
  after: Place | null;
  limit: number;
}

const pageSize = 100;

/** Leaves out changes of the last two minutes: a transaction that commits late must not fall behind the cursor. */
export const listPage = async <T>(
  pool: Pool,
  { since, cursor }: { since: string; cursor?: string | undefined },
  read: (range: ListRange) => Promise<(Place & { item: T })[]>,
): Promise<ListPage<T>> => {
  const { rows } = await pool.query<{ upTo: Date }>(
    `SELECT now() - interval '2 minutes' AS "upTo"`,
  );
  const { upTo } = rows[0] as { upTo: Date };
  const [at, key] = cursor?.split('_') ?? [];
  const after = at && key ? { at, key } : null;
  const found = await read({ since, upTo, after, limit: pageSize + 1 });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    items: page.map(({ item }) => item),
    nextCursor: last ? `${last.at}_${last.key}` : null,
    upTo: upTo.toISOString(),
  };
};
