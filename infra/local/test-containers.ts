import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { parse } from 'yaml';
import { projectRoot, type ServerContext } from './home.ts';
import { type MongoDb, startMongoDb } from './mongodb.ts';
import { type Postgres, startPostgres, throwawaySettings } from './postgres.ts';
import { type RabbitMq, startRabbitMq } from './rabbitmq.ts';
import { announced, type Servers } from './servers.ts';

/** The images are named in the compose file alone: tests run on what it runs. */
const composeFile = join(projectRoot, 'infra', 'docker-compose.yml');
const imageOf = (service: 'postgres' | 'rabbitmq' | 'mongo'): string =>
  parse(readFileSync(composeFile, 'utf8'), { merge: true }).services[service].image;

/** An image may have to be pulled first. */
const startWithinMs = 300_000;
const user = 'lendtools';

interface ContainerServers {
  servers: Servers;
  stop: () => Promise<void>;
}

/**
 * The servers of the tests, each in a container, except those whose address is given.
 * @throws when no engine answers, or when it has not got an image and can't pull it
 */
export async function startContainers(context: ServerContext): Promise<ContainerServers> {
  // Testcontainers' own reaper is one more image, with rights over the engine. We end what a killed run left instead.
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
  ] as const;
  try {
    const [postgres, rabbitmq, mongodb] = await Promise.all([
      announced(context, 'PostgreSQL', starting[0]),
      announced(context, 'RabbitMQ', starting[1]),
      announced(context, 'MongoDB', starting[2]),
    ]);
    return { servers: { postgres, rabbitmq, mongodb }, stop };
  } catch (error) {
    // A container that is on its way while one was refused is removed as well.
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
      // The module's own check runs in a shell and ends after a second. On a busy machine that leaves its child to
      // process 1, the server, which takes the child's broken pipe for a crash of its own and starts anew.
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
    // The replica set of one that the module makes knows itself by a name that only its container resolves.
    url: `mongodb://${at}/?directConnection=true`,
    choice: `the container ${image} at ${at}`,
  };
}
