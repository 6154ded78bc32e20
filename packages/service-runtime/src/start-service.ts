import type { ServiceName } from '@lendtools/contracts';
import {
  Broker,
  type Consumer,
  Consumers,
  eventBusMigrations,
  MongoRelay,
  measureEventBus,
  messagePurges,
  oldestInOutbox,
  PostgresRelay,
  type Topology,
  wholeTopology,
} from '@lendtools/event-bus';
import {
  type AuditLog,
  Authenticator,
  type BoundRoute,
  connectPatiently,
  createApp,
  createLogger,
  createMetrics,
  createPool,
  halfRestored,
  type Job,
  kitMigrations,
  kitPurges,
  type Logger,
  listen,
  type Metrics,
  measurePool,
  memoryJobLog,
  migrate,
  type Pool,
  type Purge,
  purgeJob,
  type Running,
  restoreMark,
  type Secrets,
  startJobs,
  startTracing,
  startWorker,
  stopTracing,
  type Tasks,
} from '@lendtools/service-kit';
import type { Connection, mongo } from 'mongoose';
import {
  adminActs,
  isRecording,
  mongoAuditLog,
  postgresAuditLog,
  purgeAdminActs,
} from './audit-logs.ts';
import { consumeRevocations } from './consume-revocations.ts';
import { measureMongoPool } from './measure-mongo-pool.ts';
import { restartIfMongoIsStuck } from './restart-if-mongo-is-stuck.ts';

interface ServiceConfig {
  HOST: string;
  PORT: number;
  LOG_LEVEL: string;
  AMQP_URL: string;
  AMQP_DECLARES: 'all' | 'own';
  ACCOUNTS_URL: string[];
  CHECK_REPLIES: boolean;
  INTERNAL_SECRET?: Secrets;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
  PURGE_INTERVAL_MINUTES: number;
}

export interface ServiceDeps {
  logger: Logger;
  metrics: Metrics;
  broker: Broker;
  authenticator: Authenticator;
}

/** The parts of a service that are built once its database is reachable. */
interface ServiceParts {
  routes: BoundRoute[];
  consumers: Consumer[];
  /** Where acts of admins are recorded; by default they are published. */
  auditLog?: AuditLog;
  jobs?: Job[];
  /** Scheduled tasks, which need PostgreSQL. */
  tasks?: Tasks;
  /** Purges, which delete data that is no longer needed, by their names in metrics. */
  purges?: Record<string, Purge>;
  /** Describes to the operator what is degraded; undefined if nothing is. */
  lacks?: () => Promise<string | undefined>;
  /** Called once the service listens. A socket server attaches to the HTTP server here. */
  onListening?: (running: Running) => void;
  /** Called before the HTTP server closes. Closing waits for sockets, so a socket server closes its sockets here. */
  onStopping?: () => Promise<unknown>;
  /** Called after the last reply. */
  onStopped?: () => Promise<unknown>;
}

interface ServiceOptions {
  authenticator?: Authenticator;
  topology?: Topology;
}

/** Options that only tests set when they start a service. */
export interface StartOptions {
  topology?: Topology;
  /** Overrides how often the service's own jobs run. Their metrics still report the real intervals. */
  jobIntervalMs?: number;
}

export const postgresMigrations = (own: string): Record<string, string> => ({
  'service-kit': kitMigrations,
  'event-bus': eventBusMigrations,
  service: own,
});

