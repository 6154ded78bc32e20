import type { JobLog } from './job-log.ts';
import { repeat } from './lifecycle.ts';
import type { Logger } from './logging.ts';
import { addSampledGauge, Gauge, type Metrics, sampled } from './metrics.ts';

/** Work that a service repeats while it runs. */
export interface Job {
  name: string;
  everyMs: number;
  /** How often a pass finishes, if not with every run. */
  passEveryMs?: number;
  /** Resolves to false if it finished no pass, for example because another replica runs it. */
  run: () => Promise<unknown>;
}

interface JobDeps {
  logger: Logger;
  metrics: Metrics;
  log: JobLog;
}

/** Throttles the writes of jobs that run every second. */
const noteEveryMs = 10_000;

export const startJobs = (jobs: Job[], deps: JobDeps): { stop(): Promise<void> } => {
  const { logger, metrics, log } = deps;
  measureJobs(jobs, deps);
  const registered = jobs.map(({ name, everyMs, passEveryMs = everyMs }) => {
    // Create the counter at 0: `increase()` would miss the first failure of a counter that starts at 1.
    metrics.jobFailures.inc({ name }, 0);
    return { name, everySeconds: passEveryMs / 1_000 };
  });
  let isRegistered = false;
  const register = async (): Promise<void> => {
    await log.register(registered);
    isRegistered = true;
  };
  // If this fails, the first run of a job retries it and reports the error.
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

const measureJobs = (jobs: Job[], { metrics, log }: JobDeps): void => {
  const registers = [metrics.registry];
  // Not `job`: Prometheus sets that label on every scraped series.
  const labelNames = ['name'];
  const interval = new Gauge({
    name: 'job_interval_seconds',
    help: 'How often a job should finish a pass',
    labelNames,
    registers,
  });
  for (const { name, everyMs, passEveryMs = everyMs } of jobs)
    interval.set({ name }, passEveryMs / 1_000);
  const names = new Set(jobs.map(({ name }) => name));
  const states = sampled(async () => (await log.read()).filter(({ name }) => names.has(name)));
  addSampledGauge(
    metrics,
    {
      name: 'job_last_completed_age_seconds',
      help: 'Time since a job last finished a pass, on whichever replica; the smallest of all replicas counts',
      labelNames,
    },
    async () => (await states()).map(({ name, ageSeconds }) => [{ name }, ageSeconds]),
  );
  addSampledGauge(
    metrics,
    {
      name: 'job_failed_rows',
      help: 'Rows that a job could not handle and tries again; the greatest of all replicas counts',
      labelNames,
    },
    async () => (await states()).map(({ name, failedRows }) => [{ name }, failedRows]),
  );
};
