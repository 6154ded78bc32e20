import type { Pool } from './database.ts';
import { rowAttempts } from './failed-rows.ts';
import type { Logger } from './logging.ts';

/** A page of what another service did from an instant on, oldest first. */
export interface ListPage<T> {
  items: T[];
  nextCursor: string | null;
  /** On the last page: everything that happened before is in this page or an earlier one. On others it says nothing yet. */
  upTo: string;
}

/** An event is published within a second; a queue purged, or a database broken, for hours is the exception. */
export const reconcileEveryMs = 5 * 60_000;
/** Each walk begins an hour before the last one's end: for what was committed late, and clocks that differ. */
const overlap = "interval '1 hour'";

interface Run {
  since: Date;
  cursor: string | null;
}

interface Reconciliation<T> {
  /** The job that runs it. */
  job: string;
  everyMs?: number;
  read: (page: { since: string; cursor?: string }) => Promise<ListPage<T>>;
  take: (item: T) => Promise<void>;
  keyOf: (item: T) => string;
}

/**
 * Compares another service's list with what was consumed of it, so that even an event that is lost takes effect. Every
 * `everyMs`, one replica walks the list from where the last walk ended, at first from the beginning; a walk that takes
 * longer than half of that stops and is continued at the next turn. `take` must do nothing for an item that is known. A
 * migration inserts the walk's row.
 *
 * An item for which `take` throws is logged, counted among the job's failed rows, and does not stop the walk; the next
 * walk starts from it again, until it succeeds: this is money. An outage ends the walk.
 * @returns whether a walk came to its end
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
  // The next walk comes to a failed item before that.
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
 * A walk that has not come to the end goes on at the next turn. One in which an item failed, on this page or an earlier
 * one, leaves `reached_at` where it was: the next walk begins there again.
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

/** An instant as PostgreSQL writes it, to the microsecond, and what orders those of the same one. */
interface Place {
  at: string;
  key: string;
}

/** What a list's query needs: from `since` on, before `upTo`, behind `after`, ordered by place. */
export interface ListRange {
  since: string;
  upTo: Date;
  after: Place | null;
  limit: number;
}

const pageSize = 100;

/**
 * A page of such a list, for the service that compares it. What happened in the last two minutes is left to its event,
 * and to the next walk: it may not even be committed, and later commits must not fall behind the cursor.
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