/** Migrates the database, builds the service, listens, and consumes in the background. */
export const startPostgresService = async (
  name: ServiceName,
  config: ServiceConfig & { DATABASE_URL: string; DATABASE_DIRECT_URL?: string | undefined },
  options: ServiceOptions &
    StartOptions & {
      migrations: string;
      build: (deps: ServiceDeps & { pool: Pool }) => ServiceParts | Promise<ServiceParts>;
    },
): Promise<Running> => {
  await startTracing(name, config);
  const deps = createDeps(name, config, options);
  // LISTEN and session locks need a connection that PgBouncer in transaction mode does not keep.
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = config;
  await migrate(DATABASE_DIRECT_URL, postgresMigrations(options.migrations), deps.logger);
  const pool = createPool(DATABASE_URL, deps.logger);
  const workerPool =
    DATABASE_DIRECT_URL === DATABASE_URL
      ? pool
      : createPool(DATABASE_DIRECT_URL, deps.logger, { max: 3 });
  measurePool(deps.metrics, pool);
  const relay = new PostgresRelay(DATABASE_DIRECT_URL, deps.broker, deps.logger);
  const built = await options.build({ ...deps, pool });
  const parts = {
    ...(isRecording(name) && { auditLog: postgresAuditLog(name, pool) }),
    ...built,
    jobs: (built.jobs ?? []).map((job) => ({
      passEveryMs: job.everyMs,
      ...job,
      everyMs: options.jobIntervalMs ?? job.everyMs,
    })),
    purges: { ...kitPurges(pool), ...messagePurges(pool), ...built.purges },
  };
  return start(deps, config, parts, {
    relay,
    startJobs: (jobs) =>
      startWorker({ jobs, tasks: parts.tasks ?? {} }, { ...deps, pool: workerPool }),
    oldestPending: () => oldestInOutbox(pool),
    checkReady: async () => void (await pool.query('SELECT 1')),
    async close() {
      await pool.end();
      if (workerPool !== pool) await workerPool.end();
    },
  });
};

const mongoOptions = {
  // Writes wait for the journal of most members, so that neither a failover nor a power cut loses them. A `journal` in
  // the URL would override one in `writeConcern`, so these are separate options.
  w: 'majority',
  journal: true,
  wtimeoutMS: 10_000,
  // Every timeout of the driver is below 15 s, so that the driver notices a vanished host within 15 s.
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 12_000,
} as const;

const connectMongo = async (url: string): Promise<Connection> => {
  // Loaded on demand, because it takes 12 MB and services on PostgreSQL don't need it.
  const { default: mongoose } = await import('mongoose');
  const connection = mongoose.createConnection(url, {
    bufferCommands: false,
    autoIndex: false,
    sanitizeFilter: true,
    ...mongoOptions,
  });
  try {
    return await connection.asPromise();
  } catch (error) {
    await connection.destroy();
    throw error;
  }
};

export const startMongoService = async (
  name: ServiceName,
  config: ServiceConfig & { MONGO_URL: string },
  options: ServiceOptions & {
    /** Collections whose documents contain unpublished events. */
    outboxes: string[];
    /** By collection. */
    indexes: Record<string, mongo.IndexDescription[]>;
    build: (
      deps: ServiceDeps & { connection: Connection; relay: MongoRelay },
    ) => ServiceParts | Promise<ServiceParts>;
  },
): Promise<Running> => {
  await startTracing(name, config);
  const deps = createDeps(name, config, options);
  const connection = await connectPatiently(() => connectMongo(config.MONGO_URL), deps.logger);
  if (await connection.collection(restoreMark).findOne()) {
    await connection.close();
    throw halfRestored();
  }
  connection.on('error', (error) =>
    deps.logger.warn({ err: error }, 'the database connection broke'),
  );
  await connectPatiently(() => createIndexes(connection, options.indexes), deps.logger);
  measureMongoPool(deps.metrics, connection);
  const ping = async () => void (await connection.db?.command({ ping: 1 }));
  const stuckCheck = restartIfMongoIsStuck({
    ping,
    connectAnew: async () => (await connectMongo(config.MONGO_URL)).close(),
    // SIGTERM stops the process in order, or after 15 s. A supervisor starts it again.
    restart: () => process.kill(process.pid, 'SIGTERM'),
    logger: deps.logger,
  });
  const collections = [...options.outboxes, ...(isRecording(name) ? [adminActs] : [])];
  const relay = new MongoRelay({ connection, collections, ...deps });
  const built = await options.build({ ...deps, connection, relay });
  const parts = isRecording(name)
    ? {
        ...built,
        auditLog: mongoAuditLog(name, { connection, relay }),
        purges: { ...built.purges, admin_acts: purgeAdminActs(connection) },
      }
    : built;
  return start(deps, config, parts, {
    relay,
    startJobs: (jobs) => startJobs(jobs, { ...deps, log: memoryJobLog() }),
    oldestPending: () => relay.oldestPending(),
    checkReady: ping,
    async close() {
      await stuckCheck.stop();
      await connection.close();
    },
  });
};

