import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { imageOf } from './containers.ts';
import { projectRoot, type ServerContext } from './home.ts';
import type { MailCatcher } from './mail.ts';
import { type MongoDb, startMongoDb } from './mongodb.ts';
import { type Postgres, startPostgres, throwawaySettings } from './postgres.ts';
import { type RabbitMq, startRabbitMq } from './rabbitmq.ts';
import { type S3Server, s3Key, startS3Server } from './s3-server.ts';
import { announced, type Servers } from './servers.ts';

export interface TestServerSet extends Servers {
  s3: S3Server;
  mail: MailCatcher;
  /** Null if there are no containers; the test of traces then runs its own receiver. */
  traces: TraceCollector | null;
}

/** The collector writes one line of JSON per export. */
export interface TraceCollector {
  endpoint: string;
  file: string;
  choice: string;
}

const collectorImage = 'otel/opentelemetry-collector-contrib:0.165.0';

/** The time includes pulling the image. */
const startWithinMs = 300_000;
const user = 'lendtools';

/** The version comes from pom.xml, so that it is the same with and without containers. */
function s3ProxyImage(): string {
  const pom = readFileSync(join(projectRoot, 'infra', 's3-server', 'pom.xml'), 'utf8');
  const [, version] = /<artifactId>s3proxy<.*?<version>(.*?)</s.exec(pom) ?? [];
  return `andrewgaul/s3proxy:${version}`;
}

interface ContainerServers {
  servers: TestServerSet;
  stop: () => Promise<void>;
}

/** @throws Error if no container engine answers, or an image is missing and can't be pulled */
export async function startContainers(context: ServerContext): Promise<ContainerServers> {
  // Testcontainers' own cleanup container needs full access to the engine, so `stop` removes leftovers instead.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { container: engine } = await getContainerRuntimeClient();
  const label = { 'lendtools.home': context.home };
  const stop = async () => {
    const filters = { label: [`lendtools.home=${context.home}`] };
    const containers = await engine.dockerode.listContainers({ all: true, filters });
    await Promise.all(
      containers.map(({ Id }) =>
        engine.dockerode.getContainer(Id).remove({ force: true, v: true }),
      ),
    );
  };
  await stop();
  const run = async <C extends GenericContainer>(container: C): Promise<StartedTestContainer> =>
    container.withLabels(label).withStartupTimeout(startWithinMs).start();

  const starting = [
    process.env.POSTGRES_URL ? startPostgres(context) : postgresContainer(context, run),
    process.env.AMQP_URL ? startRabbitMq(context) : rabbitMqContainer(context, run),
    process.env.MONGO_URL ? startMongoDb(context) : mongoContainer(run),
    process.env.TEST_S3_URL ? startS3Server(context) : s3Container(context, run),
    mailContainer(context, run),
    tracesContainer(context, run),
  ] as const;
  try {
    const [postgres, rabbitmq, mongodb, s3, mail, traces] = await Promise.all([
      announced(context, 'PostgreSQL', starting[0]),
      announced(context, 'RabbitMQ', starting[1]),
      announced(context, 'MongoDB', starting[2]),
      announced(context, 'S3', starting[3]),
      announced(context, 'Mail', starting[4]),
      announced(context, 'Traces', starting[5]),
    ]);
    return { servers: { postgres, rabbitmq, mongodb, s3, mail, traces }, stop };
  } catch (error) {
    // Wait for all starts to end, so that `stop` also removes containers that were still starting.
    await Promise.allSettled(starting);
    await stop();
    throw error;
  }
}

type Run = (container: GenericContainer) => Promise<StartedTestContainer>;

async function postgresContainer({ secrets }: ServerContext, run: Run): Promise<Postgres> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const image = imageOf('postgres');
  const password = secrets.get('postgresAdminPassword');
  const container = await run(
    new PostgreSqlContainer(image)
      .withUsername('postgres')
      .withPassword(password)
      .withDatabase('postgres')
      // Replaces the module's check, which needs a shell: on a busy machine it may time out and cause a restart.
      .withHealthCheck({
        test: ['CMD', 'pg_isready', '--host=127.0.0.1', '--username=postgres'],
        interval: 1_000,
        timeout: 60_000,
        retries: 300,
      })
      .withCommand(['postgres', ...throwawaySettings]),
  );
  const at = `${container.getHost()}:${container.getMappedPort(5432)}`;
  return {
    adminUrl: `postgres://postgres:${password}@${at}/postgres`,
    choice: `the container ${image} at ${at}`,
  };
}

