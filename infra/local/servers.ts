import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MongoDb, startMongoDb } from './mongodb.ts';
import { Ports } from './ports.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type RabbitMq, startRabbitMq } from './rabbitmq.ts';
import { Secrets } from './secrets.ts';
import { Supervisor, stopLeftovers } from './supervisor.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** What every server's file needs to start its server. */
export interface ServerContext {
  home: string;
  ports: Ports;
  secrets: Secrets;
  supervisor: Supervisor;
  say: (line: string) => void;
  /** For downloads that every home may share. */
  cache: string;
  /** True for tests: the data need not survive a power cut. */
  isThrowaway: boolean;
}

export interface Servers {
  postgres: Postgres;
  rabbitmq: RabbitMq;
  mongodb: MongoDb;
}

/** Servers are stopped last, epmd after the node that is registered with it. */
export const serversInStopOrder = [['postgres', 'rabbitmq', 'mongodb', 'stripe', 'mail'], ['epmd']];

/** Makes the folder of a marketplace ready for a new run: what a killed run left there is ended. */
export async function openHome(options: {
  home: string;
  say: (line: string) => void;
  isThrowaway?: boolean;
}): Promise<ServerContext> {
  const { home, say, isThrowaway = false } = options;
  mkdirSync(home, { recursive: true });
  const leftovers = await stopLeftovers(home);
  if (leftovers.length > 0) {
    say(`An earlier run was killed. Ended what it left: ${leftovers.join(', ')}`);
  }
  return {
    home,
    say,
    isThrowaway,
    cache: join(projectRoot, 'node_modules', '.cache'),
    ports: new Ports(home),
    secrets: new Secrets(home),
    supervisor: new Supervisor({ home, say }),
  };
}

/** Brings up PostgreSQL, RabbitMQ and MongoDB side by side, printing where each comes from. */
export async function startServers(context: ServerContext): Promise<Servers> {
  const [postgres, rabbitmq, mongodb] = await Promise.all([
    announced(context, 'PostgreSQL', startPostgres(context)),
    announced(context, 'RabbitMQ', startRabbitMq(context)),
    announced(context, 'MongoDB', startMongoDb(context)),
  ]);
  return { postgres, rabbitmq, mongodb };
}

/** Prints the choice and the time that it took as soon as the server is ready. */
export async function announced<T extends { choice: string }>(
  context: ServerContext,
  need: string,
  starting: Promise<T>,
): Promise<T> {
  const started = performance.now();
  const server = await starting;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  context.say(`${need.padEnd(11)} ${server.choice} (${seconds} s)`);
  return server;
}
