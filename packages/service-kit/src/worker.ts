import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { connectionOptions, type Pool } from './database.ts';
import { postgresJobLog } from './job-log.ts';
import { type Job, measureJobs, registeredJobs } from './jobs.ts';
import { repeat } from './lifecycle.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import { mostAttempts } from './schedule.ts';

/** What runs at a scheduled instant, by the task's name in `schedule`. */
export type Tasks = Record<string, (id: string) => Promise<unknown>>;

/** Each concurrent job uses one of the pool's 10 connections. The LISTEN connection is not in the pool. */
const concurrency = 5;
/** How late a job may start if it is found by polling. NOTIFY announces only jobs that are due at once. */
const pollMs = 2_000;
const sweepEveryMs = 60_000;
const longestRetryDelay = "interval '10 minutes'";
const shortestPauseMs = 500;
const longestPauseMs = 10_000;
const saveWithinMs = 5_000;
/** The library's events after which no task of a stopping runner is left. */
const lastTaskStopped = [
  'pool:gracefulShutdown:complete',
  'pool:forcefulShutdown:complete',
  'pool:forcefulShutdown:error',
] as const;

// The library is loaded on demand, because it takes 24 MB and processes without PostgreSQL don't need it.
const library = () => import('graphile-worker');

/** The library's own log lines are dropped: our handler of `job:error` logs failures. */
const libraryLogger = async (logger: Logger) => {
  const { Logger: LibraryLogger } = await library();
  return new LibraryLogger(() => (level, message, meta) => {
    const isWarning = level === 'error' || level === 'warning';
    if (meta?.failure !== true) logger[isWarning ? 'warn' : 'debug']({ err: meta?.error }, message);
  });
};

export const migrateWorker = async (connectionString: string, logger: Logger): Promise<void> => {
  const { runMigrations } = await library();
  const pool = new pg.Pool({ ...connectionOptions(connectionString), max: 1 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool: pool, logger: await libraryLogger(logger) });
    // Indexes running and failing jobs among millions of scheduled ones. Checks first whether the index exists, because even
    // `IF NOT EXISTS` locks out writers.
    const { rows } = await pool.query(
      `SELECT to_regclass('graphile_worker.jobs_attempted') AS found`,
    );
    if (rows[0].found === null)
      await pool.query(
        'CREATE INDEX jobs_attempted ON graphile_worker._private_jobs (run_at) WHERE attempts > 0',
      );
  } finally {
    await pool.end();
  }
};

