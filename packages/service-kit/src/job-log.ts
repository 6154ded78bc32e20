import type { Pool } from './database.ts';

interface JobState {
  name: string;
  /** For a job, the time since it last completed. For a task, the time for which it has been due. */
  ageSeconds: number;
  failedRows: number;
}

export interface JobLog {
  /** Adds new jobs as if they had just completed. */
  register(jobs: { name: string; everySeconds: number }[]): Promise<void>;
  noteCompleted(name: string): Promise<void>;
  read(): Promise<JobState[]>;
}

/** Leaves out failed rows whose retry is 10 minutes overdue, because their job no longer finds them. */
const isCurrent = "retry_at > now() - interval '10 minutes'";

export interface StoredJob extends JobState {
  /** 0 for a task, which has no interval. */
  everySeconds: number;
  error: string | null;
}

/** Reads graphile-worker's private tables: its public view lacks an indexed column, so a query of the view would scan all jobs. */
export const readJobs = async (pool: Pool): Promise<StoredJob[]> => {
  const { rows } = await pool.query<StoredJob>(
    `SELECT name, every_seconds AS "everySeconds",
       extract(epoch FROM now() - CASE every_seconds WHEN 0 THEN coalesce(due.since, now()) ELSE completed_at END)::float8
         AS "ageSeconds",
       (coalesce(failed.count, 0) + coalesce(retried.count, 0))::int AS "failedRows",
       coalesce(failed.error, retried.error) AS error
     FROM jobs LEFT JOIN (
       SELECT job, count(*), (array_agg(error ORDER BY failed_at DESC))[1] AS error
       FROM failed_rows WHERE ${isCurrent} GROUP BY job) failed ON failed.job = jobs.name
     LEFT JOIN graphile_worker._private_tasks tasks ON tasks.identifier = jobs.name
     LEFT JOIN (
       SELECT task_id, min(run_at) AS since FROM graphile_worker._private_jobs
       WHERE is_available AND priority = 0 AND run_at <= now() GROUP BY task_id) due ON due.task_id = tasks.id
     LEFT JOIN (
       SELECT task_id, count(*), left((array_agg(last_error ORDER BY updated_at DESC))[1], 300) AS error
       FROM graphile_worker._private_jobs
       WHERE attempts > 0 AND attempts < max_attempts AND last_error IS NOT NULL
       GROUP BY task_id) retried ON retried.task_id = tasks.id
     ORDER BY name`,
  );
  return rows;
};

export const postgresJobLog = (pool: Pool): JobLog => ({
  async register(jobs) {
    const names = jobs.map(({ name }) => name);
    await pool.query(
      `INSERT INTO jobs (name, every_seconds) SELECT * FROM unnest($1::text[], $2::float8[])
       ON CONFLICT (name) DO UPDATE SET every_seconds = EXCLUDED.every_seconds`,
      [names, jobs.map(({ everySeconds }) => everySeconds)],
    );
    // Jobs that this version lacks are removed a day later, because older replicas may still run them.
    await pool.query(
      `DELETE FROM jobs WHERE name <> ALL ($1) AND completed_at < now() - interval '1 day'`,
      [names],
    );
  },
  async noteCompleted(name) {
    await pool.query('UPDATE jobs SET completed_at = now() WHERE name = $1', [name]);
  },
  read: () => readJobs(pool),
});

/** For a service without a database: each replica records only its own job runs. */
export const memoryJobLog = (): JobLog => {
  const completedAtMs = new Map<string, number>();
  return {
    async register(jobs) {
      for (const { name } of jobs) completedAtMs.set(name, Date.now());
    },
    async noteCompleted(name) {
      completedAtMs.set(name, Date.now());
    },
    read: async () =>
      [...completedAtMs].map(([name, ms]) => ({
        name,
        ageSeconds: (Date.now() - ms) / 1_000,
        failedRows: 0,
      })),
  };
};

/** A job is late after three intervals plus ten minutes. The alert uses the same limit. */
export const mostAgeSeconds = (everySeconds: number): number => 600 + 3 * everySeconds;
