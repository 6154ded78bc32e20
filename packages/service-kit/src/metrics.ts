import type { RequestHandler } from 'express';
import client from 'prom-client';
import type { Pool } from './database.ts';

export { Counter, Gauge, Histogram } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

export const createMetrics = (service: string) => {
  const registry = new client.Registry();
  registry.setDefaultLabels({ service });
  client.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new client.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its reply',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const purged = new client.Counter({
    name: 'purged_total',
    help: 'What the purges have deleted, by kind',
    labelNames: ['kind'],
    registers,
  });
  const purgeFailures = new client.Counter({
    name: 'purge_failures_total',
    help: 'Purges that failed, by kind; they run again',
    labelNames: ['kind'],
    registers,
  });
  const purgeSucceededAt = new client.Gauge({
    name: 'purge_last_success_timestamp_seconds',
    help: 'When a purge of this process last succeeded, or else 0, by kind',
    labelNames: ['kind'],
    registers,
  });
  const purgeInterval = new client.Gauge({
    name: 'purge_interval_seconds',
    help: 'Time from one run of the purges to the next',
    registers,
  });
  const jobFailures = new client.Counter({
    name: 'job_failures_total',
    help: 'Runs of a job that failed; it runs again',
    // Not named `job`, because Prometheus sets a label of that name on every series that it scrapes.
    labelNames: ['name'],
    registers,
  });

  const observe: RequestHandler = (request, response, next) => {
    const end = requests.startTimer({ method: request.method });
    response.on('finish', () => {
      end({ route: request.route?.path ?? 'none', status: response.statusCode });
    });
    next();
  };
  return {
    registry,
    observe,
    jobFailures,
    purged,
    purgeFailures,
    purgeSucceededAt,
    purgeInterval,
  };
};

const sampleMs = 5_000;

/** Caches a query for five seconds, however often the metrics are scraped. */
export const sampled = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let sample: Promise<T> | undefined;
  let takenAtMs = 0;
  return () => {
    if (!sample || Date.now() - takenAtMs > sampleMs) {
      takenAtMs = Date.now();
      sample = read();
    }
    return sample;
  };
};

type Reading = readonly [labels: Record<string, string>, value: number];

/**
 * Adds a gauge that queries a shared server, such as the database; wrap the query in `sampled`. All replicas report the
 * same value, so take their maximum, not their sum. If the query fails, only this gauge is missing.
 */
export const addSampledGauge = (
  { registry }: Metrics,
  { labelNames = [], ...about }: { name: string; help: string; labelNames?: readonly string[] },
  read: () => Promise<readonly Reading[]>,
): void => {
  new client.Gauge({
    ...about,
    labelNames,
    registers: [registry],
    async collect() {
      const readings = await read().catch(() => []);
      this.reset();
      // Remove the value of a gauge without labels, because `reset` sets the value to 0.
      if (labelNames.length === 0) this.remove();
      for (const [labels, value] of readings) this.set(labels, value);
    },
  });
};

/** The names follow OpenTelemetry's conventions. */
interface ConnectionUse {
  used: number;
  idle?: number;
  /** Statements that wait for a connection. */
  pending: number;
  max: number;
}

export const measureConnections = ({ registry }: Metrics, use: () => ConnectionUse): void => {
  const registers = [registry];
  new client.Gauge({
    name: 'db_client_connection_count',
    help: 'Connections to the database, by what they do',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, idle } = use();
      this.set({ state: 'used' }, used);
      if (idle !== undefined) this.set({ state: 'idle' }, idle);
    },
  });
  new client.Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'How many wait for a connection to the database',
    registers,
    collect() {
      this.set(use().pending);
    },
  });
  new client.Gauge({
    name: 'db_client_connection_max',
    help: 'The most connections to the database that this process opens',
    registers,
    collect() {
      this.set(use().max);
    },
  });
};

export const measurePool = (metrics: Metrics, pool: Pool): void =>
  measureConnections(metrics, () => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    pending: pool.waitingCount,
    max: pool.options.max,
  }));
