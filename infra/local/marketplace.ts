import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { createLogger } from '@lendtools/service-kit';
import { restore } from '@lendtools/service-runtime/backup';
import { createBrokerUsers, describeBrokerAccess } from './broker-users.ts';
import { createDatabases } from './databases.ts';
import { demoLogins, seedDemo } from './demo/seed-demo.ts';
import { openHome, type ServerContext } from './home.ts';
import { startMail } from './mail.ts';
import { startMongoDb } from './mongodb.ts';
import { startPostgres } from './postgres.ts';
import { beginRabbitMq, type StartingRabbitMq } from './rabbitmq.ts';
import { type Login, type RunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { readablePassword } from './secrets.ts';
import { announced, serversInStopOrder } from './servers.ts';
import { describeServices, type Surroundings } from './services.ts';
import { chooseSitePort } from './site-port.ts';
import type { StartOptions } from './start-options.ts';
import { startStripe } from './stripe.ts';
import { buildWebIfStale } from './web-build.ts';

export interface Marketplace {
  ready: Promise<RunFile>;
  /** Stops the marketplace. May be called at any time, even during the start. */
  stop: () => Promise<void>;
}

export function startMarketplace(
  options: StartOptions & { data?: string },
  say: (line: string) => void,
): Marketplace {
  const { home, data } = options;
  const opening = openHome({ home, say, ...(data && { data }) });
  return {
    ready: opening.then((context) => bringUp(context, options)),
    stop: async () => {
      const { supervisor } = await opening;
      removeRunFile(options.home);
      await supervisor.stopAll(serversInStopOrder);
      removeRunFile(options.home);
    },
  };
}

async function bringUp(context: ServerContext, options: StartOptions): Promise<RunFile> {
  const { say, ports, supervisor } = context;
  rejectHalfRestored(context.home);
  removeRunFile(context.home);
  const sitePort = await chooseSitePort({ requested: options.port, ports, say });
  const site = process.env.PUBLIC_URL ?? `http://localhost:${sitePort}`;
  const beginning = beginRabbitMq(context);
  // The broker and the web app take longest to start. Services start meanwhile and retry until the broker is up.
  const broker = awaitedLater(startBroker(context, beginning));
  const web = awaitedLater(announced(context, 'Web app', buildWebIfStale(say)));
  const [{ rabbitmq }, postgres, mongodb, mail, stripe] = await Promise.all([
    beginning,
    announced(context, 'PostgreSQL', startPostgres(context)),
    announced(context, 'MongoDB', startMongoDb(context)),
    announced(context, 'Mail', startMail(context)),
    announced(context, 'Stripe', startStripe(context, `http://127.0.0.1:${sitePort}`)),
  ]);
  const servers = { postgres, rabbitmq, mongodb };
  const databases = await createDatabases(context, servers);
  const imagesFolder = process.env.IMAGES_DIR ?? join(context.home, 'images');
  const { S3_URL } = process.env;
  const picturesOf = (service: string) => ({ IMAGES_DIR: join(imagesFolder, service), S3_URL });
  const images = { accounts: picturesOf('accounts'), catalog: picturesOf('catalog') };
  if (options.restore)
    await restoreBackup(context, options.restore, { databases, pictures: images });
  const around: Surroundings = {
    servers,
    databases,
    brokerAccess: describeBrokerAccess(context, rabbitmq),
    mail,
    stripe,
    site,
    sitePort,
    images,
    admin: {
      email: process.env.ADMIN_EMAIL ?? 'admin@lendtools.example',
      password:
        process.env.ADMIN_PASSWORD ?? context.secrets.get('adminPassword', readablePassword),
    },
    ports: await pickServicePorts(context, options.replicas),
  };
  await Promise.all([announced(context, 'Services', startServices(context, around, web)), broker]);
  const logins: Login[] = [{ role: 'admin', ...around.admin }];
  if (options.withDemo) {
    logins.unshift(...demoLogins(context));
    // A failure does not stop the start of the marketplace; the next start resumes seeding.
    await seedDemo({ context, around }).catch((error: Error) => {
      say(`The demo neighborhood is incomplete: ${error.message}`);
    });
  }

  const describe = () => describeRun(context, around, logins);
  supervisor.onChange(() => writeRunFile(context.home, describe()));
  writeRunFile(context.home, describe());
  return describe();
}

async function restoreBackup(
  { home, say }: ServerContext,
  folder: string,
  into: Parameters<typeof restore>[0],
): Promise<void> {
  const { takenAt } = await restore(into, folder, {
    logger: createLogger('restore', 'warn'),
    emptyWith: emptyWith(home),
    begins: () => writeFile(halfRestored(home), ''),
  });
  await rm(halfRestored(home));
  say(`Restored: the backup of ${takenAt}`);
}

/** This file exists while a restore is incomplete. */
function halfRestored(home: string): string {
  return join(home, 'half-restored');
}

function emptyWith(home: string): string {
  return `rm -r ${home}`;
}

function rejectHalfRestored(home: string): void {
  if (existsSync(halfRestored(home)))
    throw new Error(
      `A restore into ${home} has failed, so only a part is there. Empty it: ${emptyWith(home)}`,
    );
}

/** Keeps Node from ending the process if the promise rejects before it is awaited. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function startBroker(
  context: ServerContext,
  beginning: Promise<StartingRabbitMq>,
): Promise<void> {
  const starting = beginning.then(({ rabbitmq, ready }) => ready.then(() => rabbitmq));
  await createBrokerUsers(context, await announced(context, 'RabbitMQ', starting));
}

async function startServices(
  context: ServerContext,
  around: Surroundings,
  web: Promise<unknown>,
): Promise<{ choice: string }> {
  const services = describeServices(context, around);
  await Promise.all(
    services.map(async (service) => {
      if (service.name === 'gateway') await web;
      await context.supervisor.start(service);
    }),
  );
  return { choice: `${services.length - 1} processes and the gateway` };
}

async function pickServicePorts(
  context: ServerContext,
  replicas: Map<ServiceName, number>,
): Promise<Record<ServiceName, number[]>> {
  const portsOf = async (service: ServiceName) => {
    const names = Array.from(
      { length: replicas.get(service) ?? 1 },
      (_, i) => `${service}-${i + 1}`,
    );
    return [service, await Promise.all(names.map((name) => context.ports.pick(name)))] as const;
  };
  const entries = await Promise.all(serviceNames.map(portsOf));
  return Object.fromEntries(entries) as Record<ServiceName, number[]>;
}

function describeRun(context: ServerContext, around: Surroundings, logins: Login[]): RunFile {
  const { choice: _, ...stripe } = around.stripe;
  return {
    site: around.site,
    mail: { web: around.mail.inbox, smtp: around.mail.smtpUrl },
    docs: `${around.site}/api/docs`,
    broker: {
      amqp: around.servers.rabbitmq.amqpUrl,
      page: around.servers.rabbitmq.managementUrl,
      services: around.brokerAccess.urls,
    },
    databases: around.databases,
    stripe,
    logins,
    settings: Object.fromEntries(
      describeServices(context, around)
        .filter(({ replica }) => replica === 1)
        .map(({ name, settings = {} }) => [name, settings]),
    ),
    // The supervisor appends a number to the names of replicas, which is removed here.
    processes: context.supervisor
      .running()
      .map((each) => ({ ...each, name: each.name.replace(/-\d+$/, '') })),
  };
}