interface WorkerDeps {
  pool: Pool;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Runs scheduled tasks and periodic jobs on whichever replica claims them first. Retries a failed task with a backoff
 * of up to 10 minutes. A periodic job is one row that each run schedules again.
 */
export const startWorker = (
  { jobs, tasks }: { jobs: Job[]; tasks: Tasks },
  deps: WorkerDeps,
): { stop(): Promise<void> } => {
  const { pool, logger } = deps;
  const log = postgresJobLog(pool);
  const everyTask = Object.keys(tasks).map((name) => ({ name, everyMs: 0 }));
  const all = [...jobs, ...everyTask];
  measureJobs(all, { ...deps, log });
  const taskList = taskListOf(jobs, tasks, deps);

  const stopping = new AbortController();
  let runner: Runner | undefined;
  /** The library marks the jobs that it has locked with this id. */
  let poolId: string | undefined;

  const runUntilBroken = async (): Promise<void> => {
    await log.register(registeredJobs(all));
    await scheduleJobs(pool, jobs);
    await sweep(pool, poolId);
    const { run } = await library();
    const events = eventsFor(logger, (id) => {
      poolId = id;
    });
    runner = await run({
      pgPool: pool,
      noHandleSignals: true,
      taskList,
      parsedCronItems: [],
      logger: await libraryLogger(logger),
      events,
      preset: { worker: libraryOptions(jobs) },
    });
    if (stopping.signal.aborted) stopRunner();
    await Promise.race([runner.promise, savedResults(events)]);
  };
  const stopRunner = () => void runner?.stop().catch(() => {});
  const running = keepRunning(runUntilBroken, { signal: stopping.signal, logger });
  const sweeping = repeat(
    sweepEveryMs,
    async () => {
      await sweep(pool);
      await scheduleJobs(pool, jobs);
    },
    (err) => logger.warn({ err }, 'cannot free the jobs of stopped replicas'),
  );
  return {
    async stop() {
      stopping.abort();
      stopRunner();
      await Promise.all([running, sweeping.stop()]);
    },
  };
};

const libraryOptions = (jobs: Job[]) => ({
  concurrentJobs: concurrency,
  pollInterval: Math.min(pollMs, ...jobs.map(({ everyMs }) => everyMs)),
  // The queue makes one query per poll instead of one per concurrent job.
  localQueue: { size: concurrency },
  // A delay of 0 keeps a failure to save a job's result from becoming an unhandled rejection.
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
});

const taskListOf = (jobs: Job[], tasks: Tasks, deps: WorkerDeps): TaskList => ({
  ...Object.fromEntries(
    Object.entries(tasks).map(([name, run]) => [
      name,
      async (id: unknown) => void (await run(String(id))),
    ]),
  ),
  ...Object.fromEntries(jobs.map((job) => [job.name, () => runPeriodic(job, deps)])),
});

/** Runs the work again each time it ends, after a pause that doubles unless the work ran for a while. */
const keepRunning = async (
  work: () => Promise<void>,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<void> => {
  let pauseMs = shortestPauseMs;
  while (!signal.aborted) {
    const startedMs = Date.now();
    await work().catch((err: unknown) => {
      logger.warn({ err }, 'the worker starts again');
    });
    const ranForAWhile = Date.now() - startedMs > longestPauseMs;
    pauseMs = ranForAWhile ? shortestPauseMs : Math.min(2 * pauseMs, longestPauseMs);
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
};

/** Names the library's LISTEN connection after its worker pool, so that other replicas see that the pool is alive. */
const eventsFor = (logger: Logger, onPool: (id: string) => void): WorkerEvents => {
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:listen:success', ({ workerPool, client }) => {
    onPool(workerPool.id);
    // A client runs one query at a time, so wait until the library has sent its own LISTEN.
    client.once('drain', () => {
      client
        .query(`SELECT set_config('application_name', $1, false)`, [workerPool.id])
        .catch((err: unknown) => logger.warn({ err }, 'cannot name the connection of the worker'));
    });
  });
  events.on('job:error', ({ job, error }) => {
    const { task_identifier: name, payload: row } = job;
    logger.error({ err: error, job: name, row }, 'a job failed for one row');
  });
  return events;
};

/**
 * Resolves five seconds after the library has stopped its last task. It may never end by itself: once it has failed to
 * save a result, it miscounts the others that it waits for. A result that is not saved by then runs its task again.
 */
const savedResults = async (events: WorkerEvents): Promise<void> => {
  await Promise.race(lastTaskStopped.map((name) => once(events, name)));
  await delay(saveWithinMs, undefined, { ref: false });
};

/** Schedules the next run even after a failure. If scheduling fails too, the library retries. */
const runPeriodic = async (job: Job, { pool, logger, metrics }: WorkerDeps): Promise<void> => {
  const { name } = job;
  let isPass = false;
  try {
    isPass = (await job.run()) !== false;
  } catch (err) {
    metrics.jobFailures.inc({ name });
    logger.warn({ err, job: name }, 'a job failed');
  }
  await pool.query(
    `WITH completed AS (UPDATE jobs SET completed_at = now() WHERE name = $1 AND $3)
     SELECT FROM graphile_worker.add_job($1, run_at => clock_timestamp() + $2 * interval '1 ms', job_key => $1,
       max_attempts => ${mostAttempts})`,
    [name, job.everyMs, isPass],
  );
};

/** Adds jobs that have no row yet, and brings forward those whose interval became shorter. */
const scheduleJobs = async (pool: Pool, jobs: Job[]): Promise<void> => {
  for (const { name, everyMs } of jobs)
    await pool.query(
      `SELECT graphile_worker.add_job($1, run_at => at, job_key => $1, max_attempts => ${mostAttempts})
       FROM (SELECT now() + $2 * interval '1 ms' AS at) next
       WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = $1 AND (locked_at IS NOT NULL OR run_at <= at))`,
      [name, everyMs],
    );
};

/**
 * Frees the jobs of dead processes, which the library does only after four hours. Limits the library's backoff, which
 * grows to six hours, to 10 minutes. Deletes jobs that failed after they were superseded.
 */
const sweep = async (pool: Pool, ownPoolId = ''): Promise<void> => {
  // The process may still be alive and later delete its job by id, although the row already holds the next run. So a
  // freed job gets a new id.
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET id = DEFAULT, locked_at = NULL, locked_by = NULL
     WHERE attempts > 0 AND locked_by IS NOT NULL AND (locked_by = $1
       OR locked_by NOT IN (SELECT application_name FROM pg_stat_activity WHERE datname = current_database()))`,
    [ownPoolId],
  );
  await pool.query(
    `SELECT graphile_worker.complete_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs
         WHERE attempts > 0 AND attempts = max_attempts AND locked_at IS NULL)),
       graphile_worker.reschedule_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs
         WHERE attempts > 0 AND attempts < max_attempts AND locked_at IS NULL AND run_at > now() + ${longestRetryDelay}),
         run_at => now() + ${longestRetryDelay})`,
  );
};
