import type pg from 'pg';

type Client = Pick<pg.ClientBase, 'query'>;

/**
 * PostgreSQL's largest smallint, so that a task is retried until it succeeds. graphile-worker also sets it to stop the
 * retries of a superseded job.
 */
export const mostAttempts = 32_767;

/**
 * Runs a task for an object at an instant, or right after the commit. Replaces an earlier schedule of the same task and
 * object; a rollback undoes it. The task may run twice, late, or after the object has changed, so it must lock its row
 * and check that it is due.
 */
export const schedule = (tx: Client, task: string, id: string, runAt?: Date): Promise<void> =>
  scheduleAll(tx, [{ task, id, runAt: runAt?.toISOString() ?? null }]);

/** A null `runAt` means right after the commit. */
export const scheduleAll = async (
  tx: Client,
  jobs: { task: string; id: string; runAt: string | null }[],
): Promise<void> => {
  // The first call does not replace a job that a worker claims meanwhile. The second call adds a new job.
  if ((await addJobs(tx, jobs)) < jobs.length && (await addJobs(tx, jobs)) < jobs.length)
    throw new Error('Some jobs could not be replaced');
};

const addJobs = async (
  tx: Client,
  jobs: { task: string; id: string; runAt: string | null }[],
): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    `SELECT count((graphile_worker.add_job(task, to_json(id), run_at => run_at, job_key => task || ':' || id,
       max_attempts => ${mostAttempts})).id)
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS job (task, id, run_at)`,
    [jobs.map(({ task }) => task), jobs.map(({ id }) => id), jobs.map(({ runAt }) => runAt)],
  );
  return rows[0]?.count ?? 0;
};

/** Cancels a task. If it is already running, it finishes but is not retried. */
export const unschedule = async (tx: Client, task: string, id: string): Promise<void> => {
  await tx.query(`SELECT FROM graphile_worker.remove_job($1 || ':' || $2)`, [task, id]);
};

/**
 * Runs all scheduled tasks now, after tests or demo data moved rows in time. Tasks that are not due schedule themselves
 * again.
 */
export const runTasksNow = async (db: Client): Promise<void> => {
  await db.query(
    // Skips jobs that a service is scheduling now: waiting for their locks could end in a deadlock.
    `SELECT FROM graphile_worker.reschedule_jobs(
       ARRAY(SELECT id FROM graphile_worker._private_jobs WHERE key LIKE '%:%' FOR UPDATE SKIP LOCKED), run_at => now());
     SELECT pg_notify('jobs:insert', '{"count": 100}')`,
  );
};
