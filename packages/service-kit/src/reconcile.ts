import type { Pool } from './database.ts';
import { rowAttempts } from './failed-rows.ts';
import type { Logger } from './logging.ts';

/** A page of another service's changes since an instant, oldest first. */
export interface ListPage<T> {
  items: T[];
  nextCursor: string | null;
  /** All changes before this instant are on this page or earlier ones. Only used on the last page. */
  upTo: string;
}

/**
 * Events normally arrive within a second. This covers the exceptions: a purged queue, or a database that was broken
 * for hours.
 */
export const reconcileEveryMs = 5 * 60_000;
/** Each walk overlaps the previous one by an hour, for late commits and clock differences. */
const overlap = "interval '1 hour'";

interface Run {
  since: Date;
  cursor: string | null;
}

interface Reconciliation<T> {
  /** The name of the job that runs it. */
  job: string;
  everyMs?: number;
  read: (page: { since: string; cursor?: string }) => Promise<ListPage<T>>;
  take: (item: T) => Promise<void>;
  keyOf: (item: T) => string;
}

/**
 * Compares another service's list with what was consumed from its events, so that even a lost event takes effect.
 * Every `everyMs`, one replica walks the list from where the last walk ended. A walk stops after half of `everyMs`
 * and continues in the next run. `take` must be a no-op for a known item. A migration must insert the walk's row.
 *
 * If `take` throws, the error is logged, the item is counted in the job's failed rows, and the walk goes on. The next
 * walk starts at the same place again, until all items succeed, because these are payments. An outage ends the walk.
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
  // The next walk reaches a failed item before its retry time, so a current failure never looks overdue.
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

/**
 * Stores the cursor of an unfinished walk. If any item of the walk failed, on this page or an earlier one, keeps
 * `reached_at`, so that the next walk starts at the same place.
 */
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

/** A position in a list: PostgreSQL's timestamp to the microsecond, and a key that orders equal timestamps. */
interface Place {
  at: string;
  key: string;
}

/** The range that a list's query must return: from `since`, before `upTo`, after `after`, ordered by position. */
export interface ListRange {
  since: string;
  upTo: Date;
  after: Place | null;
  limit: number;
}

const pageSize = 100;

/**
 * Returns a page of a list that another service reconciles. Leaves out the last two minutes, which may not be
 * committed yet: a late commit must not fall behind the cursor. The event or the next walk delivers them.
 */
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
