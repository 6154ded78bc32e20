import type { JobLog } from './job-log.ts';
import { repeat } from './lifecycle.ts';
import type { Logger } from './logging.ts';
import { addSampledGauge, Gauge, type Metrics, sampled } from './metrics.ts';

export interface Job {
  name: string;
  everyMs: number;
  /** How often the job completes, if it needs several runs to handle everything. */
  passEveryMs?: number;
  /** Resolves to false if the job is not complete, for example because another replica runs it. */
  run: () => Promise<unknown>;
}

interface JobDeps {
  logger: Logger;
  metrics: Metrics;
  log: JobLog;
}

/** Limits database writes for jobs that run every second. */
const noteEveryMs = 10_000;

/** Starts the jobs of a service without a database, where every replica runs each job. */
export const startJobs = (jobs: Job[], deps: JobDeps): { stop(): Promise<void> } => {
  const { logger, metrics, log } = deps;
  measureJobs(jobs, deps);
  const registered = registeredJobs(jobs);
  let isRegistered = false;
  const register = async (): Promise<void> => {
    await log.register(registered);
    isRegistered = true;
  };
  // Ignore a failure: the first run of a job registers again and reports a failure.
  void register().catch(() => {});
  const started = jobs.map(({ name, everyMs, run }) => {
    let notedAtMs = 0;
    const turn = async (): Promise<void> => {
      if (!isRegistered) await register();
      if ((await run()) === false || Date.now() - notedAtMs < noteEveryMs) return;
      await log.noteCompleted(name);
      notedAtMs = Date.now();
    };
    return repeat(everyMs, turn, (err) => {
      metrics.jobFailures.inc({ name });
      logger.warn({ err, job: name }, 'a job failed');
    });
  });
  return {
    async stop() {
      await Promise.all(started.map((job) => job.stop()));
    },
  };
};

type JobInterval = Pick<Job, 'name' | 'everyMs' | 'passEveryMs'>;

export const registeredJobs = (jobs: JobInterval[]): { name: string; everySeconds: number }[] =>
  jobs.map(({ name, everyMs, passEveryMs = everyMs }) => ({
    name,
    everySeconds: passEveryMs / 1_000,
  }));

export const measureJobs = (
  jobs: JobInterval[],
  { metrics, log }: Pick<JobDeps, 'metrics' | 'log'>,
): void => {
  const registers = [metrics.registry];
  // Not named `job`, because Prometheus sets a label of that name on every series that it scrapes.
  const labelNames = ['name'];
  const interval = new Gauge({
    name: 'job_interval_seconds',
    help: 'How often a job should finish a pass; 0 for a task that runs when it is due',
    labelNames,
    registers,
  });
  for (const { name, everySeconds } of registeredJobs(jobs)) {
    interval.set({ name }, everySeconds);
    // Start the counter at 0: `increase()` would miss the first failure of a counter that starts at 1.
    metrics.jobFailures.inc({ name }, 0);
  }
  const names = new Set(jobs.map(({ name }) => name));
  const states = sampled(async () => (await log.read()).filter(({ name }) => names.has(name)));
  addSampledGauge(
    metrics,
    {
      name: 'job_last_completed_age_seconds',
      help: 'Time since a job last finished a pass, or for which a scheduled task has been due; the smallest of all replicas counts',
      labelNames,
    },
    async () => (await states()).map(({ name, ageSeconds }) => [{ name }, ageSeconds]),
  );
  addSampledGauge(
    metrics,
    {
      name: 'job_failed_rows',
      help: 'Rows that a job or task could not handle and tries again; the greatest of all replicas counts',
      labelNames,
    },
    async () => (await states()).map(({ name, failedRows }) => [{ name }, failedRows]),
  );
};
