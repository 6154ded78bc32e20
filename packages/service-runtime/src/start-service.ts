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
  Authenticator,
  type BoundRoute,
  connectPatiently,
  createApp,
  createLogger,
  createMetrics,
  createPool,
  halfRestored,
  type Job,
  type JobLog,
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
  postgresJobLog,
  purgeJob,
  type Running,
  restoreMark,
  type Secrets,
  startJobs,
  startTracing,
  stopTracing,
} from '@lendtools/service-kit';
import type { Connection } from 'mongoose';
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

/** The dependencies that every service has. */
export interface ServiceDeps {
  logger: Logger;
  metrics: Metrics;
  broker: Broker;
  authenticator: Authenticator;
}

/** The parts of a service, built once its database is reachable. */
interface ServiceParts {
  routes: BoundRoute[];
  consumers: Consumer[];
  /** Stopped before the connections to the database are closed. */
  jobs?: Job[];
  /** Delete what is no longer needed. Keyed by the name that their metric uses. */
  purges?: Record<string, Purge>;
  /** Resolves to what is degraded, in words for the operator; undefined if nothing is. */
  lacks?: () => Promise<string | undefined>;
  /** Runs once the service listens. A socket server attaches to the HTTP server here. */
  onListening?: (running: Running) => void;
  /**
   * Runs before the server closes. A socket server closes its sockets here, because closing waits for every open
   * connection.
   */
  onStopping?: () => Promise<unknown>;
  /** Runs after the last reply. Stops background work. */
  onStopped?: () => Promise<unknown>;
}

interface ServiceOptions {
  authenticator?: Authenticator;
  topology?: Topology;
}

export const postgresMigrations = (own: string): Record<string, string> => ({
  'service-kit': kitMigrations,
  'event-bus': eventBusMigrations,
  service: own,
});

/** Starts a service on PostgreSQL: migrates, builds its parts, listens, and consumes in the background. */
export const startPostgresService = async (
  name: ServiceName,
  config: ServiceConfig & { DATABASE_URL: string },
  options: ServiceOptions & {
    migrations: string;
    build: (deps: ServiceDeps & { pool: Pool }) => ServiceParts | Promise<ServiceParts>;
  },
): Promise<Running> => {
  await startTracing(name, config);
  const deps = createDeps(name, config, options);
  await migrate(config.DATABASE_URL, postgresMigrations(options.migrations), deps.logger);
  const pool = createPool(config.DATABASE_URL, deps.logger);
  measurePool(deps.metrics, pool);
  const relay = new PostgresRelay(config.DATABASE_URL, deps.broker, deps.logger);
  const built = await options.build({ ...deps, pool });
  const parts = {
    ...built,
    purges: { ...kitPurges(pool), ...messagePurges(pool), ...built.purges },
  };
  return start(deps, config, parts, {
    relay,
    jobLog: postgresJobLog(pool),
    oldestPending: () => oldestInOutbox(pool),
    checkReady: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
  });
};

const mongoOptions = {
  // A write is acknowledged once it is in the journal of most members, so that neither a failover nor a power cut loses
  // it. These are separate options because a `journal` in the URL would override one in `writeConcern`.
  w: 'majority',
  journal: true,
  wtimeoutMS: 10_000,
  // The driver's monitor notices a vanished host within 15 s. Neither a new connection, a reply nor a free connection
  // of the pool is waited for any longer.
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 12_000,
} as const;

const connectMongo = async (url: string): Promise<Connection> => {
  // Loaded on demand: it takes 12 MB, which services on PostgreSQL save.
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

/** Starts a service on MongoDB; `build` ensures its own indexes. */
export const startMongoService = async (
  name: ServiceName,
  config: ServiceConfig & { MONGO_URL: string },
  options: ServiceOptions & {
    /** The collections whose documents contain pending events. */
    outboxes: string[];
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
  measureMongoPool(deps.metrics, connection);
  const ping = async () => void (await connection.db?.command({ ping: 1 }));
  const stuckCheck = restartIfMongoIsStuck({
    ping,
    connectAnew: async () => (await connectMongo(config.MONGO_URL)).close(),
    // SIGTERM stops the process in order, or after 15 s. Its supervisor starts it again.
    restart: () => process.kill(process.pid, 'SIGTERM'),
    logger: deps.logger,
  });
  const relay = new MongoRelay({ connection, collections: options.outboxes, ...deps });
  const parts = await options.build({ ...deps, connection, relay });
  return start(deps, config, parts, {
    relay,
    jobLog: memoryJobLog(),
    oldestPending: () => relay.oldestPending(),
    checkReady: ping,
    async close() {
      await stuckCheck.stop();
      await connection.close();
    },
  });
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
  // Register this before all other consumers: sockets that reconnect must be checked against the revocations that were
  // missed.
  consumeRevocations(broker, logger, authenticator);
  return { logger, metrics: createMetrics(name), broker, authenticator };
};

const start = async (
  deps: ServiceDeps,
  config: ServiceConfig,
  parts: ServiceParts,
  store: {
    relay: { start(): void; stop(): Promise<void> };
    jobLog: JobLog;
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
  const jobs = startJobs([...(parts.jobs ?? []), purgeJob(parts.purges ?? {}, purging)], {
    ...deps,
    log: store.jobLog,
  });
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
