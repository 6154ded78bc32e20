import type { ServerContext } from './home.ts';
import { type MongoDb, startMongoDb } from './mongodb.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type RabbitMq, startRabbitMq } from './rabbitmq.ts';

export interface Servers {
  postgres: Postgres;
  rabbitmq: RabbitMq;
  mongodb: MongoDb;
}

/** Servers stop after all other processes, and epmd after the RabbitMQ node that is registered with it. */
export const serversInStopOrder = [
  ['postgres', 'rabbitmq', 'mongodb', 's3', 'stripe', 'mail'],
  ['epmd'],
];

export async function startServers(context: ServerContext): Promise<Servers> {
  const [postgres, rabbitmq, mongodb] = await Promise.all([
    announced(context, 'PostgreSQL', startPostgres(context)),
    announced(context, 'RabbitMQ', startRabbitMq(context)),
    announced(context, 'MongoDB', startMongoDb(context)),
  ]);
  return { postgres, rabbitmq, mongodb };
}

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