async function rabbitMqContainer({ secrets }: ServerContext, run: Run): Promise<RabbitMq> {
  const { RabbitMQContainer } = await import('@testcontainers/rabbitmq');
  const image = imageOf('rabbitmq');
  const password = secrets.get('brokerPassword');
  const container = await run(
    new RabbitMQContainer(image).withEnvironment({
      RABBITMQ_DEFAULT_USER: user,
      RABBITMQ_DEFAULT_PASS: password,
    }),
  );
  const at = (port: number) => `${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    amqpUrl: `amqp://${user}:${password}@${at(5672)}`,
    managementUrl: `http://${user}:${password}@${at(15672)}`,
    isGiven: false,
    choice: `the container ${image} at ${at(5672)}`,
  };
}

async function mongoContainer(run: Run): Promise<MongoDb> {
  const { MongoDBContainer } = await import('@testcontainers/mongodb');
  const image = imageOf('mongo');
  const container = await run(new MongoDBContainer(image));
  const at = `${container.getHost()}:${container.getMappedPort(27017)}`;
  return {
    // The replica set's host name resolves only inside its container, so connect directly.
    url: `mongodb://${at}/?directConnection=true`,
    choice: `the container ${image} at ${at}`,
  };
}

async function s3Container({ secrets }: ServerContext, run: Run): Promise<S3Server> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const image = s3ProxyImage();
  const secret = secrets.get('s3Secret');
  const container = await run(
    new GenericContainer(image)
      .withExposedPorts(80)
      .withEnvironment({
        S3PROXY_ENDPOINT: 'http://0.0.0.0:80',
        S3PROXY_AUTHORIZATION: 'aws-v4',
        S3PROXY_IDENTITY: s3Key,
        S3PROXY_CREDENTIAL: secret,
        JCLOUDS_PROVIDER: 'filesystem-nio2',
        JCLOUDS_FILESYSTEM_BASEDIR: '/data',
      })
      // S3Proxy is up once it rejects an unsigned request.
      .withWaitStrategy(Wait.forHttp('/', 80).forStatusCode(403)),
  );
  const at = `${container.getHost()}:${container.getMappedPort(80)}`;
  return { url: `http://${s3Key}:${secret}@${at}`, choice: `the container ${image} at ${at}` };
}

async function mailContainer({ secrets }: ServerContext, run: Run): Promise<MailCatcher> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const image = imageOf('mail');
  const secretPath = `/${secrets.get('inboxPath')}`;
  const container = await run(
    new GenericContainer(image)
      .withExposedPorts(1025, 1080)
      .withEnvironment({ MAILDEV_BASE_PATHNAME: secretPath })
      .withWaitStrategy(Wait.forHttp(`${secretPath}/healthz`, 1080)),
  );
  const at = (port: number) => `${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    smtpUrl: `smtp://${at(1025)}`,
    inbox: `http://${at(1080)}${secretPath}`,
    choice: `the container ${image} at ${at(1025)}`,
  };
}

async function tracesContainer({ home }: ServerContext, run: Run): Promise<TraceCollector> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const folder = join(home, 'traces');
  mkdirSync(folder, { recursive: true });
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: '0.0.0.0:4318' } } } },
    exporters: { file: { path: '/traces/spans.jsonl', flush_interval: '100ms' } },
    service: { pipelines: { traces: { receivers: ['otlp'], exporters: ['file'] } } },
  };
  const container = await run(
    new GenericContainer(collectorImage)
      .withExposedPorts(4318)
      // Runs as the user of the tests, so that they can read the collector's files.
      .withUser(`${process.getuid?.()}:${process.getgid?.()}`)
      .withBindMounts([{ source: folder, target: '/traces' }])
      .withCopyContentToContainer([{ content: JSON.stringify(config), target: '/collector.yaml' }])
      .withCommand(['--config=/collector.yaml'])
      .withWaitStrategy(Wait.forLogMessage(/Everything is ready/)),
  );
  const at = `${container.getHost()}:${container.getMappedPort(4318)}`;
  return {
    endpoint: `http://${at}`,
    file: join(folder, 'spans.jsonl'),
    choice: `the container ${collectorImage} at ${at}`,
  };
}
