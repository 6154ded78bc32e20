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

/** What every service's use cases may need. */
export interface ServiceDeps {
  logger: Logger;
  metrics: Metrics;
  broker: Broker;
  authenticator: Authenticator;
}

/** What a service is made of, once its database is there. */
interface ServiceParts {
  routes: BoundRoute[];
  consumers: Consumer[];
  /** Stopped before the database goes. */
  jobs?: Job[];
  /** Deletes, each under the name by which it is counted, what is of no use any more. */
  purges?: Record<string, Purge>;
  /** What it can do without for a while and lacks now, in words for the operator. */
  lacks?: () => Promise<string | undefined>;
  /** After it listens: a socket server takes the HTTP server. */
  onListening?: (running: Running) => void;
  /** Before the server closes, which waits for every open connection: a socket server lets go of its own. */
  onStopping?: () => Promise<unknown>;
  /** After the last reply: ends what works on by itself. */
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
  // What is answered 201 is on the disks of most members: a failover takes nothing back, nor does a power cut. Each by
  // its name, because a URL's `journal` would win over the one of `writeConcern`.
  w: 'majority',
  journal: true,
  wtimeoutMS: 10_000,
  // A host that vanished is noticed by the monitor within 15 s, and nothing waits for it longer than that: not a
  // new connection, not an answer, not a place in the pool.
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 12_000,
} as const;

const connectMongo = async (url: string): Promise<Connection> => {
  // Loaded here alone: a service on PostgreSQL saves its 12 MB.
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
    /** Whose documents carry pending events. */
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
    // Stops in order, or hard after 15 s; whatever supervises the process starts it again.
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
  // Before whatever else is heard: sockets that come again are checked against what was missed.
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
