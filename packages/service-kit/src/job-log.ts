import type { Pool } from './database.ts';

/** How a periodic job is doing, over all replicas. */
interface JobState {
  name: string;
  /** Since the last finished pass, or since the job was first registered. */
  ageSeconds: number;
  failedRows: number;
}

/** Stores when a service's jobs last finished a pass. */
export interface JobLog {
  /** Adds new jobs as if they had just finished a pass. */
  register(jobs: { name: string; everySeconds: number }[]): Promise<void>;
  noteCompleted(name: string): Promise<void>;
  read(): Promise<JobState[]>;
}

/** A due row is retried at once. If it is overdue by more than 10 minutes, the job's query no longer returns it. */
const isCurrent = "retry_at > now() - interval '10 minutes'";

export interface StoredJob extends JobState {
  everySeconds: number;
  /** The error of the most recently failed row. */
  error: string | null;
}

export const readJobs = async (pool: Pool): Promise<StoredJob[]> => {
  const { rows } = await pool.query<StoredJob>(
    `SELECT name, every_seconds AS "everySeconds", extract(epoch FROM now() - completed_at)::float8 AS "ageSeconds",
       coalesce(failed.count, 0)::int AS "failedRows", failed.error
     FROM jobs LEFT JOIN (
       SELECT job, count(*), (array_agg(error ORDER BY failed_at DESC))[1] AS error
       FROM failed_rows WHERE ${isCurrent} GROUP BY job) failed ON failed.job = jobs.name
     ORDER BY name`,
  );
  return rows;
};

/** A log that all replicas of a service share. */
export const postgresJobLog = (pool: Pool): JobLog => ({
  async register(jobs) {
    const names = jobs.map(({ name }) => name);
    await pool.query(
      `INSERT INTO jobs (name, every_seconds) SELECT * FROM unnest($1::text[], $2::float8[])
       ON CONFLICT (name) DO UPDATE SET every_seconds = EXCLUDED.every_seconds`,
      [names, jobs.map(({ everySeconds }) => everySeconds)],
    );
    // Removes jobs that this version no longer has, after a day in which older replicas may still run them.
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

/** For a service without a database: each replica only sees its own passes. */
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

/** A job is late if it finishes no pass within three intervals plus ten minutes. The alert uses the same limit. */
export const mostAgeSeconds = (everySeconds: number): number => 600 + 3 * everySeconds;