/** Idempotent, so several replicas may run it at once. */
const createIndexes = async (
  connection: Connection,
  indexes: Record<string, mongo.IndexDescription[]>,
): Promise<void> => {
  for (const [collection, all] of Object.entries(indexes))
    await connection.collection(collection).createIndexes(all);
};

const createDeps = (
  name: ServiceName,
  config: ServiceConfig,
  options: ServiceOptions,
): ServiceDeps => {
  const logger = createLogger(name, config.LOG_LEVEL);
  const broker = new Broker({
    url: config.AMQP_URL,
    logger,
    service: name,
    declares: config.AMQP_DECLARES,
    topology: options.topology ?? wholeTopology,
  });
  const authenticator = options.authenticator ?? new Authenticator(config.ACCOUNTS_URL, logger);
  // This comes before all other consumers: sockets that reconnect must be checked against missed revocations.
  consumeRevocations(broker, logger, authenticator);
  return { logger, metrics: createMetrics(name), broker, authenticator };
};

const start = async (
  deps: ServiceDeps,
  config: ServiceConfig,
  parts: ServiceParts,
  store: {
    relay: { start(): void; stop(): Promise<void> };
    startJobs: (jobs: Job[]) => { stop(): Promise<void> };
    oldestPending: () => Promise<Date | null>;
    checkReady: () => Promise<void>;
    close(): Promise<unknown>;
  },
): Promise<Running> => {
  const { broker, logger, authenticator, metrics } = deps;
  const stopping = new AbortController();
  const app = createApp(
    {
      stopping: stopping.signal,
      logger,
      metrics,
      authenticator,
      checkReplies: config.CHECK_REPLIES,
      internalSecrets: config.INTERNAL_SECRET,
      auditLog: parts.auditLog,
      async checkReady() {
        const [lack] = await Promise.all([parts.lacks?.(), store.checkReady()]);
        if (!broker.isConnected) return 'the broker is away; events wait';
        if (broker.isBlocked) return 'the broker takes nothing now; events wait';
        return lack;
      },
    },
    parts.routes,
  );
  const consumers = new Consumers(broker, logger, parts.consumers);
  const queues = parts.consumers.map(({ queue }) => queue);
  measureEventBus(metrics, { broker, queues, oldestPending: store.oldestPending });
  const purging = { ...deps, everyMs: config.PURGE_INTERVAL_MINUTES * 60_000 };
  const jobs = store.startJobs([...(parts.jobs ?? []), purgeJob(parts.purges ?? {}, purging)]);
  const running = await listen(app, { host: config.HOST, port: config.PORT, stopping }, [
    () => Promise.all([jobs.stop(), parts.onStopped?.()]),
    () => consumers.stop(),
    () => store.relay.stop(),
    () => broker.stop(),
    store.close,
    stopTracing,
  ]);
  parts.onListening?.(running);
  broker.start();
  store.relay.start();
  void authenticator.load();
  logger.info({ port: running.port }, 'listening');
  return {
    ...running,
    async drain() {
      await Promise.all([running.drain(), consumers.stop()]);
    },
    async stop() {
      await parts.onStopping?.();
      await running.stop();
    },
  };
};
